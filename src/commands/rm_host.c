/* rm_host.c - brings the work of a session here before its place is given back.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/spawn.h"
#include "commands/cli/ask.h"
#include "commands/command.h"
#include "commands/fetch.h"
#include "commands/launch/host_after.h"
#include "commands/launch/host_ssh.h"
#include "commands/rm.h"
#include "wire/program.h"

#define PRINT_MAX ((size_t)4096)
#define FETCH_MS  ((int64_t)600 * 1000)

static int run(const char *const *argv, struct buf *out, struct buf *errors)
{
	const struct spawn sp = {.argv = (char *const *)(size_t)argv,
				 .fd = {-1, -1, -1}};
	struct err err = {0};
	int status;

	if (spawn_run(&sp, NULL, out, errors, PRINT_MAX, FETCH_MS, &status,
		      &err) < 0) {
		buf_adds(errors, err.what);
		return -1;
	}
	buf_adds(out, "");
	buf_adds(errors, "");
	return status == 0 ? 0 : -1;
}

/* As `rm` does with a branch, unless --branch never; git decides what is
 * merged. */
static void drop_merged(const char *branch, const char *commit,
			const char *work)
{
	const char *const drop[] = {"git", "branch", "-q", "-d",
				    "--",  branch,   NULL};
	_free_ char *ref = mem_printf(GITFILE_WORK "%s", branch);
	const char *const same[] = {"git", "update-ref", "-d", "--",
				    ref,   work,	 NULL};
	_buf_ struct buf out = {0}, errors = {0};

	if (strcmp(work, commit) == 0)
		run(same, &out, &errors);
	run(drop, &out, &errors);
}

/* The counts of the other machine may be a moment old: everything is
 * fetched. */
static int fetch(const struct session *s, const char *url, bool keep,
		 struct err *err)
{
	_free_ char *afw = program_afw();
	const char *const argv[] = {
	    afw,      "-H",	  url, "fetch", "--uncommitted",
	    "--json", s->spec.id, NULL};
	_buf_ struct buf out = {0}, errors = {0};
	_json_ cJSON *o = NULL;

	if (run(argv, &out, &errors) == 0)
		o = json_parse_object(out.data, out.len, NULL);
	if (!json_str(o, "commit") || !json_str(o, "work")) {
		err_set(err, ERR_FAILED,
			"rm '%s': nothing is removed, as its work cannot come "
			"here before its place is given back: %s",
			s->spec.name, errors.data);
		return err_hint(err, "--branch always discards its work");
	}
	if (!keep)
		drop_merged(s->spec.branch, json_str(o, "commit"),
			    json_str(o, "work"));
	return 0;
}

/* Its agent must not work on what was fetched already. Returns afw's code
 * there, or -1. */
static int stop_first(const struct session *s, const struct args *args,
		      const char *url, struct err *err)
{
	_buf_ struct buf line = {0}, out = {0};
	_free_ char *question =
	    mem_printf("%s is %s. Stop it, fetch its work and remove it?",
		       s->spec.name, session_status_word(s));

	if (!s->alive)
		return 0;
	if (!args_has(args, "stop") && !activity_is_idle(s->state.activity)) {
		if (!ask_possible()) {
			err_set(err, ERR_CONFLICT, "remove '%s': it is %s",
				s->spec.name, session_status_word(s));
			return err_hint(err, "--stop stops and removes it");
		}
		if (!ask_yes(question))
			return err_set(err, ERR_FAILED,
				       "remove '%s': not confirmed",
				       s->spec.name);
	}
	host_ssh_begin(&line, url);
	host_ssh_word(&line, "stop");
	host_ssh_word(&line, s->spec.id);
	return host_ssh_ask(url, &line, &out, NULL, err);
}

int rm_over_host(const struct args *args, const char *url, int *code,
		 struct err *err)
{
	const char *branch = args_value(args, "branch");
	_session_ struct session s = {0};

	if (!host_is_of_session(url))
		return 0;
	if (args->n != 1)
		return err_set(err, ERR_USAGE,
			       "rm: its place may be given back: name one "
			       "session");
	if (args_has(args, "delete-branch") ||
	    (branch && strcmp(branch, "always") == 0))
		return 0;
	*code = fetch_look(&s, args, url, err);
	if (*code == 0)
		*code = stop_first(&s, args, url, err);
	if (*code != 0)
		return *code < 0 ? -1 : 1;
	return fetch(&s, url,
		     args_has(args, "keep-branch") ||
			 (branch && strcmp(branch, "never") == 0),
		     err);
}
