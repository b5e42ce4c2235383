/* command.c - the table of commands, and their help. */
#include "commands/command.h"

#include <stdio.h>
#include <string.h>

#define COMMANDS(X)                                                            \
	X("start", new)                                                        \
	X("start", start)                                                      \
	X("start", resume)                                                     \
	X("start", retry)                                                      \
	X("start", restart)                                                    \
	X("watch", dashboard)                                                  \
	X("watch", ls)                                                         \
	X("watch", status)                                                     \
	X("watch", attach)                                                     \
	X("watch", capture)                                                    \
	X("watch", logs)                                                       \
	X("watch", events)                                                     \
	X("watch", diff)                                                       \
	X("watch", conflicts)                                                  \
	X("watch", wait)                                                       \
	X("watch", top)                                                        \
	X("talk", send)                                                        \
	X("talk", interrupt)                                                   \
	X("talk", exec)                                                        \
	X("talk", mcp)                                                         \
	X("finish", commit)                                                    \
	X("finish", merge)                                                     \
	X("finish", pr)                                                        \
	X("finish", stop)                                                      \
	X("finish", suspend)                                                   \
	X("finish", rm)                                                        \
	X("finish", trash)                                                     \
	X("keep in order", rename)                                             \
	X("keep in order", group)                                              \
	X("keep in order", config)                                             \
	X("keep in order", trust)                                              \
	X("keep in order", adapters)                                           \
	X("keep in order", templates)                                          \
	X("keep in order", image)                                              \
	X("keep in order", memory)                                             \
	X("keep in order", doctor)                                             \
	X("keep in order", reconcile)                                          \
	X("keep in order", completion)

#define DECLARE(g, n) extern const struct command command_##n;
COMMANDS(DECLARE)

#define LIST(g, n) &command_##n,
const struct command *const commands[] = {COMMANDS(LIST) NULL};

#define PURPOSE(g, n) g,
const char *const command_purposes[] = {COMMANDS(PURPOSE) NULL};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

void command_print_help(const struct command *c)
{
	printf("usage: afw %s%s%s%s\n\n%s\n", c->name,
	       c->options ? " [options]" : "", c->usage[0] ? " " : "", c->usage,
	       c->summary);
	if (c->options)
		printf("\n");
	for (const struct command_option *o = c->options; o && o->name; o++) {
		char left[64], letter[8] = "    ";

		if (o->letter)
			snprintf(letter, sizeof letter, "-%c, ", o->letter);
		snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name,
			 o->arg && o->arg[0] != '[' ? " " : "",
			 o->arg ? o->arg : "");
		printf("  %-30s %s\n", left, o->help);
	}
	printf("\nSee afw-%s(1).\n", c->name);
}
