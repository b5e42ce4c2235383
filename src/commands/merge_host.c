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
#include "commands/merge_rest.h"
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
	answer = merge_run(s, args, into, true, args_has(args, "dry-run"), err);
	rc = answer ? merge_report(s, answer, true, args, err) : -1;
	if (made)
		host_git_drop(url, s->spec.branch, commit);
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

/* -- the others of its group ----------------------------------------------- */

static int read_list(struct session_list *l, const struct session *s,
		     const struct buf *text, struct err *err)
{
	_json_ cJSON *all = cJSON_ParseWithLength(text->data, text->len);
	cJSON *o;

	while ((o = cJSON_DetachItemFromArray(all, 0))) {
		l->v = mem_grow(l->v, l->n, sizeof *l->v);
		if (session_from_json(&l->v[l->n], o, 0, err) < 0)
			return -1;
		mem_set(&l->v[l->n++].spec.repository, s->spec.repository);
	}
	return 0;
}

/* Finds them as merge_rest_find() does. Returns afw's code there, or -1. */
static int find_rest(struct session_list *l, const struct session *s,
		     const struct args *args, const char *url, struct err *err)
{
	_buf_ struct buf line = {0}, out = {0};
	int code;

	if (!args_has(args, "rest"))
		return 0;
	if (merge_rest_check(s, args, err) < 0)
		return -1;
	host_ssh_begin(&line, url);
	host_ssh_word(&line, "ls");
	host_ssh_word(&line, "--here");
	host_ssh_word(&line, "--json");
	host_ssh_option(&line, "group", s->groups.v[0]);
	code = host_ssh_ask(url, &line, &out, NULL, err);
	if (code == 0)
		code = read_list(l, s, &out, err);
	if (code == 0)
		merge_rest_keep(l, s);
	return code;
}

/* Has afw there remove them as merge_rest_remove() does. */
static int remove_rest(const struct session_list *l, const struct args *args,
		       const char *url, struct err *err)
{
	_buf_ struct buf line = {0}, out = {0};
	int code;

	if (l->n == 0)
		return 0;
	if (merge_rest_confirm(l, args, err) < 0)
		return -1;
	host_ssh_begin(&line, url);
	host_ssh_word(&line, "rm");
	host_ssh_word(&line, "--stop");
	host_ssh_word(&line, "--trash");
	if (args_has(args, "json"))
		host_ssh_word(&line, "--json");
	for (size_t i = 0; i < l->n; i++)
		host_ssh_word(&line, l->v[i].spec.id);
	code = host_ssh_ask(url, &line, &out, NULL, err);
	if (code >= 0)
		output_lines(stdout, out.data);
	return code;
}

/* A session that was made there, from a branch there, is merged there. */
int merge_over_host(const struct args *args, const char *url, int *code,
		    struct err *err)
{
	_session_list_ struct session_list rest = {0};
	_session_ struct session s = {0};
	_free_ char *there = NULL;
	const char *into;

	*code = fetch_look(&s, args, url, err);
	if (*code != 0)
		return *code < 0 ? -1 : 1;
	if (!fetch_is_ours(&s))
		return 0;
	if (args_has(args, "check"))
		return err_set(err, ERR_USAGE,
			       "merge: --check is not for another machine");
	*code = find_rest(&rest, &s, args, url, err);
	if (*code != 0)
		return *code < 0 ? -1 : 1;
	into = fetch_into(&s, args, url, err);
	if (!into || host_git_push_branch(url, into, err) < 0)
		return err_prefix(err, "merge '%s'", s.spec.name);
	there = mem_printf(GITFILE_HERE "/%s", into);
	*code = check_there(&s, args, url, there, err);
	if (*code != 0 || args_has(args, "dry-run"))
		return *code < 0 ? -1 : 1;
	if (merge_fetched(&s, args, url, into, err) < 0 ||
	    push_result(url, into, err) < 0)
		return -1;
	*code = remove_rest(&rest, args, url, err);
	return *code < 0 ? -1 : 1;
}
