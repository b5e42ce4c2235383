/*
 * output.h - prints what commands report: colours, widths, JSON.
 *
 * There are colours only on a terminal, without NO_COLOR and with a TERM that
 * has them. Text from a harness reaches a terminal only through these
 * functions.
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

/* Returns whether standard output takes colours. */
bool output_colour(void);

/* Returns the columns of the terminal on standard output; 0 if it is not a
 * terminal, and nothing must be cut. */
int output_width(void);

/* Prints o as one line on standard output; deletes o. */
void output_json(cJSON *o);

/* Returns the SGR sequence for the session's state word, "" for the default. */
const char *output_sgr(const struct session *s);

/* Appends text made safe; with max >= 0 cut to max columns, with "…" as the
 * last one. Returns the columns appended. text may be NULL. */
int output_text(struct buf *out, const char *text, int max);

/*
 * Prints err to stderr: "afw: ..." and "hint: ...". After output_json_errors()
 * it prints an object instead: "error" and "exit_code", or "warning" if the
 * command continues, and "hint". Returns the exit code.
 */
void output_json_errors(void);
int output_error(const struct err *err);
void output_warning(const struct err *err);

/* Prints a warning without a hint, made safe. */
void output_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The user is at another machine, where this one is called host (borrowed): the
 * commands of hints get -H. */
void output_set_host(const char *host);

/* Prints "hint: " and the text, made safe. */
void output_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Prints a warning "NAME: ..." for each string of list. */
void output_warn_each(const char *name, const struct strv *list);

/* Prints a line of text, made safe, to standard output or error. */
void output_line(FILE *to, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints each line of text (NULL: none) likewise. */
void output_lines(FILE *to, const char *text);

/*
 * For a command that continues with the other sessions after one failed: *err
 * becomes the newest failure, which main prints. If rc reports an earlier
 * failure, that one is printed now. Returns -1.
 */
int output_one_failed(int rc, const struct err *why, struct err *err);

#endif
