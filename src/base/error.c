/* error.c: codes and sentences of the error map, and faults with more to say. */
#include <fathom/error.h>

#include "base/panic.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

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
    va_list args;
    va_start(args, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    fm__clean(fault->text); /* it may quote input, cut anywhere */
    return code;
}

enum fm_err fm_fail_plain(struct fm_fault *fault, enum fm_err code)
{
    return fm_fail(fault, code, "%s", fm_err_text(code));
}
