/*
 * host_child.c - afw -H NAME ..., as a child of ours: so the connection is made
 * in one place. In no repository, because a list needs none there.
 */
#include "hosts/host_child.h"

#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/utf8.h"
#include "wire/program.h"

#define LINE_SIZE 256

struct child *host_child_start(struct children *cs, const char *host,
			       const char *const *words, struct child_start *st,
			       struct err *err)
{
	_free_ char *afw = program_afw();
	_strv_ struct strv argv = {0}, env = {0};

	for (char **v = environ; *v; v++)
		strv_add(&env, *v);
	env_set(&env, "SSH_ASKPASS_REQUIRE", "never");
	strv_add(&argv, afw);
	strv_addf(&argv, "--host=%s", host);
	for (; *words; words++)
		strv_add(&argv, *words);
	st->spawn.argv = argv.v;
	st->spawn.envp = env.v;
	st->spawn.dir = "/";
	st->spawn.new_session = true;
	return child_start(cs, st, err);
}

char *host_child_reason(const struct child_end *end)
{
	static const char own[] = "afw: ";
	const char *text = end->errors->len ? end->errors->data : "";
	const char *at = strncmp(text, own, strlen(own)) == 0
			     ? text
			     : strstr(text, "\nafw: ");
	char last[LINE_SIZE];

	if (at) {
		at = strstr(at, own) + strlen(own);
		return mem_strndup(at, strcspn(at, "\n"));
	}
	utf8_last_line(last, sizeof last, text, strlen(text));
	return mem_strdup(*last ? last : "the connection has ended");
}
