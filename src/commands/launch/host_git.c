/*
 * host_git.c - passes commits between this repository and a repository on
 * another machine.
 *
 * The reference refs/afw/hosts/HASH/BRANCH here is the commit that we pushed
 * last. So a branch that was amended or rebased here can replace that commit
 * there, and no other. refs/afw/fetched/HASH/BRANCH is a branch that came from
 * there: only such a branch is moved by a later fetch.
 */
#include "commands/launch/host_git.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "base/hash.h"
#include "base/spawn.h"
#include "commands/cli/output.h"
#include "commands/launch/host_ssh.h"

#define ASK_MS	    10000
#define PRINT_MAX   ((size_t)64 * 1024)
#define DEADLINE_MS ((int64_t)3600 * 1000)
#define HEADS	    "refs/heads/"
#define PUSHED	    "refs/afw/hosts/"
#define FETCHED	    GITFILE_FETCHED

/* Returns the commit that name names here, or NULL. */
static char *find_commit(const char *name)
{
	_free_ char *what = mem_printf("%s^{commit}", name);
	const char *const argv[] = {"git",     "rev-parse",	   "--verify",
				    "--quiet", "--end-of-options", what,
				    NULL};

	return host_ssh_first_line(argv);
}

/* Returns the branch that name names here, or NULL. */
static char *find_branch(const char *name)
{
	const char *const argv[] = {"git",
				    "rev-parse",
				    "--verify",
				    "--quiet",
				    "--symbolic-full-name",
				    "--end-of-options",
				    name,
				    NULL};
	_free_ char *ref = host_ssh_first_line(argv);

	return ref && strncmp(ref, HEADS, strlen(HEADS)) == 0
		   ? mem_strdup(ref + strlen(HEADS))
		   : NULL;
}

static bool succeeds(const char *const *argv)
{
	const struct spawn sp = {.argv = (char *const *)(size_t)argv,
				 .fd = {-1, -1, -1}};
	int status;

	return spawn_run(&sp, NULL, NULL, NULL, 0, ASK_MS, &status, NULL) ==
		   0 &&
	       status == 0;
}

static bool is_ancestor(const char *old, const char *new)
{
	const char *const argv[] = {"git", "merge-base", "--is-ancestor",
				    old,   new,		 NULL};

	return succeeds(argv);
}

/* Runs git with the user's terminal, where ssh may ask for a passphrase, and
 * appends what it reports to said. Returns git's exit code, or -1. */
static int run(const char *url, const struct strv *argv, struct buf *said,
	       struct err *err)
{
	_free_ char *ssh = host_ssh_git(url);
	_strv_ struct strv env = {0};
	struct spawn sp = {
	    .argv = argv->v, .fd = {-1, -1, -1}, .same_session = true};
	int status;

	for (char **e = environ; ssh && *e; e++)
		strv_add(&env, *e);
	if (ssh) {
		strv_add(&env, ssh);
		sp.envp = env.v;
	}
	if (spawn_run(&sp, NULL, NULL, said, PRINT_MAX, DEADLINE_MS, &status,
		      err) < 0)
		return -1;
	buf_adds(said, "");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The hint is given only if that is what git reports. what: "push to". */
static int err_git(const char *what, const char *url, const struct buf *said,
		   struct err *err)
{
	output_lines(stderr, said->data);
	err_set(err, ERR_FAILED, "git could not %s %s", what, url);
	if (strstr(said->data, "not appear to be a git repository"))
		err_hint(err, "the repository has to be there: clone it on "
			      "that machine");
	return -1;
}

/* Pushes the commit to ref; lease: NULL, or the only commit that may be lost
 * there. */
static int push(const char *url, const char *commit, const char *ref,
		const char *lease, struct buf *said, struct err *err)
{
	_strv_ struct strv argv = {0};

	strv_add(&argv, "git");
	strv_add(&argv, "-c");
	strv_add(&argv, "advice.pushUpdateRejected=false");
	strv_add(&argv, "push");
	strv_add(&argv, "--quiet");
	if (lease)
		strv_addf(&argv, "--force-with-lease=%s:%s", ref, lease);
	strv_add(&argv, "--");
	strv_add(&argv, url);
	strv_addf(&argv, "%s:%s", commit, ref);
	return run(url, &argv, said, err);
}

/* kind: PUSHED or FETCHED. */
static char *record_ref(const char *kind, const char *url, const char *branch)
{
	return mem_printf(
	    "%s%016llx/%s", kind,
	    (unsigned long long)hash_add(HASH_NONE, url, strlen(url)), branch);
}

/* Records what this repository pushed; without it, only fast-forwards are
 * possible. */
static void record(const char *ref, const char *commit)
{
	const char *const argv[] = {"git", "update-ref", "--",
				    ref,   commit,	 NULL};

	free(host_ssh_first_line(argv));
}

static int push_commit(const char *url, const char *branch, const char *commit,
		       struct err *err)
{
	_free_ char *there =
	    mem_printf("refs/remotes/" GITFILE_HERE "/%s", branch);
	_free_ char *ours = record_ref(PUSHED, url, branch);
	_free_ char *last = find_commit(ours);
	_buf_ struct buf said = {0};
	bool amended = last && !is_ancestor(last, commit);
	int rc = push(url, commit, there, amended ? last : NULL, &said, err);

	if (rc == 0)
		record(ours, commit);
	if (rc <= 0)
		return rc;
	if (!strstr(said.data, "[rejected]"))
		return err_git("push to", url, &said, err);
	err_set(err, ERR_CONFLICT,
		"%s there has commits that %s here lacks; they were pushed "
		"from elsewhere, and stay",
		there, branch);
	return err_hint(err,
			"`git fetch %s %s` brings them here, to be merged "
			"into %s",
			url, there, branch);
}

int host_git_push_branch(const char *url, const char *branch, struct err *err)
{
	_free_ char *ref = mem_printf(HEADS "%s", branch);
	_free_ char *commit = find_commit(ref);

	if (!commit)
		return err_set(err, ERR_FAILED, "there is no branch %s here",
			       branch);
	return push_commit(url, branch, commit, err);
}

/* Always to the same reference, so that they do not accumulate: git keeps the
 * replaced commit for two weeks. */
int host_git_push_commit(const char *url, const char *commit, struct err *err)
{
	_free_ char *forced = mem_printf("+%s", commit);
	_buf_ struct buf said = {0};
	int rc = push(url, forced, "refs/afw/pushed", NULL, &said, err);

	return rc > 0 ? err_git("push to", url, &said, err) : rc;
}

char *host_git_push_base(const char *url, const char *base, struct err *err)
{
	const char *name = base && *base ? base : "HEAD";
	_free_ char *commit = find_commit(name), *branch = find_branch(name);

	if (!commit) {
		err_set(err, ERR_FAILED, "there is no commit '%s' here", name);
		return NULL;
	}
	if (!branch)
		return host_git_push_commit(url, commit, err) == 0
			   ? TAKE_PTR(commit)
			   : NULL;
	return push_commit(url, branch, commit, err) == 0
		   ? mem_printf("refs/remotes/" GITFILE_HERE "/%s", branch)
		   : NULL;
}

/* -- the branch of a session there ------------------------------------------
 */

bool host_git_knows(const char *url, const char *branch)
{
	_free_ char *ref = record_ref(PUSHED, url, branch);
	_free_ char *commit = find_commit(ref);

	return commit != NULL;
}

void host_git_refresh(const char *url)
{
	_free_ char *branch = find_branch("HEAD");
	struct err err = {0};

	if (branch && host_git_knows(url, branch) &&
	    host_git_push_branch(url, branch, &err) < 0)
		output_warning(&err);
}

/* The other machine gives the name: nothing in it may be a pattern, or more
 * than one reference. */
static int check_branch(const char *ref, struct err *err)
{
	const char *const argv[] = {"git", "check-ref-format", ref, NULL};

	return succeeds(argv)
		   ? 0
		   : err_set(err, ERR_FAILED,
			     "'%.200s' is not the name of a branch", ref);
}

static int err_fetch(const char *url, const char *branch,
		     const struct buf *said, struct err *err)
{
	bool held = strstr(said->data, "checked out") != NULL;

	if (!held && !strstr(said->data, "[rejected]"))
		return err_git("fetch from", url, said, err);
	err_set(err, ERR_CONFLICT, "the branch %s here %s", branch,
		held ? "is checked out"
		     : "has commits that the one there lacks");
	return err_hint(err, "nothing is changed; rename the branch here, or "
			     "check out another one");
}

/* Fetches ref to itself and, before it, to record (NULL: nowhere). replaces:
 * ref has no commit of here. */
static int fetch(const char *url, const char *branch, const char *ref,
		 const char *record, bool replaces, struct err *err)
{
	_strv_ struct strv argv = {0};
	_buf_ struct buf said = {0};
	int rc;

	strv_add(&argv, "git");
	strv_add(&argv, "fetch");
	strv_add(&argv, "--no-tags");
	strv_add(&argv, "--no-recurse-submodules");
	strv_add(&argv, "--no-write-fetch-head");
	strv_add(&argv, "--");
	strv_add(&argv, url);
	if (record)
		strv_addf(&argv, "+%s:%s", ref, record);
	strv_addf(&argv, "%s%s:%s", replaces ? "+" : "", ref, ref);
	rc = run(url, &argv, &said, err);
	return rc > 0 ? err_fetch(url, branch, &said, err) : rc;
}

char *host_git_fetch(const char *url, const char *branch, bool *made,
		     struct err *err)
{
	_free_ char *ref = mem_printf(HEADS "%s", branch);
	_free_ char *record = record_ref(FETCHED, url, branch);
	_free_ char *commit = NULL, *before = NULL;
	bool same;

	if (check_branch(ref, err) < 0)
		return NULL;
	commit = find_commit(ref);
	before = find_commit(record);
	*made = commit == NULL;
	if (commit && !before) {
		err_set(err, ERR_CONFLICT,
			"there is a branch %s here, which did not come from "
			"there",
			branch);
		err_hint(err, "nothing is changed; rename the branch here");
		return NULL;
	}
	/* The agent may have amended what was fetched before. */
	same = commit && strcmp(commit, before) == 0;
	if (fetch(url, branch, ref, record, same, err) < 0)
		return NULL;
	mem_set(&commit, NULL);
	commit = find_commit(ref);
	if (!commit)
		err_set(err, ERR_FAILED, "the branch %s is gone", branch);
	return TAKE_PTR(commit);
}

char *host_git_fetch_work(const char *url, const char *branch, struct err *err)
{
	_free_ char *ref = mem_printf(GITFILE_WORK "%s", branch);

	return check_branch(ref, err) < 0 ||
		       fetch(url, branch, ref, NULL, true, err) < 0
		   ? NULL
		   : find_commit(ref);
}

static bool delete_ref(const char *ref, const char *commit)
{
	const char *const argv[] = {"git", "update-ref", "-d", "--",
				    ref,   commit,	 NULL};

	return succeeds(argv);
}

void host_git_drop(const char *url, const char *branch, const char *commit)
{
	_free_ char *ref = mem_printf(HEADS "%s", branch);
	_free_ char *record = record_ref(FETCHED, url, branch);

	if (delete_ref(ref, commit))
		delete_ref(record, commit);
	else
		output_warn("the branch %s, which was fetched, stays here",
			    branch);
}
