/* command.c - the table of commands, and their help. */
#include "commands/command.h"

#include <stdio.h>
#include <string.h>

#define COMMANDS(X)                                                            \
	X(adapters)                                                            \
	X(attach)                                                              \
	X(capture)                                                             \
	X(completion)                                                          \
	X(config)                                                              \
	X(diff)                                                                \
	X(doctor)                                                              \
	X(events)                                                              \
	X(exec)                                                                \
	X(group)                                                               \
	X(interrupt)                                                           \
	X(logs)                                                                \
	X(ls)                                                                  \
	X(new)                                                                 \
	X(reconcile)                                                           \
	X(restart)                                                             \
	X(resume)                                                              \
	X(retry)                                                               \
	X(rm)                                                                  \
	X(send)                                                                \
	X(start)                                                               \
	X(status)                                                              \
	X(stop)                                                                \
	X(suspend)                                                             \
	X(top)                                                                 \
	X(trash)                                                               \
	X(trust)                                                               \
	X(wait)

#define DECLARE(n) extern const struct command command_##n;
COMMANDS(DECLARE)

#define LIST(n) &command_##n,
const struct command *const commands[] = {COMMANDS(LIST) NULL};

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
	       c->options ? " [options]" : "", c->usage[0] ? " " : "",
	       c->usage, c->summary);
	if (c->options)
		printf("\n");
	for (const struct command_option *o = c->options; o && o->name; o++) {
		char left[64], letter[8] = "    ";

		if (o->letter)
			snprintf(letter, sizeof letter, "-%c, ", o->letter);
		snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name,
			 o->arg ? " " : "", o->arg ? o->arg : "");
		printf("  %-30s %s\n", left, o->help);
	}
	printf("\nSee afw-%s(1).\n", c->name);
}
