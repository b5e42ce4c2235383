/*
 * output.h - what commands print: colours, widths, JSON.
 *
 * Colours only on a terminal, without NO_COLOR and with a TERM that has
 * them. Text from a harness reaches a terminal only through here.
 */
#ifndef AFW_COMMANDS_CLI_OUTPUT_H
#define AFW_COMMANDS_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/err.h"
#include "session/session.h"

/* Whether standard output takes colours. */
bool output_colour(void);

/* Columns of the terminal on standard output; 0: no terminal, no cut. */
int output_width(void);

/* One line of o on standard output; deletes o. */
void output_json(cJSON *o);

/* SGR sequences by the session's word ("" where it is nothing special). */
const char *output_sgr(const struct session *s);

/* Adds text made safe; with max >= 0 cut to max columns, the last one "…".
 * Returns the columns added. text may be NULL. */
int output_text(struct buf *out, const char *text, int max);

/*
 * What went wrong, on stderr: "afw: ..." and "hint: ...", or an object where
 * output_json_errors() was called: "error" and "exit_code", or "warning" where
 * the command goes on, and "hint". Returns the exit code.
 */
void output_json_errors(void);
int output_error(const struct err *err);
void output_warning(const struct err *err);

/* The same as a warning without a hint; made safe. */
void output_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same after "hint: ". */
void output_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Warns "NAME: ..." of each. */
void output_warn_each(const char *name, const struct strv *list);

/* A line of text on standard output or error; made safe. */
void output_line(FILE *to, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Each line of text (NULL: none) likewise. */
void output_lines(FILE *to, const char *text);

/*
 * A command on several sessions goes on with the others where one fails:
 * *err becomes the newest failure (main prints it), the one before it, if rc
 * says that there was one, is printed now. Returns -1.
 */
int output_one_failed(int rc, const struct err *why, struct err *err);

#endif
