/*
 * credential.c - gives GITHUB_TOKEN to git.
 *
 * git starts the helper, with git's environment, and reads the token from its
 * standard output: the token is in no argument, URL or file. git's
 * configuration, also in the environment, makes git ask the helper for one
 * server only.
 */
#include "supervisor/headless/credential.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/words.h"
#include "wire/program.h"

#define CONFIG_MAX 10000 /* settings in the environment */

char *credential_server(const struct strv *env)
{
	const char *url = env_get(env, "GITHUB_SERVER_URL");
	size_t len = url ? strlen(url) : 0;

	while (len && url[len - 1] == '/')
		len--;
	return len ? mem_strndup(url, len) : mem_strdup("https://github.com");
}

static void add_helper(struct strv *env, long n, const char *server,
		       const char *helper)
{
	strv_addf(env, "GIT_CONFIG_KEY_%ld=credential.%s.helper", n, server);
	strv_addf(env, "GIT_CONFIG_VALUE_%ld=%s", n, helper);
}

/* Appends the command line that git passes to a shell. */
static void add_command(const struct strv *program, struct buf *line)
{
	_free_ char *own = program_find("afw-supervisor");

	buf_addc(line, '!');
	if (!program->n)
		words_quote(own, line);
	for (size_t i = 0; i < program->n; i++) {
		words_quote(program->v[i], line);
		buf_addc(line, ' ');
	}
	buf_adds(line, " credential");
}

int credential_set_env(struct strv *env, const struct strv *program,
		       struct err *err)
{
	const char *token = env_get(env, "GITHUB_TOKEN");
	const char *count = env_get(env, "GIT_CONFIG_COUNT");
	char *end = NULL;
	long n = count ? strtol(count, &end, 10) : 0;
	_free_ char *server = credential_server(env);
	_free_ char *text = NULL;
	_buf_ struct buf helper = {0};

	if (!token || !*token)
		return 0;
	if (n < 0 || n > CONFIG_MAX || (end && *end))
		return err_set(err, ERR_USAGE,
			       "start: GIT_CONFIG_COUNT is not a number");
	add_command(program, &helper);
	add_helper(env, n, server, ""); /* git ignores earlier helpers */
	add_helper(env, n + 1, server, helper.data);
	text = mem_printf("%ld", n + 2);
	env_set(env, "GIT_CONFIG_COUNT", text);
	return 0;
}

int credential_run(const char *operation)
{
	const char *token = getenv("GITHUB_TOKEN");
	char line[1024];

	/* Reads what git sends, to its end. */
	while (fgets(line, sizeof line, stdin))
		;
	if (strcmp(operation, "get") != 0 || !token || !*token ||
	    strchr(token, '\n'))
		return 0;
	printf("username=x-access-token\npassword=%s\n", token);
	return fflush(stdout) == 0 ? 0 : 1;
}
