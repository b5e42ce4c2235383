/*
 * section_kinds.c - the table of the sections that a user names: the keys of
 * each kind, and the checks that a plain type cannot make.
 */
#include "config/section.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/keyname.h"
#include "base/ready.h"
#include "base/session_vars.h"
#include "base/ssh_url.h"

/* -- what a value may be --------------------------------------------------- */

static const char *check_env(const char *text)
{
	return env_is_name(text, strcspn(text, "="))
		   ? NULL
		   : "it must be NAME=VALUE or a variable's name";
}

static const char *check_env_name(const char *text)
{
	return strchr(text, '=') || check_env(text)
		   ? "only names of variables are allowed: the values come "
		     "from the environment of `afw new`, or its -e"
		   : NULL;
}

static const char *check_ready(const char *text)
{
	_strv_ struct strv sample = {0};
	_free_ char *filled = NULL;
	struct ready ready;

	session_vars_set(1, "s", &sample);
	filled = session_vars_expand(text, &sample);
	return ready_parse(filled, &ready);
}

static const char *check_url(const char *text)
{
	if (text[0] && strncmp(text, "http://", 7) != 0 &&
	    strncmp(text, "https://", 8) != 0)
		return "it must begin with http:// or https://";
	return strchr(text, '@') ? "must not contain a login" : NULL;
}

/* Checks each line; the variables in it are checked with the server. */
static const char *check_headers(const char *text)
{
	for (const char *s = text; *s;) {
		size_t len = strcspn(s, "\n"), name = strcspn(s, ":\n");

		if (name == 0 || s[name] != ':')
			return "a line is \"Name: value\"";
		if (!memmem(s, len, "${", 2))
			return "no secret is allowed here: write its variable, "
			       "as in \"Authorization: Bearer ${TOKEN}\"";
		s += len + (s[len] == '\n');
	}
	return NULL;
}

static const char *check_host_url(const char *text)
{
	return *text ? ssh_url_check(text) : NULL;
}

/* `afw -H here` and -H local are this machine. */
static const char *check_host_name(const char *name)
{
	return strcmp(name, "here") == 0 || strcmp(name, "local") == 0
		   ? "this machine has that name"
		   : NULL;
}

static const char *check_engine(const char *text)
{
	return *text ? options[OPTION_HARNESS].check(text) : NULL;
}

static const char *check_path(const char *text)
{
	char url[512];
	int n = snprintf(url, sizeof url, "ssh://host%s%s",
			 *text == '~' ? "/" : "", text);

	if (*text && *text != '/' && strncmp(text, "~/", 2) != 0)
		return "it must begin with / or ~/";
	return n < (int)sizeof url ? ssh_url_check(url) : "it is too long";
}

/* -- the table ------------------------------------------------------------- */

static const char *const restarts[] = {"always", "on-failure", "never", NULL};

static const struct option service_keys[] = {
    {.name = "command",
     .type = OPTION_COMMAND,
     .value = "",
     .repository = true,
     .help = "The command to run; it must stay in the foreground."},
    {.name = "restart",
     .type = OPTION_CHOICE,
     .value = "on-failure",
     .choices = restarts,
     .repository = true,
     .help = "Whether to restart it when it ends after it was ready."},
    {.name = "env",
     .type = OPTION_LIST,
     .value = "",
     .check = check_env,
     .repository = true,
     .help = "NAME=VALUE, or the NAME of one of your variables."},
    {.name = "ready",
     .type = OPTION_STRING,
     .value = "",
     .check = check_ready,
     .repository = true,
     .help = "When it is ready: tcp:PORT, http://localhost:PORT/PATH, "
	     "delay:DURATION or log:TEXT; empty: at once."},
    {.name = "ready_timeout",
     .type = OPTION_DURATION,
     .value = "30s",
     .min = 100,
     .max = INT64_C(3600000),
     .repository = true,
     .help = "The longest time until then."},
    {.name = NULL},
};

static const char *const types[] = {"http", "sse", NULL};

static const struct option mcp_keys[] = {
    {.name = "command",
     .type = OPTION_COMMAND,
     .value = "",
     .repository = true,
     .help = "The program that the agent runs, with its arguments."},
    {.name = "url",
     .type = OPTION_STRING,
     .value = "",
     .check = check_url,
     .secret = true,
     .repository = true,
     .help = "The server's address, in place of a command."},
    {.name = "type",
     .type = OPTION_CHOICE,
     .choices = types,
     .repository = true,
     .help = "Transport of a url: http (default) or sse."},
    {.name = "env",
     .type = OPTION_LIST,
     .value = "",
     .check = check_env_name,
     .secret = true,
     .repository = true,
     .help = "Names of the variables that the command gets."},
    {.name = "headers",
     .type = OPTION_STRING,
     .value = "",
     .check = check_headers,
     .secret = true,
     .repository = true,
     .help = "Headers for a url, one a line: \"Authorization: Bearer "
	     "${TOKEN}\", TOKEN being a variable's name."},
    {.name = NULL},
};

static const char *const paths[] = {"any", "worktree", NULL};
static const char *const decisions[] = {"allow", "deny", "ask", NULL};

/* Only for the user's own file: a repository must not decide what its agents
 * may do. */
static const struct option approve_keys[] = {
    {.name = "harness",
     .type = OPTION_STRING,
     .value = "",
     .help = "Only for this agent; empty: for all."},
    {.name = "tool",
     .type = OPTION_STRING,
     .value = "",
     .help = "A glob for the text before \": \" in the question; empty: any."},
    {.name = "pattern",
     .type = OPTION_STRING,
     .value = "",
     .help = "A glob for the text after it: the command."},
    {.name = "paths",
     .type = OPTION_CHOICE,
     .value = "any",
     .choices = paths,
     .help = "worktree: it allows nothing that names a path outside it."},
    {.name = "decision",
     .type = OPTION_CHOICE,
     .choices = decisions,
     .help = "allow (never more than one simple command), deny or ask."},
    {.name = NULL},
};

static const char *const keeps[] = {"none", "turn", NULL};

/* Only for the user's own file: afw connects to each. */
static const struct option host_keys[] = {
    {.name = "url",
     .type = OPTION_STRING,
     .value = "",
     .check = check_host_url,
     .help = "Its address, ssh://USER@HOST/PATH of the repository there; "
	     "without a path that of the repository here."},
    {.name = "engine",
     .type = OPTION_STRING,
     .value = "",
     .check = check_engine,
     .help = "Instead of a url: what makes the place, by its hosts/NAME.ini."},
    {.name = "image",
     .type = OPTION_STRING,
     .value = "localhost/afw-host",
     .help = "The image of containers and pods."},
    {.name = "options",
     .type = OPTION_COMMAND,
     .value = "",
     .help = "Words for the engine, such as limits."},
    {.name = "path",
     .type = OPTION_STRING,
     .value = "",
     .check = check_path,
     .help = "The repository in the place; empty: ~/afw/ and the name of the "
	     "repository here."},
    {.name = "each",
     .type = OPTION_BOOL,
     .value = "no",
     .help = "Whether the engine makes a place for each session."},
    {.name = "keep",
     .type = OPTION_CHOICE,
     .value = "none",
     .choices = keeps,
     .help = "turn: with each, fetches the session's work at each end of a "
	     "turn."},
    {.name = "up_timeout",
     .type = OPTION_DURATION,
     .value = "10m",
     .min = 1000,
     .max = INT64_C(30) * 24 * 3600 * 1000,
     .help = "The longest time until a place can be reached."},
    {.name = NULL},
};

static const char *check_key(const char *text)
{
	struct keyname key;

	return *text && keyname_parse(text, &key, NULL) < 0
		   ? "it is not the name of a key, as in [keys]"
		   : NULL;
}

/* Only for the user's own file: what a key runs must not be an agent's. */
static const struct option command_keys[] = {
    {.name = "run",
     .type = OPTION_COMMAND,
     .value = "",
     .help = "The command, with its arguments: lazygit."},
    {.name = "key",
     .type = OPTION_STRING,
     .value = "",
     .check = check_key,
     .help = "The key of the dashboard that opens it; empty: none."},
    {.name = NULL},
};

const struct section_kind section_kinds[] = {
    {.name = "service",
     .keys = service_keys,
     .needs = {"command"},
     .help = "A program that runs beside the agent, and is started before it."},
    {.name = "mcp",
     .keys = mcp_keys,
     .needs = {"command", "url"},
     .help = "An MCP server for the agent of every new session: a command or a "
	     "url."},
    {.name = "approve",
     .keys = approve_keys,
     .needs = {"decision"},
     .help = "A rule that answers an agent's approvals; the first that matches "
	     "applies, and if none matches you are asked."},
    {.name = "host",
     .keys = host_keys,
     .needs = {"url", "engine"},
     .once = true,
     .check = check_host_name,
     .help =
	 "Another machine, whose sessions are listed here as NAME:SESSION."},
    {.name = "command",
     .keys = command_keys,
     .needs = {"run"},
     .once = true,
     .help = "A command that a key of the dashboard opens in a terminal beside "
	     "the agent."},
    {.name = "template",
     .also = "profile",
     .help = "A template without files, for `afw new -p NAME` and -t NAME: any "
	     "option of a new session. [profile.NAME] is the same."},
    {.name = NULL},
};
