/* art.c: drawings read, checked and rasterised. All of librsvg is here. */
#include "ocean/art.h"

#include "base/json_in.h"
#include "base/panic.h"
#include "ocean/builtin.h"
#include "ocean/svg_check.h"

#include <cairo.h>
#include <errno.h>
#include <librsvg/rsvg.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX  65536 /* bytes of art.json */
#define PATH_SIZE 4096
#define INK       32    /* more alpha than this is ink */
#define INK_LEAST 0.005 /* the part of a picture that is ink, at least */

static const char *const roles[OC_ROLES + 1] = {"shark", "green",      "red",     "manta",
                                                "whale", "decoration", "octopus", NULL};

struct oc_sprites {
    pthread_mutex_t lock; /* for librsvg's handle */
    RsvgHandle *svg;
    uint32_t *_Atomic pixels[OC_SPRITES]; /* NULL until it is drawn */
};

/* ---- one drawing ------------------------------------------------------------------------------ */

static enum fm_err refused_by(struct fm_fault *fault, const char *who, GError *error)
{
    fm_fail(fault, FM_E_ART, "%s refuses it: %.160s", who, error ? error->message : "no reason");
    g_clear_error(&error);
    return FM_E_ART;
}

/* The rows of cairo's ARGB32 have no gaps at our sizes, so it draws into our memory. */
static enum fm_err draw(uint32_t *pixels, int side, RsvgHandle *svg, struct fm_fault *fault)
{
    fm_assert(cairo_format_stride_for_width(CAIRO_FORMAT_ARGB32, side) == 4 * side);
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (unsigned char *)pixels, CAIRO_FORMAT_ARGB32, side, side, 4 * side);
    cairo_t *cr = cairo_create(surface);
    const RsvgRectangle whole = {0, 0, side, side};
    GError *error = NULL;
    enum fm_err err = FM_OK;
    if (!rsvg_handle_render_document(svg, cr, &whole, &error))
        err = refused_by(fault, "librsvg", error);
    cairo_surface_flush(surface);
    const cairo_status_t status = cairo_status(cr);
    if (err == FM_OK && status != CAIRO_STATUS_SUCCESS)
        err = fm_fail(fault, status == CAIRO_STATUS_NO_MEMORY ? FM_E_MEMORY : FM_E_ART,
                      "cairo refuses it: %s", cairo_status_to_string(status));
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return err;
}

static uint32_t *draw_sprite(RsvgHandle *svg, int i, struct fm_fault *fault)
{
    const int side = OC_SPRITE_MAX >> i;
    uint32_t *pixels = calloc((size_t)side * (size_t)side, sizeof *pixels);
    if (pixels == NULL) {
        fm_fail_plain(fault, FM_E_MEMORY);
    } else if (draw(pixels, side, svg, fault) != FM_OK) {
        free(pixels);
        pixels = NULL;
    }
    return pixels;
}

static const uint32_t *get_sprite(struct oc_sprites *s, int i, struct fm_fault *fault)
{
    uint32_t *pixels = atomic_load(&s->pixels[i]);
    if (pixels != NULL)
        return pixels;
    (void)pthread_mutex_lock(&s->lock);
    pixels = atomic_load(&s->pixels[i]); /* another thread may have drawn it */
    if (pixels == NULL) {
        pixels = draw_sprite(s->svg, i, fault);
        atomic_store(&s->pixels[i], pixels);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return pixels;
}

const uint32_t *oc_sprite(const struct oc_drawing *d, int i)
{
    struct fm_fault fault;
    return get_sprite(d->sprites, i, &fault);
}

static enum fm_err measure(struct oc_drawing *d, struct fm_fault *fault)
{
    const int side = OC_SPRITE_MAX / 2;
    const uint32_t *pixel = get_sprite(d->sprites, 1, fault);
    int ink = 0;
    double far = 0; /* squared */
    if (pixel == NULL)
        return fault->code;
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            if (*pixel++ >> 24 <= INK)
                continue;
            const double dx = x + 0.5 - side / 2.0, dy = y + 0.5 - side / 2.0;
            far = fmax(far, dx * dx + dy * dy);
            ink++;
        }
    }
    if (ink < INK_LEAST * side * side)
        return fm_fail(fault, FM_E_ART, "the drawing is empty, or nearly so");
    d->reach = (float)(sqrt(far) / side);
    return FM_OK;
}

static void sprites_destroy(struct oc_sprites *s) /* takes NULL */
{
    if (s == NULL)
        return;
    for (int i = 0; i < OC_SPRITES; i++)
        free(s->pixels[i]);
    if (s->svg != NULL)
        g_object_unref(s->svg);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}

static struct oc_sprites *sprites_create(const char *svg, size_t n, struct fm_fault *fault)
{
    struct oc_sprites *s = calloc(1, sizeof *s);
    GError *error = NULL;
    if (s == NULL || pthread_mutex_init(&s->lock, NULL) != 0) {
        free(s);
        fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    s->svg = rsvg_handle_new_from_data((const guint8 *)svg, n, &error);
    if (s->svg != NULL)
        return s;
    refused_by(fault, "librsvg", error);
    sprites_destroy(s);
    return NULL;
}

enum fm_err oc_drawing_load(struct oc_drawing *d, const char *svg, size_t n, struct fm_fault *fault)
{
    d->sprites = NULL;
    enum fm_err err = oc_svg_check(svg, n, fault);
    if (err != FM_OK)
        return err;
    d->sprites = sprites_create(svg, n, fault);
    if (d->sprites == NULL)
        return fault->code;
    err = measure(d, fault);
    if (err != FM_OK)
        oc_drawing_finish(d);
    return err;
}

void oc_drawing_finish(struct oc_drawing *d)
{
    if (d == NULL)
        return;
    sprites_destroy(d->sprites);
    d->sprites = NULL;
}

/* A drawing of ours whose reach is in its list was checked and measured by the tests. */
static enum fm_err load_measured(struct oc_drawing *d, const char *svg, size_t n,
                                 struct fm_fault *fault)
{
    d->sprites = sprites_create(svg, n, fault);
    return d->sprites != NULL ? FM_OK : fault->code;
}

/* ---- files ------------------------------------------------------------------------------------ */

struct file { /* its text, and what is to be freed */
    const char *text;
    size_t n;
    char *own;
    char path[PATH_SIZE]; /* how a fault names it */
};

static enum fm_err read_stream(struct file *f, FILE *stream, size_t max, struct fm_fault *fault)
{
    f->own = malloc(max + 1);
    if (f->own == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    f->text = f->own;
    f->n = fread(f->own, 1, max + 1, stream);
    if (ferror(stream))
        return fm_fail(fault, FM_E_FILE, "cannot be read: %s", strerror(errno));
    if (f->n > max)
        return fm_fail(fault, FM_E_SIZE, "has more than %zu bytes", max);
    return FM_OK;
}

static enum fm_err read_builtin(struct file *f, const char *name, struct fm_fault *fault)
{
    for (size_t i = 0; i < oc__builtin_art_count; i++) {
        if (strcmp(oc__builtin_art[i].name, name) == 0) {
            f->text = oc__builtin_art[i].text;
            f->n = oc__builtin_art[i].n;
            return FM_OK;
        }
    }
    return fm_fail(fault, FM_E_FILE, "is not built in");
}

/* A file of a folder, or of the built-in set (dir NULL). close_file() it in any case. */
static enum fm_err open_file(struct file *f, const char *dir, const char *name, size_t max,
                             struct fm_fault *fault)
{
    f->own = NULL;
    const int n = snprintf(f->path, sizeof f->path, "%s/%s", dir ? dir : "data/art", name);
    if (n < 0 || n >= (int)sizeof f->path)
        return fm_fail(fault, FM_E_FILE, "the folder's name is too long");
    if (dir == NULL)
        return read_builtin(f, name, fault);
    FILE *stream = fopen(f->path, "rb");
    if (stream == NULL)
        return fm_fail(fault, FM_E_FILE, "cannot be opened: %s", strerror(errno));
    const enum fm_err err = read_stream(f, stream, max, fault);
    (void)fclose(stream);
    return err;
}

static void close_file(struct file *f)
{
    free(f->own);
    f->own = NULL;
}

/* Puts the file's name before the text of the fault; of a long name, only its end. */
static enum fm_err blame(const struct file *f, struct fm_fault *fault)
{
    char text[FM_FAULT_TEXT];
    const int line = fault->line;
    const size_t n = strlen(f->path), shown = n > 120 ? 120 : n;
    memcpy(text, fault->text, sizeof text);
    fm_fail(fault, fault->code, "%s%s: %s", n > shown ? "…" : "", f->path + n - shown, text);
    fault->line = line;
    return fault->code;
}

/* ---- art.json --------------------------------------------------------------------------------- */

struct loading {
    struct oc_art *art;
    const char *dir[OC_DRAWINGS]; /* where a drawing's file is; NULL: built in */
};

static bool is_name(const char *text)
{
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static bool read_entry(const struct fm_in *in, bool ours, struct oc_drawing *d)
{
    static const char *const keys[] = {"name", "role", "small", "large", "weight", "reach", NULL};
    struct fm_in value;
    const char *name;
    int role;
    double small, large, weight, reach = 0;
    if (!fm_in_object(in, keys))
        return false;
    if (!fm_in_get(in, "name", &value) || !fm_in_text(&value, OC_NAME - 1, &name))
        return false;
    if (!is_name(name))
        return fm_in_fail(&value, FM_E_VALUE, "a name is made of a-z, 0-9 and dashes");
    if (!fm_in_get(in, "role", &value) || !fm_in_word(&value, roles, &role))
        return false;
    if (!fm_in_get(in, "small", &value) || !fm_in_real(&value, 0.02, 0.9, &small))
        return false;
    if (!fm_in_get(in, "large", &value) || !fm_in_real(&value, 0.02, 0.9, &large))
        return false;
    if (small > large)
        return fm_in_fail(&value, FM_E_VALUE, "%g is less than small, %g", large, small);
    if (!fm_in_get(in, "weight", &value) || !fm_in_real(&value, 0, 100, &weight))
        return false;
    if (weight <= 0)
        return fm_in_fail(&value, FM_E_VALUE, "a weight is more than 0");
    if (fm_in_has(in, "reach", &value) && !fm_in_real(&value, 0, 0.71, &reach))
        return false;
    *d = (struct oc_drawing){.role = (uint8_t)role,
                             .small = (float)small,
                             .large = (float)large,
                             .weight = (float)weight,
                             .reach = ours ? (float)reach : 0}; /* others are measured */
    memcpy(d->name, name, strlen(name) + 1);
    return true;
}

/* An entry replaces one of the same name from an earlier list; twice in one list is a fault. */
static bool add_entry(struct loading *l, const char *dir, const struct fm_in *in)
{
    struct oc_drawing d;
    if (!read_entry(in, dir == NULL, &d))
        return false;
    int i = 0;
    while (i < l->art->n && strcmp(l->art->drawing[i].name, d.name) != 0)
        i++;
    if (i < l->art->n && l->dir[i] == dir)
        return fm_in_fail(in, FM_E_VALUE, "\"%s\" is listed twice", d.name);
    if (i == OC_DRAWINGS)
        return fm_in_fail(in, FM_E_SIZE, "there are more than %d drawings", OC_DRAWINGS);
    l->art->n += i == l->art->n;
    l->art->drawing[i] = d;
    l->dir[i] = dir;
    return true;
}

static bool read_entries(struct loading *l, const char *dir, const struct fm_in *in)
{
    static const char *const keys[] = {"drawings", NULL};
    struct fm_in list;
    size_t n;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "drawings", &list) ||
        !fm_in_array(&list, 0, OC_DRAWINGS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in entry = fm_in_at(&list, i);
        if (!add_entry(l, dir, &entry))
            return false;
    }
    return true;
}

static enum fm_err read_list(struct loading *l, const char *dir, struct fm_fault *fault)
{
    struct file f;
    enum fm_err err = open_file(&f, dir, "art.json", LIST_MAX, fault);
    json_t *root = err == FM_OK ? fm_json_load(f.text, f.n, fault) : NULL;
    if (root != NULL) {
        const struct fm_in in = fm_in_root(root, "", fault);
        err = read_entries(l, dir, &in) ? FM_OK : fault->code;
        json_decref(root);
    } else {
        err = fault->code;
    }
    close_file(&f);
    return err == FM_OK ? FM_OK : blame(&f, fault);
}

/* ---- all of them ------------------------------------------------------------------------------ */

static enum fm_err load_drawing(struct oc_drawing *d, const char *dir, struct fm_fault *fault)
{
    char name[OC_NAME + 4];
    struct file f;
    (void)snprintf(name, sizeof name, "%s.svg", d->name);
    enum fm_err err = open_file(&f, dir, name, OC_SVG_MAX, fault);
    if (err == FM_OK)
        err = (d->reach > 0 ? load_measured : oc_drawing_load)(d, f.text, f.n, fault);
    close_file(&f);
    return err == FM_OK ? FM_OK : blame(&f, fault);
}

static enum fm_err load_all(struct oc_art *art, const char *dir, struct fm_fault *fault)
{
    struct loading l = {.art = art};
    enum fm_err err = read_list(&l, NULL, fault);
    if (err == FM_OK && dir != NULL)
        err = read_list(&l, dir, fault);
    for (int i = 0; err == FM_OK && i < art->n; i++) {
        err = load_drawing(&art->drawing[i], l.dir[i], fault);
        art->weight[art->drawing[i].role] += art->drawing[i].weight;
    }
    for (int role = 0; err == FM_OK && role < OC_ROLES; role++)
        if (art->weight[role] <= 0)
            err = fm_fail(fault, FM_E_ART, "art.json: no drawing has the role \"%s\"", roles[role]);
    return err;
}

struct oc_art *oc_art_load(const char *dir, struct fm_fault *fault)
{
    struct oc_art *art = calloc(1, sizeof *art);
    if (art == NULL) {
        fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    if (load_all(art, dir, fault) == FM_OK)
        return art;
    oc_art_free(art);
    return NULL;
}

void oc_art_free(struct oc_art *art)
{
    for (int i = 0; art != NULL && i < art->n; i++)
        oc_drawing_finish(&art->drawing[i]);
    free(art);
}

void oc_art_draw(const struct oc_art *art)
{
    for (int i = 0; i < art->n; i++)
        for (int size = 0; size < OC_SPRITES; size++)
            (void)oc_sprite(&art->drawing[i], size);
}
