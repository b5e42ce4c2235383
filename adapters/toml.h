/*
 * toml.h - writes values as TOML 1.0, on one line, for command lines (-c
 * KEY=VALUE). Text must be UTF-8; anything in it is safe.
 */
#ifndef AFW_ADAPTERS_TOML_H
#define AFW_ADAPTERS_TOML_H

#include <cjson/cJSON.h>

#include "base/buf.h"

/* Appends a basic string, with its quotes. */
void toml_string(struct buf *out, const char *s);

/*
 * Appends a string, a number, a boolean, a list or an inline table of them from
 * JSON; keys are quoted. TOML has no null: it is left out of tables and lists.
 */
void toml_value(struct buf *out, const cJSON *v);

#endif
