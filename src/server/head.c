/* head.c: a strict parser for the head of an HTTP/1.1 request. */
#include "server/head.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#define LENGTH_DIGITS 15
#define HOST_MAX      255

static const struct {
    const char *name;
    bool once; /* ambiguous if repeated */
} fields[] = {
    [SRV_FIELD_HOST] = {"host", true},
    [SRV_FIELD_CONTENT_LENGTH] = {"content-length", true},
    [SRV_FIELD_TRANSFER_ENCODING] = {"transfer-encoding", true},
    [SRV_FIELD_CONNECTION] = {"connection", false},
    [SRV_FIELD_UPGRADE] = {"upgrade", true},
    [SRV_FIELD_AUTHORIZATION] = {"authorization", true},
    [SRV_FIELD_ORIGIN] = {"origin", true},
    [SRV_FIELD_ACCEPT_ENCODING] = {"accept-encoding", false},
    [SRV_FIELD_IF_NONE_MATCH] = {"if-none-match", false},
    [SRV_FIELD_WEBSOCKET_KEY] = {"sec-websocket-key", true},
    [SRV_FIELD_WEBSOCKET_VERSION] = {"sec-websocket-version", true},
    [SRV_FIELD_WEBSOCKET_PROTOCOL] = {"sec-websocket-protocol", true},
    [SRV_FIELD_X_FORWARDED_FOR] = {"x-forwarded-for", false},
    [SRV_FIELD_FORWARDED] = {"forwarded", false},
    [SRV_FIELD_VIA] = {"via", false},
};

_Static_assert(sizeof fields / sizeof fields[0] == SRV_FIELD_COUNT, "every field has a name");

/* ---- characters ------------------------------------------------------------------------------ */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_token(char c) /* RFC 9110, 5.6.2 */
{
    return is_letter(c) || is_digit(c) || (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int hex_of(char c)
{
    return is_digit(c)              ? c - '0'
           : (c >= 'a' && c <= 'f') ? c - 'a' + 10
           : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                    : -1;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* An empty line before the request is ignored: RFC 9112, 2.2. */
static size_t empty_line(const char *bytes, size_t n)
{
    return n >= 2 && bytes[0] == '\r' && bytes[1] == '\n' ? 2 : 0;
}

size_t srv_head_size(const char *bytes, size_t n, size_t seen)
{
    const size_t first = empty_line(bytes, n);
    size_t at = seen > first + 3 ? seen - 3 : first;
    while (at < n) {
        const char *end = memchr(bytes + at, '\n', n - at);
        if (end == NULL)
            return 0;
        at = (size_t)(end - bytes) + 1;
        if (at < n && bytes[at] == '\n') /* wrong, but complete */
            return at + 1;
        if (at + 1 < n && bytes[at] == '\r' && bytes[at + 1] == '\n')
            return at + 2;
    }
    return 0;
}

struct lines {
    char *at, *end;
};

/* The next line, NUL-terminated; NULL: none, or malformed. */
static char *next_line(struct lines *l)
{
    char *line = l->at;
    char *end = memchr(line, '\n', (size_t)(l->end - line));
    if (end == NULL || end == line || end[-1] != '\r')
        return NULL;
    l->at = end + 1;
    end[-1] = '\0';
    for (const char *p = line; p < end - 1; p++)
        if (((unsigned char)*p < ' ' && *p != '\t') || *p == 0x7f)
            return NULL;
    return line;
}

/* ---- the first line -------------------------------------------------------------------------- */

/* Decodes %XX in place. */
static bool decode(char *path)
{
    char *to = path;
    for (const char *p = path; *p != '\0'; p++) {
        int c = (unsigned char)*p;
        if (c == '%') {
            const int high = hex_of(p[1]), low = high < 0 ? -1 : hex_of(p[2]);
            if (low < 0)
                return false;
            c = 16 * high + low;
            p += 2;
        }
        if (c < ' ' || c == 0x7f)
            return false;
        *to++ = (char)c;
    }
    *to = '\0';
    return true;
}

static int read_first(struct srv_head *h, char *line, const char **why)
{
    char *target = strchr(line, ' ');
    char *version = target != NULL ? strchr(target + 1, ' ') : NULL;
    *why = "the first line is METHOD PATH HTTP/1.1";
    if (version == NULL || strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != (size_t)(target - line))
        return 400;
    *target++ = *version++ = '\0';
    if (line[0] == '\0' || target[0] != '/' || strpbrk(target, "\t#") != NULL)
        return 400;
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0) {
        *why = "HTTP/1.1 is spoken here";
        return strncmp(version, "HTTP/", 5) == 0 ? 505 : 400;
    }
    h->old = version[7] == '0';
    h->keep = !h->old;
    target[strcspn(target, "?")] = '\0';
    h->method = line;
    h->path = target;
    return decode(target) ? 0 : 400;
}

/* ---- fields ---------------------------------------------------------------------------------- */

bool srv_list_has(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = list; *p != '\0'; p += strcspn(p, ",")) {
        p += strspn(p, ", \t");
        if (strncasecmp(p, word, n) == 0 && strspn(p + n, " \t") == strcspn(p + n, ","))
            return true;
    }
    return false;
}

static int read_field(struct srv_head *h, char *line, const char **why)
{
    char *colon = line, *value, *end;
    while (is_token(*colon))
        colon++;
    *why = "a field is NAME: VALUE";
    if (colon == line || *colon != ':') /* no blank before the colon */
        return 400;
    *colon = '\0';
    value = colon + 1 + strspn(colon + 1, " \t");
    for (end = value + strlen(value); end > value && is_blank(end[-1]);)
        *--end = '\0';
    for (size_t i = 0; i < SRV_FIELD_COUNT; i++) {
        if (strcasecmp(line, fields[i].name) != 0)
            continue;
        *why = "a field is there twice";
        if (fields[i].once && h->field[i] != NULL)
            return 400;
        h->field[i] = value;
        if (i == SRV_FIELD_CONNECTION) {
            h->keep &= !srv_list_has(value, "close");
            h->upgrade |= srv_list_has(value, "upgrade");
        }
        break;
    }
    return 0;
}

static int read_length(struct srv_head *h, const char **why)
{
    const char *text = h->field[SRV_FIELD_CONTENT_LENGTH];
    if (h->field[SRV_FIELD_TRANSFER_ENCODING] != NULL) {
        *why = "a body comes with Content-Length alone";
        return text != NULL ? 400 : 411;
    }
    if (text == NULL)
        return 0;
    const size_t n = strlen(text);
    *why = "Content-Length is a number";
    if (n == 0 || strspn(text, "0123456789") != n)
        return 400;
    if (n > LENGTH_DIGITS) {
        h->body = SIZE_MAX;
        return 0;
    }
    for (const char *p = text; *p != '\0'; p++)
        h->body = 10 * h->body + (size_t)(*p - '0');
    return 0;
}

/* ---- Host ------------------------------------------------------------------------------------ */

/* The length of the name or address at the start of a Host; 0: none. */
static size_t host_size(const char *text)
{
    if (text[0] == '[') {
        const size_t n = strspn(text + 1, "0123456789abcdefABCDEF:.");
        return n > 1 && text[1 + n] == ']' ? n + 2 : 0;
    }
    size_t n = 0;
    while (is_letter(text[n]) || is_digit(text[n]) ||
           (text[n] != '\0' && strchr("-._", text[n]) != NULL))
        n++;
    return n;
}

bool srv_is_host(const char *text)
{
    const size_t n = host_size(text);
    if (n == 0 || n > HOST_MAX)
        return false;
    if (text[n] == '\0')
        return true;
    const size_t digits = strspn(text + n + 1, "0123456789");
    return text[n] == ':' && digits <= 5 && text[n + 1 + digits] == '\0';
}

bool srv_is_literal_host(const char *text)
{
    const size_t n = host_size(text);
    return srv_is_host(text) && (text[0] == '[' || strspn(text, "0123456789.") >= n ||
                                 (n == 9 && strncasecmp(text, "localhost", n) == 0));
}

/* ---- all of it ------------------------------------------------------------------------------- */

int srv_head_read(struct srv_head *h, char *bytes, size_t n, const char **why)
{
    struct lines l = {bytes + empty_line(bytes, n), bytes + n};
    *h = (struct srv_head){.method = ""};
    *why = "lines end with CR LF and have no control characters";
    char *line = next_line(&l);
    int status = line != NULL ? read_first(h, line, why) : 400;
    for (unsigned count = 0; status == 0; count++) {
        *why = "lines end with CR LF and have no control characters";
        line = next_line(&l);
        if (line == NULL)
            return 400;
        if (line[0] == '\0')
            break;
        *why = "there are too many fields";
        status = count < SRV_HEAD_FIELDS ? read_field(h, line, why) : 431;
    }
    if (status != 0)
        return status;
    *why = "one Host is needed, a name or an address";
    if (h->field[SRV_FIELD_HOST] == NULL ? !h->old : !srv_is_host(h->field[SRV_FIELD_HOST]))
        return 400;
    return read_length(h, why);
}
