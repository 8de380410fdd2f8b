/* net_check.c: tests a configuration without serving it. */
#include "server/net_state.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

struct check {
    const struct srv_config *config;
    srv_check_say *say;
    void *arg;
};

static void say_fault(const struct check *c, const struct fm_fault *fault)
{
    c->say(c->arg, fault->code == FM_E_BUSY ? SRV_NOT_NOW : SRV_WRONG, fault->text);
}

static void check_page(const struct check *c)
{
    struct fm_fault fault;
    struct srv_files *files = srv_files_load(c->config->data, &fault);
    if (files == NULL)
        say_fault(c, &fault);
    else if (c->config->data != NULL && srv_files_find(files, "/index.html") == NULL)
        c->say(c->arg, SRV_WRONG, "--data: there is no index.html in this folder");
    srv_files_free(files);
}

static void check_store(const struct check *c)
{
    struct fm_fault fault;
    struct st_look look;
    char text[128];
    if (st_look(c->config->store, &look, &fault) != FM_OK) {
        say_fault(c, &fault);
        return;
    }
    if (look.version == 0)
        (void)snprintf(text, sizeof text, "the store is new: it will be made, of version %d",
                       look.newest);
    else if (look.version < look.newest)
        (void)snprintf(text, sizeof text,
                       "the store is of version %d: it will be upgraded to version %d",
                       look.version, look.newest);
    else
        (void)snprintf(text, sizeof text, "the store is of version %d, the newest", look.version);
    c->say(c->arg, SRV_FINE, text);
}

static void check_files(const struct check *c)
{
    const unsigned wanted = c->config->connections;
    uint64_t files;
    char text[200];
    const unsigned most = srv_fit_connections(wanted, &files);
    if (most == wanted)
        return;
    (void)snprintf(text, sizeof text, SRV_FEW_SAY, most, wanted, (unsigned long long)files);
    c->say(c->arg, SRV_NOT_NOW, text);
}

/* By OpenSSL itself: when this fails, libwebsockets leaks memory, and logs messages that help
 * nobody. */
static void check_certificate(const struct check *c)
{
    const struct srv_config *config = c->config;
    SSL_CTX *tls = config->cert != NULL ? SSL_CTX_new(TLS_server_method()) : NULL;
    if (tls == NULL)
        return;
    if (SSL_CTX_use_certificate_chain_file(tls, config->cert) != 1)
        c->say(c->arg, SRV_WRONG, "--cert: the certificate cannot be used");
    else if (SSL_CTX_use_PrivateKey_file(tls, config->key, SSL_FILETYPE_PEM) != 1)
        c->say(c->arg, SRV_WRONG,
               "--key: the key cannot be used, or is not that of the certificate");
    SSL_CTX_free(tls);
}

/* Browsers send neither a path nor a slash at the end. */
static void check_origin(const struct check *c)
{
    const char *origin = c->config->origin, *name = origin != NULL ? strstr(origin, "://") : NULL;
    const bool is_web = origin != NULL &&
                        (strncmp(origin, "http://", 7) == 0 || strncmp(origin, "https://", 8) == 0);
    if (origin != NULL && (!is_web || name[3] == '\0' || strchr(name + 3, '/') != NULL))
        c->say(c->arg, SRV_WRONG,
               "--origin is https://NAME or https://NAME:PORT, and nothing "
               "after it");
}

static void check_address(const struct check *c)
{
    struct fm_fault fault;
    if (srv_listen_check(c->config, &fault) != FM_OK)
        say_fault(c, &fault);
}

void srv_check(const struct srv_config *config, srv_check_say *say, void *arg)
{
    const struct check c = {config, say, arg};
    check_page(&c);
    check_store(&c);
    check_files(&c);
    check_certificate(&c);
    check_origin(&c);
    check_address(&c);
}
