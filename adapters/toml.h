/*
 * toml.h - values as TOML 1.0 writes them, on one line, for command lines
 * (-c KEY=VALUE). Text must be UTF-8; anything in it is safe.
 */
#ifndef AFW_ADAPTERS_TOML_H
#define AFW_ADAPTERS_TOML_H

#include <cjson/cJSON.h>

#include "base/buf.h"

/* A basic string, quotes included; appended. */
void toml_string(struct buf *out, const char *s);

/*
 * A string, a number, a boolean, a list or an inline table of them from
 * JSON; keys are quoted. null has no such form: it is left out of tables and
 * lists.
 */
void toml_value(struct buf *out, const cJSON *v);

#endif
