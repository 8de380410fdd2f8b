/* hall_answers.c: answers to requests over HTTP, acknowledgements and refusals to streams. */
#include "server/hall_state.h"

#include "base/panic.h"

static int status_of(enum fm_err code)
{
    switch (code) {
    case FM_E_NO_TABLE:
    case FM_E_NO_PATH:
    case FM_E_GONE:
        return 404;
    case FM_E_CLOSED:
        return 410;
    case FM_E_SIZE:
    case FM_E_NOTES_LONG:
    case FM_E_QUOTA:
        return 413;
    case FM_E_BUSY:
    case FM_E_TABLES:
        return 429;
    case FM_E_RULES:
    case FM_E_STORE:
    case FM_E_MEMORY:
        return 503;
    case FM_E_RECORD: /* its log is damaged */
        return 500;
    case FM_E_NO_TOKEN_GIVEN:
        return 401;
    case FM_E_FORBIDDEN:
        return 403;
    case FM_E_PHASE:
    case FM_E_STARTED:
    case FM_E_NOT_STARTED:
    case FM_E_NOT_OVER:
    case FM_E_FREE_SEAT:
    case FM_E_FULL:
    case FM_E_OVER:
    case FM_E_TURN:
    case FM_E_TAKEN_SEAT:
    case FM_E_CONFLICT:
    case FM_E_NOT_NOW:
    case FM_E_NO_REASON:
        return 409;
    default:
        return 400;
    }
}

void srv_answer_out(struct srv_hall *h, struct srv_call *call, int status, const struct fm_out *o)
{
    fm_assert(fm_out_ok(o));
    if (call == NULL)
        return;
    call->request = NULL;
    h->net.answer(h->net.arg, call, status, o->buf, o->len);
}

void srv_put_error(struct fm_out *o, enum fm_err code, const char *message)
{
    fm_js_object(o);
    fm_js_key(o, "error");
    fm_js_object(o);
    fm_js_key_text(o, "code", fm_err_code(code));
    fm_js_key_text(o, "message", message);
    fm_js_end_object(o);
    fm_js_end_object(o);
}

void srv_answer_error_as(struct srv_hall *h, struct srv_call *call, int status,
                         const struct fm_fault *fault)
{
    char text[1024];
    struct fm_out o;
    h->stats.refusals[fault->code]++;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "error");
    fm_js_object(&o);
    fm_js_fault(&o, fault, 0);
    fm_js_end_object(&o);
    fm_js_end_object(&o);
    srv_answer_out(h, call, status, &o);
}

void srv_answer_error(struct srv_hall *h, struct srv_call *call, const struct fm_fault *fault)
{
    srv_answer_error_as(h, call, status_of(fault->code), fault);
}

void srv_answer_empty(struct srv_hall *h, struct srv_call *call)
{
    char text[4] = "{}";
    const struct fm_out o = {.buf = text, .cap = sizeof text, .len = 2};
    srv_answer_out(h, call, 200, &o);
}

void srv_answer_seat(struct srv_request *req)
{
    char text[256];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_int(&o, "seat", req->seat);
    fm_js_key_text(&o, "token", req->token);
    fm_js_end_object(&o);
    srv_answer_out(req->hall, req->call, 201, &o);
}

void srv_answer_done(struct srv_request *req)
{
    char text[32];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "done");
    fm_js_bool(&o, true);
    fm_js_end_object(&o);
    srv_answer_out(req->hall, req->call, 200, &o);
}

void srv_send_refusal(struct srv_hall *h, struct srv_stream *stream, const char *id,
                      const struct fm_fault *fault)
{
    char text[1024];
    struct fm_out o;
    h->stats.refusals[fault->code]++;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_text(&o, "refused", id);
    fm_js_fault(&o, fault, 0);
    fm_js_end_object(&o);
    srv_send(h, stream, &o);
}

void srv_send_ack(struct srv_hall *h, struct srv_stream *stream, const char *id, uint32_t seq)
{
    char text[128];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_text(&o, "ack", id);
    fm_js_key_int(&o, "seq", seq);
    fm_js_end_object(&o);
    srv_send(h, stream, &o);
}
