/*
 * support_config.h - configuration files, for tests. All lie under one
 * directory of the test's own: the user's, a repository's and share/.
 */
#ifndef AFW_TESTS_SUPPORT_CONFIG_H
#define AFW_TESTS_SUPPORT_CONFIG_H

#include <stddef.h>

#include "config/config.h"

/* The user's file and the repository's, for conf_at() and conf_put(). */
#define CONF_USER "config/afw/afw.ini"
#define CONF_REPO "repo/.af/afw.ini"

/* Where that directory's files are; anew by conf_setup(). A harness has the
 * keys command, waiting and busy; the last two are lists, and '(' stands in
 * the value of none. */
extern struct config_where conf_where;

/* For whatever fails; clean at the beginning of each test. */
extern struct err conf_err;

int conf_setup(void **state);
int conf_teardown(void **state);

/* The whole path of a file there; valid until the next call. */
const char *conf_at(const char *name);

/* Makes the file anew, and the directories to it. */
void conf_put(const char *name, const char *text);
void conf_put_bytes(const char *name, const void *data, size_t len);

/* Makes the repository's file, which the user trusts then. */
void conf_trust(const char *text);

/* What the files say, which must be sound. */
struct config *conf_load(void);

#endif
