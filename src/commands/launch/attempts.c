/* attempts.c - makes of one command line with a list of agents one for each
 * agent, so that each is checked and made as every other session. */
#include "commands/launch/attempts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool attempts_are_meant(const struct args *args)
{
	const char *list = args_value(args, "agent");

	return list && strpbrk(list, ",*");
}

static const struct command_option *find_option(const struct args *args,
						const char *name)
{
	const struct command_option *o = args->command->options;

	while (strcmp(o->name, name) != 0)
		o++;
	return o;
}

/* Adds the command line of one; takes both texts. */
static void add_attempt(struct attempts *a, const struct args *args, char *name,
			char *harness)
{
	struct args *one = &a->v[a->n++];
	size_t n = args->n_given;

	strv_take(&a->texts, name);
	strv_take(&a->texts, harness);
	*one = *args;
	one->positional = mem_alloc(2 * sizeof *one->positional);
	one->positional[0] = name;
	one->given = mem_alloc((n + 2) * sizeof *one->given);
	memcpy(one->given, args->given, n * sizeof *one->given);
	/* The last value is used. */
	one->given[n].option = find_option(args, "agent");
	one->given[n].value = harness;
	one->given[n + 1].option = find_option(args, "group");
	one->given[n + 1].value = args->positional[0];
	one->n_given = n + 2;
}

static bool is_known(const struct attempts *a, const char *name)
{
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->v[i].positional[0], name) == 0)
			return true;
	return false;
}

/* Adds those of one part of the list: "codex", or "claude*3". */
static int add_part(struct attempts *a, const struct args *args,
		    const char *part, size_t len, struct err *err)
{
	const char *star = memchr(part, '*', len);
	size_t name_len = star ? (size_t)(star - part) : len;
	long n = star && isdigit((unsigned char)star[1])
		     ? strtol(star + 1, NULL, 10)
		     : !star;
	const char *first = args->positional[0];

	if (!name_len || n < 1 || n > ATTEMPTS_MAX ||
	    (star && strspn(star + 1, "0123456789") != len - name_len - 1)) {
		err_set(err, ERR_USAGE,
			"new: -a: '%.*s' is neither an agent nor an agent "
			"with a number up to 16",
			len < 40 ? (int)len : 40, part);
		return err_hint(err, "for example -a claude,codex or -a "
				     "claude*3");
	}
	for (long i = 1; i <= n; i++) {
		char *name =
		    star ? mem_printf("%s-%.*s-%ld", first, (int)name_len, part,
				      i)
			 : mem_printf("%s-%.*s", first, (int)name_len, part);
		bool twice = is_known(a, name);

		if (twice || a->n == ATTEMPTS_MAX) {
			free(name);
			return twice ? err_set(err, ERR_USAGE,
					       "new: -a names '%.*s' twice",
					       (int)name_len, part)
				     : err_set(err, ERR_USAGE,
					       "new: -a names more than %d "
					       "agents",
					       ATTEMPTS_MAX);
		}
		add_attempt(a, args, name, mem_strndup(part, name_len));
	}
	return 0;
}

int attempts_read(struct attempts *a, const struct args *args, struct err *err)
{
	static const char *const alone[] = {"attach",	"branch", "here",
					    "worktree", "with",	  NULL};
	const char *list = args_value(args, "agent");

	*a = (struct attempts){.v = mem_alloc(ATTEMPTS_MAX * sizeof *a->v)};
	for (size_t i = 0; alone[i]; i++)
		if (args_has(args, alone[i]))
			return err_set(err, ERR_USAGE,
				       "new: --%s is for one agent, and -a "
				       "names several",
				       alone[i]);
	for (;;) {
		size_t len = strcspn(list, ",");

		if (add_part(a, args, list, len, err) < 0)
			return -1;
		if (!list[len])
			return 0;
		list += len + 1;
	}
}

void attempts_finish(struct attempts *a)
{
	for (size_t i = 0; i < a->n; i++)
		args_finish(&a->v[i]);
	free(a->v);
	strv_finish(&a->texts);
	*a = (struct attempts){0};
}
