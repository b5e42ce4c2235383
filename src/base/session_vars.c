/* session_vars.c - sets and expands the variables that only one session has. */
#include "base/session_vars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/env_list.h"

#define NAME_SIZE 24
#define PORT_MIN  1024 /* those below need a privilege */
#define PORT_MAX  65535

const char *session_vars_range(const char *text, int *low, int *high)
{
	char end;

	if (strspn(text, "0123456789-") != strlen(text) ||
	    sscanf(text, "%5d-%5d%c", low, high, &end) != 2 ||
	    *low < PORT_MIN || *high > PORT_MAX)
		return "it is two ports from 1024 to 65535, such as "
		       "20000-29999";
	return *high - *low + 1 < SESSION_PORTS
		   ? "it has fewer than the ten ports of a session"
		   : NULL;
}

/* Writes the name of the i-th one; false after the last. */
static bool name_of(int i, char name[NAME_SIZE])
{
	if (i == 0 || i == SESSION_PORTS)
		snprintf(name, NAME_SIZE, i ? "AFW_SLUG" : "AFW_PORT");
	else
		snprintf(name, NAME_SIZE, "AFW_PORT_%d", i);
	return i <= SESSION_PORTS;
}

void session_vars_set(int port, const char *slug, struct strv *env)
{
	char name[NAME_SIZE], number[16];

	for (int i = 0; name_of(i, name); i++) {
		const char *value = i == SESSION_PORTS ? slug
				    : port	       ? number
						       : NULL;

		snprintf(number, sizeof number, "%d", port + i);
		if (value)
			env_set(env, name, value);
		else
			env_apply(env, name);
	}
}

size_t session_vars_match(const char *text)
{
	char name[NAME_SIZE];

	if (strncmp(text, "${", 2) != 0)
		return 0;
	for (int i = 0; name_of(i, name); i++) {
		size_t len = strlen(name);

		if (strncmp(text + 2, name, len) == 0 && text[2 + len] == '}')
			return len + 3;
	}
	return 0;
}

char *session_vars_expand(const char *text, const struct strv *env)
{
	struct buf out = {0};

	while (*text) {
		size_t len = session_vars_match(text);
		_free_ char *name = len ? mem_strndup(text + 2, len - 3) : NULL;
		const char *value = name ? env_get(env, name) : NULL;

		if (value)
			buf_adds(&out, value);
		else
			buf_add(&out, text, len ? len : 1);
		text += len ? len : 1;
	}
	return buf_steal(&out);
}

void session_vars_expand_all(struct strv *list, const struct strv *env)
{
	for (size_t i = 0; i < list->n; i++) {
		char *was = list->v[i];

		if (!strstr(was, "${AFW_"))
			continue;
		list->v[i] = session_vars_expand(was, env);
		explicit_bzero(was, strlen(was)); /* it may be a secret */
		free(was);
	}
}
