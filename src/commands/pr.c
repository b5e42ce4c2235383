/*
 * pr.c - afw pr: pushes a session's branch and opens a pull request for it,
 * with the user's own git and command (pr_command). They run in the main
 * worktree, with the user's configuration, and never in a tree that an agent
 * wrote.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "commands/pr_run.h"
#include "session/disk/pull_request.h"
#include "session/session.h"
#include "wire/worktree_client.h"

#define TITLE_MAX 200

static const struct command_option pr_options[] = {
    {.name = "base",
     .letter = 'b',
     .arg = "BRANCH",
     .help = "the branch to merge into; default: its base branch"},
    {.name = "title",
     .letter = 't',
     .arg = "TEXT",
     .help = "the title; default: the first line of the last commit"},
    {.name = "new",
     .letter = 'n',
     .help = "make another one, even if there is one"},
    {.name = "state",
     .letter = 's',
     .help = "only print whether its pull request is still open"},
    {.name = "json", .help = "print the result as one object"},
    {.name = NULL},
};

/* Commits made in a sandbox are also imported by this check. */
static int check_committed(const struct session *s, struct err *err)
{
	struct commit_request rq = {.place = spec_place(&s->spec),
				    .to_push = true};
	cJSON *answer =
	    worktree_client_run(commit_request(&rq), NULL, NULL, 0, err);
	int64_t n;

	if (!answer)
		return -1;
	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	n = json_int(answer, "files_committed", 0);
	cJSON_Delete(answer);
	if (n == 0)
		return 0;
	err_set(err, ERR_CONFLICT, "%lld file%s not committed", (long long)n,
		n == 1 ? " is" : "s are");
	return err_hint(err, "`afw commit %s` commits what there is",
			s->spec.name);
}

/* Uses the first line of the last commit, unless a program could take it for an
 * option. */
static int find_title(struct pr *pr, const char *given, struct err *err)
{
	char *ref = mem_printf("refs/heads/%s", pr->s->spec.branch);
	const char *const args[] = {"log", "-1", "--format=%s",
				    ref,   "--", NULL};
	struct buf out = {0};
	char title[TITLE_MAX];
	int rc = given ? 0 : pr_git(pr, &out, err, args);

	if (rc == 0) {
		if (given)
			buf_adds(&out, given);
		utf8_last_line(title, sizeof title, out.data, out.len);
		pr->title = mem_strdup(title + strspn(title, "- "));
	}
	buf_finish(&out);
	free(ref);
	return rc;
}

/* Sets the base: "main" of origin/main. */
static int find_base(struct pr *pr, const char *given, struct err *err)
{
	const struct spec *sp = &pr->s->spec;
	const char *base = given ? given : sp->base ? sp->base : "";
	size_t len = strlen(pr->remote);

	if (strncmp(base, pr->remote, len) == 0 && base[len] == '/')
		base += len + 1;
	if (!*base || *base == '-' ||
	    (sp->base_commit && strcmp(base, sp->base_commit) == 0)) {
		err_set(err, ERR_USAGE, "it was made from no branch");
		return err_hint(err, "--base BRANCH says what it is to be "
				     "merged into");
	}
	pr->base = mem_strdup(base);
	return 0;
}

/* Saves before the run that a pull request is about to be made, and after it
 * its URL. */
static int open_request(struct pr *pr, const struct strv *command,
			struct buf *out, struct err *err)
{
	const struct pr_filling with[] = {{"{branch}", pr->s->spec.branch},
					  {"{base}", pr->base},
					  {"{title}", pr->title},
					  {NULL, NULL}};
	_free_ char *old = pr_load(pr->s->dir);

	if (pr_save(pr->s->dir, old, true, err) < 0)
		return -1;
	if (pr_run_command(pr, command, with, out, err) < 0) {
		if (err->kind != ERR_TIMEOUT)
			pr_save(pr->s->dir, old, false, NULL);
		return pr_hint_pushed(pr->s->spec.branch, err);
	}
	pr->url = out->len ? pr_find(out->data) : NULL;
	return pr_save(pr->s->dir, pr->url ? pr->url : old, false, err);
}

/* The last run was killed, and may have made one: looks for it. */
static int find_request(struct pr *pr, const struct config *c, struct err *err)
{
	const struct strv *command = config_list(c, OPTION_PR_FIND_COMMAND);
	const struct pr_filling with[] = {{"{branch}", pr->s->spec.branch},
					  {"{base}", pr->base},
					  {NULL, NULL}};
	_buf_ struct buf said = {0};
	char *found;

	if (!command->n) {
		err_set(err, ERR_CONFLICT, "pr_find_command is empty");
	} else if (pr_run_command(pr, command, with, &said, err) == 0) {
		found = said.len ? pr_find(said.data) : NULL;
		if (found) {
			free(pr->url);
			pr->url = found;
		}
		return pr_save(pr->s->dir, pr->url, false, err);
	}
	err_prefix(err,
		   "the last run was killed, and may have made a pull request");
	return err_hint(err, "look for it; `afw pr --new %s` makes another",
			pr->s->spec.name);
}

/* Prints its state, as pr_state_command reports it. */
static int print_state(struct pr *pr, const struct config *c, bool json,
		       struct err *err)
{
	const struct strv *command = config_list(c, OPTION_PR_STATE_COMMAND);
	struct pr_filling with[] = {{"{url}", NULL}, {NULL, NULL}};
	struct buf said = {0};
	char state[100] = "";
	cJSON *o;

	pr->url = pr_load(pr->s->dir);
	if (!pr->url) {
		err_set(err, ERR_FAILED, "it has no pull request");
		return err_hint(err, "`afw pr %s` makes one", pr->s->spec.name);
	}
	with[0].with = pr->url;
	if (command->n > 0 &&
	    pr_run_command(pr, command, with, &said, err) < 0) {
		buf_finish(&said);
		return err_hint(err, "pr_state_command in afw.ini(5) is what "
				     "was run");
	}
	utf8_last_line(state, sizeof state, said.data ? said.data : "",
		       said.len);
	buf_finish(&said);
	if (json) {
		o = cJSON_CreateObject();
		json_set_str(o, "id", pr->s->spec.id);
		json_set_str(o, "name", pr->s->spec.name);
		json_set_str(o, "pr", pr->url);
		json_set_str(o, "state", *state ? state : NULL);
		output_json(o);
	} else {
		output_line(stdout, "%s%s%s", state, *state ? " " : "",
			    pr->url);
	}
	return 0;
}

static void report(const struct pr *pr, const struct buf *said, bool json)
{
	cJSON *o;

	if (json) {
		o = cJSON_CreateObject();
		json_set_str(o, "id", pr->s->spec.id);
		json_set_str(o, "name", pr->s->spec.name);
		json_set_str(o, "branch", pr->s->spec.branch);
		json_set_str(o, "base", pr->base);
		json_set_str(o, "title", pr->title);
		json_set_text(o, "pr", pr->url);
		output_json(o);
		return;
	}
	output_line(stdout, "%s: pushed to %s", pr->s->spec.branch, pr->remote);
	/* It may contain a title that an agent wrote. */
	output_lines(stdout, said->len ? said->data : pr->url);
}

static int push_and_open(struct pr *pr, const struct config *c,
			 const struct args *args, struct err *err)
{
	const struct strv *command = config_list(c, OPTION_PR_COMMAND);
	bool another = args_has(args, "new");
	_free_ char *ref = mem_printf("refs/heads/%s", pr->s->spec.branch);
	_buf_ struct buf said = {0};

	if (!another)
		pr->url = pr_load(pr->s->dir);
	if (find_base(pr, args_value(args, "base"), err) < 0 ||
	    check_committed(pr->s, err) < 0 || pr_check_remote(pr, err) < 0 ||
	    find_title(pr, args_value(args, "title"), err) < 0 ||
	    pr_push(pr, ref, pr->s->spec.branch, err) < 0 ||
	    (!another && pr_is_asking(pr->s->dir) &&
	     find_request(pr, c, err) < 0) ||
	    (!pr->url && command->n &&
	     open_request(pr, command, &said, err) < 0))
		return -1;
	report(pr, &said, args_has(args, "json"));
	return 0;
}

static int cmd_pr(struct session *s, const struct args *args, struct err *err)
{
	struct config *c = NULL;
	struct pr p = {.s = s};
	int rc;

	if (!args_has(args, "state")) {
		if (spec_check_single(&s->spec, "pr", err) < 0)
			return err_prefix(err, "pr '%s'", s->spec.name);
		if (targets_check_own(s, "pr", err) < 0)
			return -1;
	}
	rc = settings_load(&c, spec_checkout(&s->spec), err);
	if (rc == 0) {
		p.remote = config_str(c, OPTION_REMOTE);
		pr_set_env(&p.env);
		rc = args_has(args, "state")
			 ? print_state(&p, c, args_has(args, "json"), err)
			 : push_and_open(&p, c, args, err);
	}
	if (rc < 0)
		err_prefix(err, "pr '%s'", s->spec.name);
	free(p.base);
	free(p.title);
	free(p.url);
	strv_finish(&p.env);
	config_destroy(c);
	return rc;
}

const struct command command_pr = {
    .name = "pr",
    .strict = true,
    .usage = "[NAME]",
    .summary = "push its branch and ask for it to be merged",
    .max_args = 1,
    .options = pr_options,
    .each = cmd_pr,
};
