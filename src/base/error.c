/* error.c: codes and sentences of the error map, and faults with more to say. */
#include <fathom/error.h>

#include "base/panic.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *code, *text;
} errors[FM_ERR_COUNT] = {
#define X(name, code, text) {code, text},
    FM_ERR_MAP(X)
#undef X
};

const char *fm_err_code(enum fm_err err)
{
    fm_assert((unsigned)err < FM_ERR_COUNT);
    return errors[err].code;
}

const char *fm_err_text(enum fm_err err)
{
    fm_assert((unsigned)err < FM_ERR_COUNT);
    return errors[err].text;
}

enum fm_err fm_fail(struct fm_fault *fault, enum fm_err code, const char *format, ...)
{
    fm_assert(code != FM_OK);
    fault->code = code;
    fault->line = 0;
    fault->action = -1;
    fault->n_values = 0;
    fault->where = 0;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    fm__clean(fault->text); /* it may quote input, cut anywhere */
    return code;
}

enum fm_err fm_fail_plain(struct fm_fault *fault, enum fm_err code)
{
    return fm_fail_values(fault, code, NULL, NULL);
}

/* Keeps the value of this name, which the list has. */
static int take_value(struct fm_fault *fault, const struct fm_value *values, const char *name,
                      size_t n)
{
    const struct fm_value *v = values;
    while (v != NULL && v->name != NULL && (strlen(v->name) != n || memcmp(v->name, name, n) != 0))
        v++;
    fm_assert(v != NULL && v->name != NULL && fault->n_values < FM_FAULT_VALUES);
    fault->value[fault->n_values++] = *v;
    return v->value;
}

enum fm_err fm_fail_values(struct fm_fault *fault, enum fm_err code, const char *where,
                           const struct fm_value *values)
{
    char text[FM_FAULT_TEXT];
    const char *rest = fm_err_text(code), *open;
    struct fm_out o;
    const bool named = where != NULL && where[0] != '\0';
    fm_fail(fault, code, "%s%s", named ? where : "", named ? ": " : "");
    fault->where = (int)strlen(fault->text);
    fm_out_init(&o, text, sizeof text);
    while ((open = strchr(rest, '{')) != NULL) {
        const size_t n = strcspn(open + 1, "}");
        fm_put_bytes(&o, rest, (size_t)(open - rest));
        fm_put_int(&o, take_value(fault, values, open + 1, n));
        rest = open + 1 + n + 1;
    }
    fm_put(&o, rest);
    fm_assert(fm_out_ok(&o));
    (void)snprintf(fault->text + fault->where, sizeof fault->text - (size_t)fault->where, "%s",
                   text);
    return code;
}

void fm_js_fault(struct fm_out *o, const struct fm_fault *fault, int from)
{
    fm_js_key_text(o, "code", fm_err_code(fault->code));
    for (int i = 0; i < fault->n_values; i++)
        fm_js_key_int(o, fault->value[i].name, fault->value[i].value);
    fm_js_key_text(o, "message", fault->text + from);
}
