/* support_config.h - configuration files, for tests: the user's, a repository's
 * and those of share/, all below one directory of the test. */
#ifndef AFW_TESTS_SUPPORT_CONFIG_H
#define AFW_TESTS_SUPPORT_CONFIG_H

#include <stddef.h>

#include "config/config.h"

/* The user's file and the repository's, for conf_at() and conf_put(). */
#define CONF_USER "config/afw/afw.ini"
#define CONF_REPO "repo/.af/afw.ini"

/* The places of these files; conf_setup() sets it for each test. A harness has
 * the keys command, waiting and busy; the last two are lists, and their values
 * may not contain '('. */
extern struct config_where conf_where;

/* The error of a call that fails; empty at the start of each test. */
extern struct err conf_err;

int conf_setup(void **state);
int conf_teardown(void **state);

/* Returns the whole path of a file there; valid until the next call. */
const char *conf_at(const char *name);

/* Write a file, replacing an old one, and make its directories. */
void conf_put(const char *name, const char *text);
void conf_put_bytes(const char *name, const void *data, size_t len);

/* Writes the repository's file and makes the user trust it. */
void conf_trust(const char *text);

/* Loads the files, which must be valid. */
struct config *conf_load(void);

#endif
