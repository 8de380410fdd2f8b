/*
 * expect.c: checks scenario files against their "expect".
 *
 * "expect" is compared with the referee's answer: an object may have more keys than expected, a
 * list must have the same length, and null also matches a missing key. "views" holds what single
 * viewers should see: {"0":{…},"spectator":{…}}.
 */
#include "cli/expect.h"

#include "base/json_in.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#define ANSWER_MAX 0x400000

struct check {
    const struct fm_scenario *scenario;
    char *text;
    size_t n;
    char *buffer;    /* twice ANSWER_MAX */
    char where[256]; /* of the first difference */
    bool unreadable; /* some file is not a scenario at all */
};

static bool matches(struct check *c, const json_t *wanted, const json_t *got, const char *where)
{
    bool same = true;
    char path[sizeof c->where];
    if (json_is_null(wanted) || json_typeof(wanted) != json_typeof(got)) {
        same = json_is_null(wanted) && (got == NULL || json_is_null(got));
    } else if (json_is_object(wanted)) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)(uintptr_t)wanted, key, value) {
            (void)snprintf(path, sizeof path, "%.180s.%.60s", where, key);
            const json_t *there = json_object_get(got, key);
            if (there == NULL && !json_is_null(value)) {
                (void)snprintf(c->where, sizeof c->where, "%.200s: missing", path);
                return false;
            }
            if (!matches(c, value, there, path))
                return false;
        }
    } else if (json_is_array(wanted)) {
        same = json_array_size(wanted) == json_array_size(got);
        for (size_t i = 0; same && i < json_array_size(wanted); i++) {
            (void)snprintf(path, sizeof path, "%.180s[%zu]", where, i);
            if (!matches(c, json_array_get(wanted, i), json_array_get(got, i), path))
                return false;
        }
    } else {
        same = json_equal(wanted, got);
    }
    if (!same) {
        char *is = got ? json_dumps(got, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
        char *should = json_dumps(wanted, JSON_COMPACT | JSON_ENCODE_ANY);
        (void)snprintf(c->where, sizeof c->where, "%.60s is %.80s, should be %.80s", where,
                       is ? is : "missing", should ? should : "?");
        free(is);
        free(should);
    }
    return same;
}

/* The referee's answer for one viewer. */
static json_t *answer(struct check *c, int view)
{
    struct fm_scenario scenario = *c->scenario;
    struct fm_out out, scratch;
    struct fm_fault fault;
    scenario.view = view;
    fm_out_init(&out, c->buffer, ANSWER_MAX);
    fm_out_init(&scratch, c->buffer + ANSWER_MAX, ANSWER_MAX);
    (void)fm_scenario_run(&scenario, c->text, c->n, &out, &scratch);
    return fm_json_load(out.buf, out.len, &fault);
}

static bool check_view(struct check *c, const char *viewer, const json_t *wanted)
{
    uint64_t seat = 0;
    const bool spectator = strcmp(viewer, "spectator") == 0;
    if (!spectator && !cli_number(viewer, 0, FM_MAX_SEATS - 1, &seat)) {
        (void)snprintf(c->where, sizeof c->where, "expect.views: \"%.40s\" is no viewer", viewer);
        return false;
    }
    json_t *got = answer(c, spectator ? FM_WATCHER : (int)seat);
    char name[80];
    (void)snprintf(name, sizeof name, "views.%.40s", viewer);
    json_t *view = json_object_get(got, "view");
    const bool same = matches(c, wanted, view, name);
    json_decref(got);
    return same;
}

static bool check_all(struct check *c, json_t *expect)
{
    json_t *views = json_object_get(expect, "views");
    const char *viewer;
    json_t *wanted;
    if (!json_is_object(expect) || json_object_size(expect) == 0) {
        (void)snprintf(c->where, sizeof c->where, "there is nothing under \"expect\"");
        return false;
    }
    json_object_foreach(views, viewer, wanted) {
        if (!check_view(c, viewer, wanted))
            return false;
    }
    json_t *rest = json_copy(expect);
    (void)json_object_del(rest, "views");
    json_t *got = answer(c, FM_WHOLE);
    const bool same = matches(c, rest, got, "answer");
    json_decref(got);
    json_decref(rest);
    return same;
}

/* Checks one file; its title is the name of the test. */
static bool check_file(struct check *c, const char *path, int number)
{
    struct fm_fault fault;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    bool same = false;
    char *text = cli_read(path, FM_SCENARIO_MAX, &c->n, &fault);
    json_t *root = text ? fm_json_load(text, c->n, &fault) : NULL;
    c->text = text;
    c->unreadable |= root == NULL;
    if (root == NULL)
        (void)snprintf(c->where, sizeof c->where, "%.200s", fault.text);
    else
        same = check_all(c, json_object_get(root, "expect"));
    const char *title = json_string_value(json_object_get(root, "title"));
    printf("%s %d - %s: %s\n", same ? "ok" : "not ok", number, name, title ? title : "");
    if (!same)
        printf("# %s\n", c->where);
    json_decref(root);
    free(text);
    return same;
}

int cli_expect(const struct fm_scenario *scenario, char **paths, int n)
{
    struct check c = {.scenario = scenario, .buffer = cli_alloc(2 * ANSWER_MAX)};
    bool all = true;
    printf("1..%d\n", n);
    for (int i = 0; i < n; i++)
        all &= check_file(&c, paths[i], i + 1);
    free(c.buffer);
    return all ? CLI_FINE : c.unreadable ? CLI_BAD : CLI_ILLEGAL;
}
