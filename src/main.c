/* main.c - afw: finds the command, runs it, prints what went wrong. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/version.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/launch/host.h"

#define COMMANDS_MAX 64 /* that an unknown one is compared with */

static void print_usage(bool all)
{
	const char *purpose = "";
	int more = 0;

	printf("usage: afw [-H URL] [COMMAND] [options]\n\n"
	       "Runs coding agents side by side, each in its own git "
	       "worktree.\nWithout a command it opens the dashboard.\n");
	for (size_t i = 0; commands[i]; i++) {
		if (!all && !command_everyday[i])
			continue;
		if (strcmp(purpose, command_purposes[i]) != 0)
			printf("\n%s\n", purpose = command_purposes[i]);
		printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
	}
	if (!all)
		printf("\nmore");
	for (size_t i = 0; !all && commands[i]; i++)
		if (!command_everyday[i])
			printf("%s%s", more++ % 6 ? ", " : "\n  ",
			       commands[i]->name);
	if (!all)
		printf("\n\n`afw help --all` describes these, too.");
	printf("\n`afw COMMAND --help` and afw(1) say more.\n");
}

/* What other tools call a command. */
static const struct {
	const char *word, *command;
} synonyms[] = {
    {"add", "new"},
    {"approve", "send --approve"},
    {"create", "new"},
    {"delete", "rm"},
    {"deny", "send --deny"},
    {"info", "status"},
    {"kill", "stop"},
    {"list", "ls"},
    {"log", "logs"},
    {"open", "attach"},
    {"ps", "ls"},
    {"queue", "send --list"},
    {"rebase", "merge --rebase"},
    {"remove", "rm"},
    {"run", "new"},
    {"shell", "exec"},
    {"show", "status"},
    {"squash", "merge --squash"},
    {"switch", "attach"},
    {"version", "--version"},
};

static const char *find_synonym(const char *name)
{
	for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
		if (strcmp(synonyms[i].word, name) == 0)
			return synonyms[i].command;
	return NULL;
}

static int unknown_command(const char *name, struct err *err)
{
	const char *names[COMMANDS_MAX], *best;
	size_t n = 0;

	if (name[0] == '-') {
		err_set(err, ERR_USAGE, "no option '%.60s' without a command",
			name);
		return err_hint(err, "`afw help --all` lists the commands");
	}
	for (; n < COMMANDS_MAX - 1 && commands[n]; n++)
		names[n] = commands[n]->name;
	names[n] = NULL;
	best = find_synonym(name);
	if (!best)
		best = nearest_of(name, names);
	err_set(err, ERR_USAGE, "there is no command '%.60s'", name);
	if (best)
		return err_hint(err, "did you mean `afw %s`?", best);
	return err_hint(err, "`afw help --all` lists them");
}

/* Prints the help of one command, or of the everyday commands, or of all. */
static int help(const char *name, struct err *err)
{
	const struct command *c = name ? command_find(name) : NULL;
	bool all =
	    name && (strcmp(name, "--all") == 0 || strcmp(name, "-a") == 0);

	if (name && !c && !all)
		return unknown_command(name, err);
	if (c)
		command_print_help(c);
	else
		print_usage(all);
	return 0;
}

static int run(const struct command *c, int argc, char **argv, struct err *err)
{
	struct args args;
	int rc = args_parse(&args, c, argc, argv, err), code = 0;

	if (rc == 0 && args_has(&args, "help"))
		command_print_help(c);
	else if (rc == 0 && (rc = host_run_remote(&args, &code, err)) == 0)
		rc = c->each ? targets_each(&args, c->each, err)
			     : args_run(&args, err);
	else if (rc > 0)
		rc = code;
	args_finish(&args);
	return rc;
}

int main(int argc, char **argv)
{
	struct err err = {0};
	const struct command *c;
	const char *name;
	int rc;

	file_open_standard();
	signal(SIGPIPE, SIG_IGN);
	rc = argc > 1 && strcmp(argv[1], "on-host") == 0
		 ? host_arrive(&argc, argv, &err)
		 : host_parse(&argc, argv, &err);
	if (rc < 0)
		return output_error(&err);
	name = argc > 1 ? argv[1] : NULL;
	if (!name)
		name = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)
			   ? "dashboard"
			   : "ls";
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
	    strcmp(name, "help") == 0) {
		rc = help(argc > 2 ? argv[2] : NULL, &err);
		return rc < 0 ? output_error(&err) : rc;
	}
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		printf("afw " AFW_VERSION "%s\n",
		       AFW_COMMIT[0] ? " (" AFW_COMMIT ")" : "");
		return 0;
	}
	/* Also if the arguments cannot be parsed. */
	for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--json") == 0)
			output_json_errors();
	c = command_find(name);
	if (!c)
		rc = unknown_command(name, &err);
	else
		rc = run(c, argc > 2 ? argc - 2 : 0, argv + 2, &err);
	if (rc < 0)
		return output_error(&err);
	if (fflush(stdout) != 0 && errno != EPIPE) {
		err_errno(&err, "write the output");
		return output_error(&err);
	}
	return rc;
}
