/*
 * command.h - one afw command: its words, its options, what runs it.
 *
 * commands[] is the only list of them; help, completion and the test of the
 * man pages come from it. A command's file holds its const struct command
 * and is named after it; the function gets parsed arguments, whose times and
 * numbers are good, and returns the exit code. Where it fails it fills err and
 * returns -1: main prints err and exits with err->kind.
 */
#ifndef AFW_COMMANDS_COMMAND_H
#define AFW_COMMANDS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct command_option {
	const char *name; /* long name without dashes: "harness" */
	char letter;	  /* 'a', or 0 */
	const char *arg;  /* "HARNESS", or NULL: a flag; "TIME" and "GROUP"
			   * are checked; "[=KEY]": the value is optional */
	const char *unit; /* where it is a number: of what; and its bounds */
	long min, max;
	bool many;	  /* may stand several times (args_next) */
	const char *help; /* a few words, no full stop */
	/* What it goes with: words with a blank between; NULL: no rule. */
	const char *verbs;     /* of the command; "-": without a verb */
	const char *not_with;  /* options that exclude it */
	const char *only_with; /* all options that do not exclude it */
	const char *needs;     /* options, one of which must be given, too */
	const char *why;       /* not_with: the reason, or what to do instead */
};

struct args;
struct session;

/* What a command does by its first word: `afw trash restore`. */
struct verb {
	const char *name;
	const char *usage;     /* what follows it: "NAME" */
	const char *completes; /* the kind of what follows, as of a command */
	int min_args, max_args;
	int (*run)(const struct args *args, struct err *err);
};

struct command {
	const char *name;
	/* What follows the options: "NAME [-- ARGS]". Like all below, of the
	 * form without a verb if there are verbs. */
	const char *usage;
	const char *summary; /* a few words, no full stop */
	/* The kind of positional arguments, for completion: "shell"; NULL: of
	 * each that are sessions, else none */
	const char *completes;
	int min_args, max_args;	  /* positionals; max -1: any number */
	const struct verb *verbs; /* name NULL ends; may be NULL */
	bool rest;		  /* takes "-- ..." */
	bool here;		  /* not where `host` says (host.h) */
	bool strict; /* fails if a configuration file has a mistake;
		      * the others warn and continue */
	const struct command_option *options; /* name NULL ends; may be NULL */
	int (*run)(const struct args *args, struct err *err);
	/* Instead of run: for each session that is named (targets_each()) */
	int (*each)(struct session *s, const struct args *args,
		    struct err *err);
};

extern const struct command *const commands[]; /* by purpose; NULL ends */
extern const char *const command_purposes[];   /* of each, in one word or so */
extern const bool command_everyday[]; /* whether `afw help` describes it */

const struct command *command_find(const char *name);
const struct verb *command_verb(const struct command *c, const char *name);

/* Of every command, whatever its own options are. */
extern const struct command_option command_help_option;

/* Parsed arguments; all strings are borrowed from argv. */
struct args {
	const struct command *command;
	const struct verb *verb; /* NULL: none */
	const char **positional; /* behind the verb; NULL ends */
	size_t n;
	const char **rest; /* behind "--", NULL-terminated; NULL: no "--" */
	size_t n_rest;
	/* what was given, in order */
	struct args_option {
		const struct command_option *option;
		const char *value;
	} * given;
	size_t n_given;
};

/*
 * Parses argv (behind the command's name) in the GNU way: options and
 * positionals mixed, --name=value, clustered letters, "--" ends. ERR_USAGE
 * with the nearest option as hint. free with args_finish().
 */
int args_parse(struct args *args, const struct command *c, int argc,
	       char **argv, struct err *err);
void args_finish(struct args *args);

/*
 * How many sessions the positionals name. Where a name may be left out it is
 * one, and its name NULL: session_find()'s only one here.
 */
size_t args_sessions(const struct args *args);

bool args_has(const struct args *args, const char *option);
/* The last value given, or NULL. */
const char *args_value(const struct args *args, const char *option);
/* The values of an option that may stand several times: start with *i = 0;
 * NULL at the end. */
const char *args_next(const struct args *args, const char *option, size_t *i);
/* The last value as a time or a number; other where none was given. */
int64_t args_duration_ms(const struct args *args, const char *option,
			 int64_t other);
long args_number(const struct args *args, const char *option, long other);

/* Runs the verb, or the command. */
int args_run(const struct args *args, struct err *err);

/* Whether words, with a blank between (NULL: none), has that one. */
bool args_is_listed(const char *words, const char *word);

/* Adds the words that follow the command, those of its verbs, too. */
void command_add_usage(const struct command *c, struct buf *out);
/* Prints the help of one command on stdout. */
void command_print_help(const struct command *c);

#endif
