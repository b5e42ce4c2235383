/* command.c - the table of commands, and their help. */
#include "commands/command.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

enum { MORE, EVERYDAY };

#define COMMANDS(X)                                                            \
	X("start", EVERYDAY, new)                                              \
	X("start", EVERYDAY, start)                                            \
	X("start", MORE, resume)                                               \
	X("start", MORE, retry)                                                \
	X("start", MORE, restart)                                              \
	X("watch", MORE, dashboard)                                            \
	X("watch", EVERYDAY, ls)                                               \
	X("watch", EVERYDAY, status)                                           \
	X("watch", EVERYDAY, attach)                                           \
	X("watch", MORE, capture)                                              \
	X("watch", EVERYDAY, logs)                                             \
	X("watch", MORE, grep)                                                 \
	X("watch", MORE, events)                                               \
	X("watch", MORE, since)                                                \
	X("watch", EVERYDAY, diff)                                             \
	X("watch", MORE, compare)                                              \
	X("watch", MORE, checkpoints)                                          \
	X("watch", EVERYDAY, conflicts)                                        \
	X("watch", EVERYDAY, wait)                                             \
	X("watch", MORE, top)                                                  \
	X("watch", MORE, cost)                                                 \
	X("talk", EVERYDAY, send)                                              \
	X("talk", MORE, review)                                                \
	X("talk", EVERYDAY, interrupt)                                         \
	X("talk", EVERYDAY, exec)                                              \
	X("talk", MORE, mcp)                                                   \
	X("finish", MORE, checkpoint)                                          \
	X("finish", EVERYDAY, undo)                                            \
	X("finish", MORE, try)                                                 \
	X("finish", EVERYDAY, commit)                                          \
	X("finish", MORE, fetch)                                               \
	X("finish", EVERYDAY, merge)                                           \
	X("finish", MORE, land)                                                \
	X("finish", EVERYDAY, pr)                                              \
	X("finish", EVERYDAY, stop)                                            \
	X("finish", MORE, suspend)                                             \
	X("finish", EVERYDAY, rm)                                              \
	X("finish", EVERYDAY, trash)                                           \
	X("keep in order", MORE, rename)                                       \
	X("keep in order", MORE, group)                                        \
	X("keep in order", MORE, flag)                                         \
	X("keep in order", EVERYDAY, config)                                   \
	X("keep in order", MORE, trust)                                        \
	X("keep in order", MORE, adapters)                                     \
	X("keep in order", MORE, templates)                                    \
	X("keep in order", MORE, image)                                        \
	X("keep in order", MORE, memory)                                       \
	X("keep in order", MORE, host)                                         \
	X("keep in order", EVERYDAY, doctor)                                   \
	X("keep in order", MORE, reconcile)                                    \
	X("keep in order", MORE, completion)

#define DECLARE(g, e, n) extern const struct command command_##n;
COMMANDS(DECLARE)

#define LIST(g, e, n) &command_##n,
const struct command *const commands[] = {COMMANDS(LIST) NULL};

#define PURPOSE(g, e, n) g,
const char *const command_purposes[] = {COMMANDS(PURPOSE) NULL};

#define IS_EVERYDAY(g, e, n) (e) == EVERYDAY,
const bool command_everyday[] = {COMMANDS(IS_EVERYDAY)};

const struct command *command_find(const char *name)
{
	/* A template without files was called so. */
	if (strcmp(name, "profiles") == 0)
		name = "templates";
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

const struct verb *command_verb(const struct command *c, const char *name)
{
	for (const struct verb *v = c->verbs; v && v->name; v++)
		if (strcmp(v->name, name) == 0)
			return v;
	return NULL;
}

void command_add_usage(const struct command *c, struct buf *out)
{
	if (c->usage[0] || c->verbs)
		buf_adds(out, c->verbs ? " [" : " ");
	buf_adds(out, c->usage);
	for (const struct verb *v = c->verbs; v && v->name; v++)
		buf_addf(out, "%s%s%s%s",
			 v > c->verbs || c->usage[0] ? " | " : "", v->name,
			 v->usage[0] ? " " : "", v->usage);
	if (c->verbs)
		buf_addc(out, ']');
}

static void print_option(const struct command_option *o)
{
	char left[64], letter[8] = "    ";

	if (o->letter)
		snprintf(letter, sizeof letter, "-%c, ", o->letter);
	snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name,
		 o->arg && o->arg[0] != '[' ? " " : "", o->arg ? o->arg : "");
	printf("  %-30s ", left);
	/* "purge: do not ask" */
	if (o->verbs && !args_is_listed(o->verbs, "-"))
		for (const char *p = o->verbs; *p; p += strspn(p, " ")) {
			printf("%.*s", (int)strcspn(p, " "), p);
			p += strcspn(p, " ");
			printf(*p ? ", " : ": ");
		}
	puts(o->help);
}

void command_print_help(const struct command *c)
{
	_buf_ struct buf usage = {0};

	command_add_usage(c, &usage);
	printf("usage: afw %s%s%s\n\n%s\n", c->name,
	       c->options ? " [options]" : "", usage.len ? usage.data : "",
	       c->summary);
	if (c->options)
		printf("\n");
	for (const struct command_option *o = c->options; o && o->name; o++)
		print_option(o);
	printf("\nSee afw-%s(1).\n", c->name);
}
