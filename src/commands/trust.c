/*
 * trust.c - afw trust: shows a repository's .af/afw.ini and, once the user
 * has said yes, keeps it as trusted. What was shown is what is kept: the file
 * is read once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/settings.h"
#include "commands/trust.h"
#include "config/inifile.h"
#include "config/trusted.h"
#include "session/dirs.h"
#include "session/within.h"

static const struct command_option command_options[] = {
    {.name = "yes", .letter = 'y', .help = "do not ask"},
    {.name = "remove", .help = "trust the repository no longer"},
    {.name = "list", .letter = 'l', .help = "list what is trusted"},
    {.name = "json", .help = "say it as one object, or with --list as a list"},
    {.name = NULL},
};

/* Each line safe for a terminal; of empty ones that follow each other one. */
static void show(const char *text)
{
	bool was_empty = false, empty;

	for (const char *s = text; *s;) {
		int len = (int)strcspn(s, "\n");

		empty = (int)strspn(s, " \t\r") >= len;
		if (!empty)
			output_line(stderr, "    %.*s", len, s);
		else if (!was_empty)
			fputc('\n', stderr);
		was_empty = empty;
		s += len + (s[len] == '\n');
	}
}

/* What runs something, with its blanks collapsed: a line of text. */
static int add_command(void *ctx, const struct inifile_entry *e,
		       struct err *err)
{
	static const char *const keys[] = {"setup", "command", "resume",
					   "mcp_file", NULL};
	struct buf *out = ctx;
	bool runs = false;

	for (size_t i = 0; keys[i]; i++)
		runs |= strcmp(e->key, keys[i]) == 0;
	if (!runs || !e->value[0])
		return 0;
	if (e->section[0])
		buf_addf(out, "[%s] ", e->section);
	buf_addf(out, "%s =", e->key);
	for (const char *s = e->value; *s;) {
		size_t len = strcspn(s, " \t\n");

		buf_addc(out, ' ');
		buf_add(out, s, len);
		s += len;
		s += strspn(s, " \t\n");
	}
	buf_addc(out, '\n');
	return 0;
}

/* Last, where nothing can push it off the screen. */
static void show_commands(const struct buf *text)
{
	struct buf list = {0};

	inifile_parse("", text->data, text->len, add_command, &list, NULL);
	if (list.len) {
		fputs("It names what runs here as you, on the files of "
		      "whatever branch a session begins with,\nwhoever wrote "
		      "them:\n",
		      stderr);
		show(list.data);
	}
	buf_finish(&list);
}

/* On the terminal, whatever standard output is. */
static bool ask(const char *repository, const struct buf *text, bool found)
{
	struct buf line = {0};
	char answer[16];
	bool yes;

	output_text(&line, repository, -1);
	fputs("Trust lets Claude Code, Codex and Gemini CLI skip their own "
	      "question whether they may trust\nits worktrees: they then load "
	      "settings, hooks and MCP servers that are committed there.\n",
	      stderr);
	if (found && text->len > 0) {
		fprintf(stderr, "%s/.af/afw.ini:\n", line.data);
		show(text->data);
		show_commands(text);
		fprintf(stderr,
			"Trust this configuration, and agents to work "
			"in %s? [y/N] ",
			line.data);
	} else {
		fprintf(stderr,
			"It has no configuration of its own. Trust "
			"agents to work in %s? [y/N] ",
			line.data);
	}
	fflush(stderr);
	buf_finish(&line);
	yes = fgets(answer, sizeof answer, stdin) &&
	      (answer[0] == 'y' || answer[0] == 'Y');
	return yes;
}

static void say(const char *repository, bool trusted, bool config, bool json)
{
	cJSON *o;

	if (json) {
		o = cJSON_CreateObject();
		json_set_str(o, "repository", repository);
		json_set_bool(o, "trusted", trusted);
		json_set_bool(o, "config", config);
		output_json(o);
		return;
	}
	output_line(stdout, "%s: %s", repository,
		    !trusted ? "not trusted"
		    : config ? "trusted, with its .af/afw.ini"
			     : "trusted");
}

/* args: those of afw trust; NULL: none. */
static int grant(const char *data_dir, const char *repository,
		 const struct args *args, struct err *err)
{
	bool json = args && args_has(args, "json");
	char *path = config_repository_file(repository);
	struct buf text = {0};
	bool found;
	int rc = -1;

	if (within_supervisor(getpid()) != 0) {
		err_set(err, ERR_REFUSED,
			"trust %s: what runs in a session may not do that",
			repository);
		err_hint(err, "do it in a terminal of your own");
		goto out;
	}
	if (inifile_read(path, INIFILE_ANY, &text, &found, err) < 0)
		goto out;
	if (found &&
	    settings_check_repository(repository, text.data, text.len, err) < 0)
		goto out;
	if (!args || !args_has(args, "yes")) {
		if (!isatty(STDIN_FILENO)) {
			err_set(err, ERR_REFUSED,
				"trust %s: nobody can be asked", repository);
			if (found)
				err_hint(err, "read %s, then `afw trust --yes`",
					 path);
			else
				err_hint(err, "`afw trust --yes`");
			goto out;
		}
		if (!ask(repository, &text, found)) {
			err_set(err, ERR_FAILED, "trust %s: not confirmed",
				repository);
			goto out;
		}
	}
	rc = trust_grant(data_dir, repository, found ? text.data : NULL,
			 text.len, err);
	if (rc == 0)
		say(repository, true, found, json);
out:
	buf_finish(&text);
	free(path);
	return rc;
}

int trust_ask(const char *repository, struct err *err)
{
	char *data_dir = dirs_data(err);
	int rc = data_dir ? grant(data_dir, repository, NULL, err) : -1;

	free(data_dir);
	return rc;
}

static int list(const char *data_dir, bool json, struct err *err)
{
	struct strv all = {0};
	cJSON *array;

	if (trust_list(data_dir, &all, err) < 0)
		return -1;
	array = cJSON_CreateArray();
	for (size_t i = 0; i < all.n; i++) {
		struct trust t = {0};
		cJSON *o = cJSON_CreateObject();

		trust_load(data_dir, all.v[i], &t, NULL);
		json_set_str(o, "repository", all.v[i]);
		json_set_bool(o, "trusted", t.repository);
		json_set_bool(o, "config", t.content != NULL);
		json_set_str(o, "granted_at", t.granted_at);
		trust_finish(&t);
		cJSON_AddItemToArray(array, o);
		if (!json)
			output_line(stdout, "%s", all.v[i]);
	}
	if (json)
		output_json(array);
	else
		cJSON_Delete(array);
	strv_finish(&all);
	return 0;
}

static int run(const struct args *args, struct err *err)
{
	const char *path = args->n > 0 ? args->positional[0] : NULL;
	bool json = args_has(args, "json"), was;
	char *data_dir = dirs_data(err), *repository = NULL;
	int rc = -1;

	if (!data_dir)
		return -1;
	if (args_has(args, "list")) {
		rc = list(data_dir, json, err);
		goto out;
	}
	repository =
	    path ? session_repository_of(path) : session_repository_here();
	if (!repository)
		err_set(err, ERR_FAILED,
			"trust %.200s: not in a git "
			"repository",
			path ? path : ".");
	else if (args_has(args, "remove"))
		rc = trust_revoke(data_dir, repository, &was, err);
	else
		rc = grant(data_dir, repository, args, err);
	if (rc == 0 && args_has(args, "remove"))
		say(repository, false, false, json);
out:
	free(repository);
	free(data_dir);
	return rc;
}

const struct command command_trust = {
    .name = "trust",
    .usage = "[DIRECTORY]",
    .summary = "trust a repository and its .af/afw.ini",
    .completes = "file",
    .max_args = 1,
    .options = command_options,
    .here = true,
    .run = run,
};
