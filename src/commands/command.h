/*
 * command.h - describes a command of afw: its words, its options, its function.
 *
 * commands[] is the only list of commands; help, completion and the test of the
 * man pages use it. A command's file is named after it and defines its const
 * struct command; the function gets parsed arguments, whose times and numbers
 * are valid, and returns the exit code. On an error it sets err and returns -1:
 * main prints err and exits with err->kind.
 */
#ifndef AFW_COMMANDS_COMMAND_H
#define AFW_COMMANDS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct command_option {
	const char *name;     /* the long name without dashes: "agent" */
	const char *old_name; /* still accepted; may be NULL */
	char letter;	      /* 'a', or 0 */
	/* "AGENT", or NULL: a flag; "TIME" and "GROUP" are checked; "[=KEY]":
	 * the value is optional */
	const char *arg;
	const char *unit; /* for a number: the unit; and the bounds */
	long min, max;
	bool many;	  /* can be repeated (args_next) */
	const char *help; /* a few words, no full stop */
	/* The verbs and options that it can be combined with, separated by
	 * blanks; NULL: no rule. */
	const char *verbs;     /* of the command; "-": without a verb */
	const char *not_with;  /* options that exclude it */
	const char *only_with; /* the only options that do not exclude it */
	const char *needs;     /* options, one of which is required with it */
	const char *why;       /* why not_with excludes it, or an alternative */
};

struct args;
struct session;

/* A verb of a command, its first word: `afw trash restore`. */
struct verb {
	const char *name;
	const char *usage;     /* the words after the verb: "NAME" */
	const char *completes; /* the kind of its arguments, as for a command */
	int min_args, max_args;
	int (*run)(const struct args *args, struct err *err);
};

struct command {
	const char *name;
	/* The words after the options: "NAME [-- ARGS]". If there are verbs,
	 * this and the members below are for the form without one. */
	const char *usage;
	const char *summary; /* a few words, no full stop */
	/* The kind of the positional arguments, for completion: "shell"; NULL:
	 * sessions if the command has each, otherwise none. */
	const char *completes;
	int min_args, max_args;	  /* positionals; max -1: any number */
	const struct verb *verbs; /* name NULL ends; may be NULL */
	bool rest;		  /* takes "-- ..." */
	/* its second positional is a text; a program there is a mistake: "--"
	 * is missing before a command */
	bool takes_text;
	/* always runs here, never on `host` (host.h) */
	bool here;
	/* fails if a configuration file has a mistake; other commands warn and
	 * continue */
	bool strict;
	const struct command_option *options; /* name NULL ends; may be NULL */
	int (*run)(const struct args *args, struct err *err);
	/* instead of run: called for each session that is named
	 * (targets_each()) */
	int (*each)(struct session *s, const struct args *args,
		    struct err *err);
	/* called first if the command is for another machine (url) and there is
	 * a repository here. 1: the command is done, with its exit code in
	 * *code; 0: the command must run there */
	int (*over_host)(const struct args *args, const char *url, int *code,
			 struct err *err);
};

extern const struct command *const commands[]; /* by purpose; NULL ends */
extern const char *const command_purposes[];   /* for each, in a word or two */
extern const bool command_everyday[]; /* whether `afw help` describes it */

const struct command *command_find(const char *name);
const struct verb *command_verb(const struct command *c, const char *name);

/* --help, which every command has. */
extern const struct command_option command_help_option;

/* Parsed arguments; all strings are borrowed from argv. */
struct args {
	const struct command *command;
	const struct verb *verb; /* NULL: none */
	const char **positional; /* without the verb; NULL ends */
	size_t n;
	const char **rest; /* after "--", NULL-terminated; NULL: no "--" */
	size_t n_rest;
	/* the given options, in order */
	struct args_option {
		const struct command_option *option;
		const char *value;
		size_t words; /* the number of words before it */
	} * given;
	size_t n_given;
};

/*
 * Parses argv (after the command's name) in the GNU way: options and
 * positionals mixed, --name=value, clustered letters, "--" ends the options.
 * ERR_USAGE with the nearest option as hint. In every case the caller calls
 * args_finish().
 */
int args_parse(struct args *args, const struct command *c, int argc,
	       char **argv, struct err *err);
void args_finish(struct args *args);

/* Checks which options may be given together: for a command that has added one;
 * args_parse() has done it for the others. ERR_USAGE. */
int args_check_rules(const struct args *args, struct err *err);

/* Returns how many sessions the positionals name. If the name is omitted and
 * may be, returns 1 with a NULL name: the only session here
 * (session_find()). */
size_t args_sessions(const struct args *args);

bool args_has(const struct args *args, const char *option);
/* Returns the last value given, or NULL. */
const char *args_value(const struct args *args, const char *option);
/* Returns the next value of an option that can be repeated, NULL at the end;
 * start with *i = 0. */
const char *args_next(const struct args *args, const char *option, size_t *i);
/* Returns the last value as a time or a number; other if none was given. */
int64_t args_duration_ms(const struct args *args, const char *option,
			 int64_t other);
long args_number(const struct args *args, const char *option, long other);

/* Runs the verb, or the command. */
int args_run(const struct args *args, struct err *err);

/* Returns whether word is one of words, which are separated by blanks (NULL:
 * none). */
bool args_is_listed(const char *words, const char *word);

/* Appends the usage after the command's name, with that of its verbs. */
void command_add_usage(const struct command *c, struct buf *out);
/* Prints the help of one command on stdout. */
void command_print_help(const struct command *c);

#endif
