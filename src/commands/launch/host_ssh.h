/*
 * host_ssh.h - runs afw on another machine through the user's ssh.
 *
 * The command line for the shell there consists of our own words, digits and
 * blanks: each word is in hexadecimal digits, which host_arrive() decodes.
 */
#ifndef AFW_COMMANDS_LAUNCH_HOST_SSH_H
#define AFW_COMMANDS_LAUNCH_HOST_SSH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* host_ssh_begin() begins a command line that runs in the directory of url; the
 * others append a word of the command, or an option as --NAME=VALUE (value
 * NULL: --NAME). */
void host_ssh_begin(struct buf *line, const char *url);
void host_ssh_word(struct buf *line, const char *word);
void host_ssh_option(struct buf *line, const char *name, const char *value);

/*
 * Runs the line with our terminal; input: a descriptor to read instead of our
 * standard input, or -1. Returns the exit code of the command, or -1. If the
 * connection existed and was lost, sets *lost and reports it. Blocks.
 */
int host_ssh_run(const char *url, const struct buf *line, int input,
		 const char *clipboard, bool *lost, struct err *err);

/* Runs the line without input, and appends its output to out and its errors to
 * errors (NULL: prints them, made safe). Returns the exit code likewise. Blocks
 * for ten minutes at most. */
int host_ssh_ask(const char *url, const struct buf *line, struct buf *out,
		 struct buf *errors, struct err *err);

/* What host_arrive() does instead of a command: makes the repository in the
 * directory of the url; the author's name and address follow. */
#define HOST_MAKE_REPOSITORY "make-repository"

/* Returns whether there is a connection that afw's commands share. */
bool host_ssh_is_shared(const char *url);

/* Ends it, if there is one. */
void host_ssh_hang_up(const char *url);

/* Returns "GIT_SSH_COMMAND=..." with which git uses the same connection, to be
 * freed; NULL if git needs no such variable. */
char *host_ssh_git(const char *url);

/* Runs a program here, for at most ten seconds, and returns the first line that
 * it prints, to be freed; NULL if it fails or that line is empty. */
char *host_ssh_first_line(const char *const *argv);

#endif
