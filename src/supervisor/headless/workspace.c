/*
 * workspace.c - makes the workspace of an agent: git clones the repository if
 * it is elsewhere, then `afw new` makes the worktree and the session, as for
 * any user. Both run as children on the loop, so that a stop is handled
 * meanwhile. A session of that branch that is not running is used again.
 */
#include "supervisor/headless/workspace.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/env_list.h"
#include "base/git_program.h"
#include "base/gitenv.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/name.h"
#include "base/utf8.h"
#include "session/disk/dirs.h"
#include "session/disk/lock.h"
#include "session/repair/unmake.h"
#include "session/session.h"
#include "supervisor/headless/clone_url.h"
#include "supervisor/headless/credential.h"
#include "wire/program.h"

#define OUTPUT_MAX ((size_t)256 * 1024)
#define TERM_MS	   10000 /* for each program to roll back its work */

struct workspace {
	struct workspace_start st; /* except what it points to */
	cJSON *rq;
	struct strv argv, env, secret;
	char *repository;    /* its directory */
	char *url;	     /* NULL: no clone is needed */
	bool cloned;	     /* this workspace made the clone */
	bool was_there;	     /* the clone's directory existed, empty */
	bool reused;	     /* the session was there before */
	struct child *child; /* NULL: no program is running */
	bool cancelled;
};

static const char *get_member(const struct workspace *w, const char *key)
{
	return json_str(w->rq, key);
}

/* -- where the repository is ----------------------------------------------- */

static bool is_checkout(const char *dir)
{
	_free_ char *path = file_join(dir, ".git");

	return access(path, F_OK) == 0;
}

/* Sets the repository's directory; keeps url only if it has to be cloned
 * there. */
static int find_repository(struct workspace *w, struct err *err)
{
	const char *repo = get_member(w, "repo"),
		   *dir = get_member(w, "workspace");
	_free_ char *server = credential_server(&w->secret);
	char *path;

	if (clone_url(repo, server, &w->url, err) < 0)
		return -1;
	if (!w->url && dir)
		return err_set(err, ERR_USAGE,
			       "start: workspace is for a repo to clone");
	if (w->url) {
		w->repository = dir ? mem_strdup(dir) : clone_name(w->url);
		w->was_there = access(w->repository, F_OK) == 0;
		if (!is_checkout(w->repository))
			return 0;
		mem_set(&w->url, NULL);
		repo = w->repository;
	}
	path = realpath(repo, NULL);
	if (!path)
		return err_errno(err, "start: repo: %s", repo);
	free(w->repository);
	w->repository = path;
	return 0;
}

/* -- roll back ------------------------------------------------------------- */

static int delete_clone(const struct workspace *w, struct err *err)
{
	_dir_ DIR *d = NULL;
	const char *name;

	if (!w->was_there)
		return delete_tree(AT_FDCWD, w->repository, err);
	/* The directory may be a mount point. */
	d = file_list(AT_FDCWD, w->repository);
	while ((name = file_list_next(d)))
		if (unlinkat(dirfd(d), name, 0) < 0 &&
		    delete_tree(dirfd(d), name, err) < 0)
			return -1;
	return 0;
}

static int remove_session(const char *id, struct err *err)
{
	_free_ char *dir = dirs_session(id, err);
	_close_ int lock_fd = dir ? lock_acquire_soon(dir, err) : -1;
	_spec_ struct spec spec = {0};

	if (lock_fd < 0 || spec_load(&spec, dir, err) < 0)
		return -1;
	return session_unmake(&spec, dir, true, err);
}

/* id: NULL if there is no session. */
void workspace_remove(const struct workspace *w, const char *id,
		      struct err *err)
{
	struct err why = {0};

	if (w->reused)
		return;
	if (id && remove_session(id, &why) < 0)
		err_hint_line(err, "its session is still there: %s", why.what);
	else if (w->cloned && delete_clone(w, &why) < 0)
		err_hint_line(err, "its clone is still there: %s", why.what);
	else if (why.hint[0])
		err_hint_line(err, "%s", why.hint);
}

static void report_failure(struct workspace *w, struct err *err, const char *id)
{
	if (w->cancelled)
		err_set(err, ERR_FAILED,
			"start: it was stopped before the agent ran");
	workspace_remove(w, id, err);
	w->st.failed(w->st.ctx, err);
}

/* -- the programs ---------------------------------------------------------- */

static int run_program(struct workspace *w, const struct strv *argv,
		       const struct strv *env, const char *dir,
		       child_ended_fn ended, struct err *err)
{
	w->child =
	    child_start(w->st.children,
			&(struct child_start){.spawn = {.argv = argv->v,
							.envp = env->v,
							.dir = dir,
							.fd = {-1, -1, -1},
							.new_session = true},
					      .keep_out = OUTPUT_MAX,
					      .keep_errors = OUTPUT_MAX,
					      .deadline_ms = w->st.timeout_ms,
					      .term_ms = TERM_MS,
					      .ended = ended,
					      .ctx = w},
			err);
	return w->child ? 0 : -1;
}

/* Sets err to the last error in the output of `afw --json`. */
static void set_afw_error(const struct child_end *end, struct err *err)
{
	const char *at = end->errors->len ? end->errors->data : "";

	err_set(err, ERR_FAILED, "%s",
		end->failed ? end->failed : "afw printed no session");
	for (size_t len; *at; at += len + (at[len] == '\n')) {
		_json_ cJSON *o = NULL;

		len = strcspn(at, "\n");
		o = json_parse_object(at, len, NULL);
		if (!o || !json_str(o, "error"))
			continue;
		err_set(err, (enum err_kind)json_int(o, "exit_code", 1), "%s",
			json_str(o, "error"));
		if (json_str(o, "hint"))
			err_hint(err, "%s", json_str(o, "hint"));
	}
	err_prefix(err, "start");
}

static void on_made(void *ctx, const struct child_end *end)
{
	struct workspace *w = ctx;
	_json_ cJSON *o = json_parse_object(end->out->len ? end->out->data : "",
					    end->out->len, NULL);
	const char *id = end->failed ? NULL : json_str(o, "id");
	struct err err = {0};

	w->child = NULL;
	if (id && !w->cancelled) {
		w->st.ready(w->st.ctx, id, w->reused);
		return;
	}
	set_afw_error(end, &err);
	report_failure(w, &err, id);
}

/* Returns whether a line of text is prefix and name. */
static bool has_ref(const struct buf *text, const char *prefix,
		    const char *name)
{
	_free_ char *ref = mem_printf("%s%s\n", prefix, name);
	const char *at = text->len ? text->data : "";

	for (; *at; at += strcspn(at, "\n") + 1)
		if (strncmp(at, ref, strlen(ref)) == 0)
			return true;
	return false;
}

/* Uses the branch if it exists and no base is given. In a clone, most branches
 * exist only as origin's. */
static int choose_branch(const struct workspace *w, struct strv *argv,
			 struct err *err)
{
	const char *branch = get_member(w, "branch"),
		   *base = get_member(w, "base");
	const char *from = base ? base : branch;
	_free_ char *git_dir = gitfile_dir(w->repository);
	const char *const list[] = {"for-each-ref", "--format=%(refname)",
				    "refs/heads", "refs/remotes/origin", NULL};
	_buf_ struct buf refs = {0};

	if (!git_dir)
		return err_set(err, ERR_FAILED,
			       "start: repo: %s is not a git repository's own "
			       "directory",
			       w->repository);
	if (git_program_read(git_dir, list, &refs, err) < 0)
		return err_prefix(err, "start");
	strv_addf(argv, "--branch=%s", branch);
	if (!base && has_ref(&refs, "refs/heads/", branch))
		return 0;
	if (!has_ref(&refs, "refs/heads/", from) &&
	    has_ref(&refs, "refs/remotes/origin/", from))
		strv_addf(argv, "--base=origin/%s", from);
	else
		strv_addf(argv, "--base=%s", base ? base : "HEAD");
	return 0;
}

/* Names the session after its branch, as far as its characters are allowed. */
static char *session_name(const char *branch, struct err *err)
{
	_free_ char *name = mem_strdup(branch);

	for (char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("._-", *p))
			*p = '-';
	return name_check(name, err) < 0 ? NULL : TAKE_PTR(name);
}

/* Sets id to that of the session which has the branch; "": none, or it has to
 * be left to `afw new`, which says why it is taken. */
static int find_session(const struct workspace *w, char id[SPEC_ID_LEN + 1],
			struct err *err)
{
	_free_ char *repository = session_repository_of(w->repository);
	_session_list_ struct session_list l = {0};

	*id = '\0';
	if (get_member(w, "base"))
		return 0;
	if (session_list_load(&l, err) < 0)
		return err_prefix(err, "start");
	for (size_t i = 0; i < l.n; i++) {
		const struct session *s = &l.v[i];

		if (!s->alive && spec_has_worktree(&s->spec) &&
		    (s->state.phase == PHASE_STOPPED ||
		     s->state.phase == PHASE_ERROR) &&
		    session_is_here(s, repository) &&
		    strcmp(s->spec.branch, get_member(w, "branch")) == 0)
			memcpy(id, s->spec.id, SPEC_ID_LEN + 1);
	}
	return 0;
}

static int add_new(const struct workspace *w, const char *name,
		   struct strv *argv, struct err *err)
{
	strv_add(argv, "new");
	strv_add(argv, "--no-start");
	strv_add(argv, "--backend=pty");
	if (json_bool(w->rq, "untrusted", false))
		strv_add(argv, "--untrusted");
	if (get_member(w, "harness"))
		strv_addf(argv, "--agent=%s", get_member(w, "harness"));
	if (get_member(w, "sandbox"))
		strv_addf(argv, "--sandbox=%s", get_member(w, "sandbox"));
	if (choose_branch(w, argv, err) < 0)
		return -1;
	strv_add(argv, "--json");
	strv_add(argv, name);
	if (w->argv.n)
		strv_add(argv, "--");
	strv_copy(argv, &w->argv);
	return 0;
}

/* Makes the session. One that is there is only printed, which also reports that
 * it was removed meanwhile. */
static int make_session(struct workspace *w, struct err *err)
{
	_free_ char *name = session_name(get_member(w, "branch"), err);
	char id[SPEC_ID_LEN + 1];
	_strv_ struct strv argv = {0};

	if (!name)
		return err_prefix(err, "start: branch");
	if (find_session(w, id, err) < 0)
		return -1;
	w->reused = *id;
	strv_take(&argv, program_afw());
	if (w->reused) {
		strv_add(&argv, "status");
		strv_add(&argv, "--json");
		strv_add(&argv, id);
	} else if (add_new(w, name, &argv, err) < 0) {
		return -1;
	}
	strv_finish(&w->secret); /* later children inherit the memory */
	return run_program(w, &argv, &w->env, w->repository, on_made, err);
}

/* git's last line is the reason. */
static void set_git_error(const struct workspace *w,
			  const struct child_end *end, struct err *err)
{
	char line[512];
	const char *why = line;

	utf8_last_line(line, sizeof line, end->errors->data, end->errors->len);
	if (strncmp(why, "fatal: ", 7) == 0)
		why += 7;
	err_set(err, end->late ? ERR_TIMEOUT : ERR_FAILED,
		"start: clone %s: %s", w->url,
		*why && !end->late ? why : end->failed);
}

static void on_cloned(void *ctx, const struct child_end *end)
{
	struct workspace *w = ctx;
	_free_ char *relative = w->repository;
	struct err err = {0};

	w->child = NULL;
	w->repository = realpath(relative, NULL);
	w->cloned = w->repository && !end->failed;
	if (!w->cloned)
		set_git_error(w, end, &err);
	if (!w->cloned || w->cancelled || make_session(w, &err) < 0)
		report_failure(w, &err, NULL);
}

static int clone_repository(struct workspace *w, struct err *err)
{
	_strv_ struct strv argv = {0};

	strv_add(&argv, "git");
	strv_add(&argv, "clone");
	strv_add(&argv, "--quiet");
	strv_add(&argv, "--");
	strv_add(&argv, w->url);
	strv_add(&argv, w->repository);
	return run_program(w, &argv, &w->secret, NULL, on_cloned, err);
}

/* -- create and destroy ---------------------------------------------------- */

/* Copies from, except variables that name the caller's repository. */
static void copy_env(struct strv *to, const struct strv *from)
{
	for (size_t i = 0; i < from->n; i++)
		if (!gitenv_is_local(from->v[i]))
			strv_add(to, from->v[i]);
}

struct workspace *workspace_create(const struct workspace_start *st,
				   struct err *err)
{
	struct workspace *w = mem_alloc(sizeof *w);
	int rc;

	w->st = *st;
	w->rq = cJSON_Duplicate(st->rq, true);
	strv_copy(&w->argv, st->argv);
	copy_env(&w->env, st->env);
	copy_env(&w->secret, st->secret);
	env_apply(&w->env, "GITHUB_TOKEN");
	env_set(&w->env, "AFW_HOST", "local");
	env_set(&w->secret, "GIT_TERMINAL_PROMPT", "0");
	env_set(&w->secret, "LC_ALL", "C");
	rc = credential_set_env(&w->secret, &(struct strv){0}, err);
	if (rc == 0)
		rc = find_repository(w, err);
	if (rc == 0)
		rc = w->url ? clone_repository(w, err) : make_session(w, err);
	if (rc == 0)
		return w;
	workspace_destroy(w);
	return NULL;
}

void workspace_cancel(struct workspace *w)
{
	if (!w->child)
		return;
	w->cancelled = true;
	child_hurry(w->child, 0);
}

void workspace_destroy(struct workspace *w)
{
	if (!w)
		return;
	child_drop(w->child);
	cJSON_Delete(w->rq);
	strv_finish(&w->argv);
	strv_finish(&w->env);
	strv_finish(&w->secret);
	free(w->repository);
	free(w->url);
	free(w);
}
