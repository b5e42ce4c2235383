/*
 * merge_host.c - afw merge of a session on another machine: afw there checks
 * it, then its branch is fetched, merged here, and the result pushed back.
 */
#include "commands/merge_host.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/fetch.h"
#include "commands/launch/host_git.h"
#include "commands/launch/host_ssh.h"
#include "commands/merge_run.h"

/* Has afw there check the session, and merge it in memory into the branch that
 * was just pushed. Returns the exit code, or -1 with err. */
static int check_there(const struct session *s, const struct args *args,
		       const char *url, const char *into, struct err *err)
{
	static const char *const same[] = {"squash", "rebase", "require-check"};
	_buf_ struct buf line = {0}, out = {0};
	int code;

	host_ssh_begin(&line, url);
	host_ssh_word(&line, "merge");
	host_ssh_word(&line, "--dry-run");
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (args_has(args, same[i]))
			host_ssh_option(&line, same[i], NULL);
	if (args_has(args, "json"))
		host_ssh_word(&line, "--json");
	host_ssh_option(&line, "into", into);
	host_ssh_word(&line, s->spec.id);
	code = host_ssh_ask(url, &line, &out, NULL, err);
	if (code > 0 || (code == 0 && args_has(args, "dry-run")))
		output_lines(stdout, out.data);
	return code;
}

/* The branch is here only for the merge, unless it was fetched before. */
static int merge_fetched(const struct session *s, const struct args *args,
			 const char *url, const char *into, struct err *err)
{
	bool made = false;
	_free_ char *commit = host_git_fetch(url, s->spec.branch, &made, err);
	_json_ cJSON *answer = NULL;
	int rc;

	if (!commit)
		return -1;
	answer = merge_run(s, args, into, true, err);
	rc = answer ? merge_report(s, answer, args, err) : -1;
	if (made)
		host_git_drop(s->spec.branch, commit);
	return rc;
}

static int push_result(const char *url, const char *into, struct err *err)
{
	if (host_git_push_branch(url, into, err) == 0)
		return 0;
	err_prefix(err,
		   "it is merged into %s here, but the machine there does "
		   "not know it",
		   into);
	return err_hint(err, "the same command again completes it");
}

/* Returns the branch of here that the session goes into, or NULL with err. */
static const char *into_here(const struct session *s, const struct args *args,
			     const char *url, struct err *err)
{
	const char *into = args_value(args, "into");

	if (into)
		return into;
	into = s->spec.base + strlen(GITFILE_HERE "/");
	if (host_git_knows(url, into))
		return into;
	err_set(err, ERR_FAILED,
		"it was made from %s, which this repository has not pushed",
		into);
	err_hint(err, "--into BRANCH names a branch of here");
	return NULL;
}

/* A session that was made there, from a branch there, is merged there. */
int merge_over_host(const struct args *args, const char *url, int *code,
		    struct err *err)
{
	_session_ struct session s = {0};
	_free_ char *there = NULL;
	const char *into;

	*code = fetch_look(&s, args, url, err);
	if (*code != 0)
		return *code < 0 ? -1 : 1;
	if (strncmp(s.spec.base, GITFILE_HERE "/", strlen(GITFILE_HERE "/")) !=
	    0)
		return 0;
	if (args_has(args, "rest") || args_has(args, "check"))
		return err_set(err, ERR_USAGE,
			       "merge: --%s is not for another machine",
			       args_has(args, "rest") ? "rest" : "check");
	into = into_here(&s, args, url, err);
	if (!into || host_git_push_branch(url, into, err) < 0)
		return err_prefix(err, "merge '%s'", s.spec.name);
	there = mem_printf(GITFILE_HERE "/%s", into);
	*code = check_there(&s, args, url, there, err);
	if (*code != 0 || args_has(args, "dry-run"))
		return *code < 0 ? -1 : 1;
	if (merge_fetched(&s, args, url, into, err) < 0 ||
	    push_result(url, into, err) < 0)
		return -1;
	return 1;
}
