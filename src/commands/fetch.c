/*
 * fetch.c - afw fetch: brings the branch of another machine's session here, and
 * makes a commit of a session's uncommitted changes.
 */
#include "commands/fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/launch/host_git.h"
#include "commands/launch/host_ssh.h"
#include "wire/worktree_client.h"

#define SHORT 10

static const struct command_option options[] = {
    {.name = "uncommitted",
     .letter = 'u',
     .help = "also make a commit of its uncommitted changes: "
	     "refs/afw/work/BRANCH"},
    {.name = "json", .help = "print the branch as one object"},
    {.name = NULL},
};

static int read_session(struct session *s, const char *text, size_t len,
			struct err *err)
{
	cJSON *o = json_parse_object(text, len, NULL);
	struct spec *spec = &s->spec;

	if (o && session_from_json(s, o, 0, err) == 0) {
		if (spec_check_single(spec, "fetch", err) < 0)
			return err_prefix(err, "fetch '%s'", spec->name);
		free(spec->repository);
		spec->repository = session_repository_here();
		if (spec->branch && spec->base && spec->base_commit &&
		    spec->repository)
			return 0;
	}
	return err_set(err, ERR_FAILED,
		       "the other machine's afw does not answer as this one "
		       "does: is it older?");
}

/* Sets the error that afw there has printed as an object; prints anything
 * else, such as what ssh says, and returns the code. */
static int pass_error(int code, const char *text, struct err *err)
{
	_json_ cJSON *o = json_parse_object(text, strlen(text), NULL);

	if (!json_str(o, "error")) {
		output_lines(stderr, text);
		return code;
	}
	err_set(err, (enum err_kind)code, "%s", json_str(o, "error"));
	return json_str(o, "hint") ? err_hint(err, "%s", json_str(o, "hint"))
				   : -1;
}

int fetch_look(struct session *s, const struct args *args, const char *url,
	       struct err *err)
{
	_buf_ struct buf line = {0}, out = {0}, errors = {0};
	int code;

	host_ssh_begin(&line, url);
	host_ssh_word(&line, "status");
	host_ssh_word(&line, "--json");
	if (args->n)
		host_ssh_word(&line, args->positional[0]);
	code = host_ssh_ask(url, &line, &out, &errors, err);
	if (code == 0)
		return read_session(s, out.data, out.len, err);
	return code < 0 ? -1 : pass_error(code, errors.data, err);
}

#define HERE GITFILE_HERE "/"

bool fetch_is_ours(const struct session *s)
{
	return strncmp(s->spec.base, HERE, strlen(HERE)) == 0;
}

const char *fetch_into(const struct session *s, const struct args *args,
		       const char *url, struct err *err)
{
	const char *into = args_value(args, "into");

	if (into)
		return into;
	into = s->spec.base + strlen(HERE);
	if (host_git_knows(url, into))
		return into;
	err_set(err, ERR_FAILED,
		"it was made from %s, which this repository has not pushed",
		into);
	err_hint(err, "--into BRANCH names a branch of here");
	return NULL;
}

int fetch_import(const struct session *s, const char *url, bool all,
		 struct err *err)
{
	_buf_ struct buf line = {0}, out = {0};

	host_ssh_begin(&line, url);
	host_ssh_word(&line, all ? "fetch" : "diff");
	host_ssh_option(&line, all ? "uncommitted" : "stat", NULL);
	host_ssh_word(&line, s->spec.id);
	return host_ssh_ask(url, &line, &out, NULL, err);
}

/* What was fetched; NULL: it was not. */
struct fetched {
	char *branch; /* the commit of the session's branch */
	bool made;    /* the branch is new here */
	char *work;   /* the commit with its uncommitted changes, too */
	bool changed; /* there are any */
};

static void fetched_finish(struct fetched *f)
{
	free(f->branch);
	free(f->work);
}

static void report(const struct session *s, const struct fetched *f, bool json)
{
	cJSON *o;

	if (!json && f->branch)
		output_line(stdout, "%s is at %.*s%s", s->spec.branch, SHORT,
			    f->branch, f->made ? ", a new branch here" : "");
	if (!json && f->work)
		output_line(stdout, GITFILE_WORK "%s is at %.*s: %s",
			    s->spec.branch, SHORT, f->work,
			    f->changed ? "with its uncommitted changes"
				       : "nothing is uncommitted");
	if (!json)
		return;
	o = cJSON_CreateObject();
	json_set_str(o, "id", s->spec.id);
	json_set_str(o, "name", s->spec.name);
	json_set_str(o, "branch", s->spec.branch);
	json_set_str(o, "commit", f->branch);
	json_set_bool(o, "made", f->made);
	json_set_str(o, "work", f->work);
	output_json(o);
}

static int fetch_over_host(const struct args *args, const char *url, int *code,
			   struct err *err)
{
	CLEANUP(fetched_finish) struct fetched f = {0};
	_session_ struct session s = {0};
	bool all = args_has(args, "uncommitted");

	*code = fetch_look(&s, args, url, err);
	if (*code == 0)
		*code = fetch_import(&s, url, all, err);
	if (*code != 0)
		return *code < 0 ? -1 : 1;
	f.changed = s.state.counts.uncommitted > 0;
	f.branch = host_git_fetch(url, s.spec.branch, &f.made, err);
	if (f.branch && all)
		f.work = host_git_fetch_work(url, s.spec.branch, err);
	if (!f.branch || (all && !f.work))
		return err_prefix(err, "fetch '%s'", s.spec.name);
	if (all)
		f.changed = strcmp(f.work, f.branch) != 0;
	if (f.changed && !all)
		output_warn("%s: its uncommitted changes stay there; "
			    "--uncommitted fetches them, too",
			    s.spec.name);
	report(&s, &f, args_has(args, "json"));
	return 1;
}

/* -- on this machine ------------------------------------------------------- */

static int store_work(struct session *s, const struct args *args,
		      struct err *err)
{
	struct snapshot_request rq = {.place = spec_place(&s->spec)};
	_json_ cJSON *answer = NULL;
	CLEANUP(fetched_finish) struct fetched f = {0};

	if (spec_check_single(&s->spec, "fetch", err) < 0 ||
	    spec_check_own(&s->spec, err) < 0)
		return err_prefix(err, "fetch '%s'", s->spec.name);
	answer = worktree_client_run(snapshot_request(&rq), NULL, NULL, 0, err);
	if (!answer)
		return err_prefix(err, "fetch '%s'", s->spec.name);
	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	f.work = mem_strdup(json_str(answer, "commit"));
	f.changed = json_bool(answer, "uncommitted", false);
	report(s, &f, args_has(args, "json"));
	return 0;
}

static int cmd_fetch(const struct args *args, struct err *err)
{
	if (args_has(args, "uncommitted"))
		return targets_each(args, store_work, err);
	err_set(err, ERR_USAGE, "fetch: %s on this machine",
		args->n ? "the branch of a session is here already if it runs"
			: "there is nothing to fetch");
	return err_hint(err, "name the machine before the command, in a "
			     "repository: afw -H URL fetch");
}

const struct command command_fetch = {
    .name = "fetch",
    .usage = "[NAME]",
    .summary = "bring the branch of another machine's session here",
    .completes = "session",
    .max_args = 1,
    .options = options,
    .run = cmd_fetch,
    .over_host = fetch_over_host,
};
