/*
 * trust.c - afw trust: shows what a repository has in its .af/ and, if the user
 * confirms, stores it as trusted. The files are read once, so that what was
 * shown is what is stored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/hash.h"
#include "commands/cli/ask.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "commands/trust.h"
#include "commands/trust_show.h"
#include "config/trust_store.h"
#include "session/disk/dirs.h"
#include "session/live/processes.h"

static const struct command_option command_options[] = {
    {.name = "yes", .letter = 'y', .help = "do not ask"},
    {.name = "remove", .help = "trust the repository no longer"},
    {.name = "list", .letter = 'l', .help = "list what is trusted"},
    {.name = "json", .help = "print it as one object, with --list as an array"},
    {.name = NULL},
};

/* Asks on the terminal, whatever standard output is. */
static bool confirm_trust(const char *repository, const struct filetree *files,
			  const struct trust *before)
{
	_free_ char *question = NULL;

	fputs("If you trust this repository, Claude Code, Codex and Gemini "
	      "CLI do not ask whether to trust its\nworktrees: they load the "
	      "settings, hooks and MCP servers that are committed there.\n",
	      stderr);
	if (files->n) {
		trust_show(repository, files, before);
		question = mem_printf("Trust this configuration, and agents "
				      "to work in %s?",
				      repository);
	} else {
		question = mem_printf("It has no configuration of its own. "
				      "Trust agents to work in %s?",
				      repository);
	}
	return ask_yes(question);
}

static void add_files(cJSON *o, const struct filetree *files)
{
	cJSON *all = json_set_array(o, "files");

	for (size_t i = 0; i < files->n; i++) {
		const struct filetree_file *f = &files->v[i];
		char hash[SHA256_HEX_SIZE];
		cJSON *file = cJSON_CreateObject();

		sha256_hex(f->text.data, f->text.len, hash);
		json_set_str(file, "name", f->name);
		json_set_str(file, "sha256", hash);
		cJSON_AddItemToArray(all, file);
	}
}

static void print_trust(const char *repository, bool trusted,
			const struct filetree *files, bool json)
{
	size_t n = files ? files->n : 0;
	cJSON *o;

	if (json) {
		o = cJSON_CreateObject();
		json_set_str(o, "repository", repository);
		json_set_bool(o, "trusted", trusted);
		json_set_bool(o, "config", n > 0);
		if (files)
			add_files(o, files);
		output_json(o);
		return;
	}
	if (trusted && n)
		output_line(stdout, "%s: trusted, with its .af/ (%zu file%s)",
			    repository, n, n == 1 ? "" : "s");
	else
		output_line(stdout, "%s: %strusted", repository,
			    trusted ? "" : "not ");
}

/* Shows the files and asks; returns 0 if the user agrees, -1 with err
 * otherwise. */
static int show_and_confirm(const char *data_dir, const char *repository,
			    const struct filetree *files, struct err *err)
{
	struct trust before = {0};
	bool yes;

	if (!ask_possible()) {
		err_set(err, ERR_REFUSED,
			"trust %s: there is no terminal to ask on", repository);
		return files->n ? err_hint(err,
					   "read what is in %s/.af, then "
					   "`afw trust --yes`",
					   repository)
				: err_hint(err, "`afw trust --yes`");
	}
	trust_load(data_dir, repository, &before);
	yes = confirm_trust(repository, files, &before);
	trust_finish(&before);
	return yes ? 0
		   : err_set(err, ERR_FAILED, "trust %s: not confirmed",
			     repository);
}

/* args: those of afw trust; NULL: none. */
static int trust_files(const char *data_dir, const char *repository,
		       const struct args *args, struct err *err)
{
	struct filetree files;
	int rc = -1;

	if (process_check_user(process_supervisor(getpid()), err) < 0)
		return err_prefix(err, "trust %s", repository);
	if (trust_read(repository, &files, err) == 0 &&
	    settings_check_repository(repository, &files, err) == 0 &&
	    ((args && args_has(args, "yes")) ||
	     show_and_confirm(data_dir, repository, &files, err) == 0))
		rc = trust_grant(data_dir, repository, &files, err);
	if (rc == 0)
		print_trust(repository, true, &files,
			    args && args_has(args, "json"));
	filetree_finish(&files);
	return rc;
}

int trust_confirm(const char *repository, struct err *err)
{
	char *data_dir = dirs_data(err);
	int rc = data_dir ? trust_files(data_dir, repository, NULL, err) : -1;

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

		trust_load(data_dir, all.v[i], &t);
		json_set_str(o, "repository", all.v[i]);
		json_set_bool(o, "trusted", t.repository);
		json_set_bool(o, "config", t.files && t.files->child);
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

static int cmd_trust(const struct args *args, struct err *err)
{
	const char *path = args->n > 0 ? args->positional[0] : NULL;
	bool json = args_has(args, "json"), was;
	_free_ char *data_dir = dirs_data(err), *repository = NULL;

	if (!data_dir)
		return -1;
	if (args_has(args, "list"))
		return list(data_dir, json, err);
	repository = path ? session_checkout_of(path) : session_checkout_here();
	if (!repository)
		return err_set(err, ERR_FAILED,
			       "trust %.200s: not in a git repository",
			       path ? path : ".");
	if (!args_has(args, "remove"))
		return trust_files(data_dir, repository, args, err);
	if (trust_revoke(data_dir, repository, &was, err) < 0)
		return -1;
	print_trust(repository, false, NULL, json);
	return 0;
}

const struct command command_trust = {
    .name = "trust",
    .usage = "[DIRECTORY]",
    .summary = "trust a repository and what is in its .af/",
    .completes = "file",
    .max_args = 1,
    .options = command_options,
    .here = true,
    .run = cmd_trust,
};
