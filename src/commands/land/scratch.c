/*
 * scratch.c - makes the worktree of candidates, and moves it from one commit to
 * the next.
 *
 * afw-worktree makes it as it makes a session's, and then waits for a
 * confirmation that never comes: whatever ends this process, it removes the
 * worktree. If both are killed, the next run in the repository does so, or
 * `afw reconcile`, by the mark of a half-made worktree.
 */
#include "commands/land/candidate.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/land/halt.h"
#include "commands/launch/new_worktree.h"
#include "commands/launch/services.h"
#include "commands/launch/settings.h"
#include "sandbox/sandbox.h"
#include "session/disk/store.h"
#include "wire/worktree_client.h"

#define NAME	   "_land" /* of its directory and branch */
#define TAKEN	   "git has a worktree of this name" /* create says so */
#define LONGEST_MS (INT64_C(30) * 24 * 3600 * 1000)

/* Makes x->s a session that is in the place of the answer of create. */
static int load(struct scratch *x, const cJSON *o, struct err *err)
{
	struct spec *s = &x->s.spec;

	s->worktree_ino = json_u64(o, "ino", 0);
	mem_set(&s->name, NAME);
	mem_set(&s->worktree, json_str(o, "worktree"));
	mem_set(&s->worktree_id, json_str(o, "worktree_id"));
	mem_set(&s->branch, json_str(o, "branch"));
	mem_set(&s->base, json_str(o, "base"));
	mem_set(&s->base_commit, json_str(o, "base_commit"));
	strv_finish(&s->linked);
	json_strv(o, "linked", &s->linked);
	return 0;
}

static void on_line(void *ctx, const cJSON *line)
{
	output_lines(stderr, json_str(line, "output"));
}

/* Called when the worktree exists; -1 has it removed. */
static int on_made(void *ctx, const cJSON *o, int *held, struct err *err)
{
	struct scratch *x = ctx;
	_strv_ struct strv warnings = {0};

	json_strv(o, "warnings", &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		output_warn("%s", warnings.v[i]);
	x->rc = load(x, o, x->err);
	if (x->rc == 0)
		x->rc = x->fn(x, x->ctx, x->err);
	return err_set(err, ERR_NONE, "done");
}

static void refuse_second(struct err *err)
{
	err_set(err, ERR_CONFLICT, "another landing runs in this repository");
	err_hint(err, "landings and checked merges run one after "
		      "another: try again when it has ended");
}

static void make(struct scratch *x, const struct config *c, const char *into,
		 int lock_fd)
{
	_free_ char *location = settings_location(c);
	_strv_ struct strv foreign = {0};
	struct err err = {0};
	struct create_request rq = {
	    .path = x->s.spec.repository,
	    .repository = x->s.spec.repository,
	    .name = NAME,
	    .location = location,
	    .branch_prefix = config_str(c, OPTION_BRANCH_PREFIX),
	    .base = into,
	    .copy = config_list(c, OPTION_COPY),
	    .link = config_list(c, OPTION_LINK),
	    .setup_spare = config_list(c, OPTION_SETUP_SPARE),
	    .setup = config_list(c, OPTION_SETUP),
	    .setup_timeout_ms = SETUP_MOST_MS,
	    .foreign = &foreign,
	    .confirm = true,
	    .confirm_timeout_ms = LONGEST_MS};

	new_worktree_foreign(x->s.spec.repository, &x->s.spec, &foreign);
	x->rc = 1;
	cJSON_Delete(worktree_client_run_until(create_request(&rq), on_line,
					       on_made, x, lock_fd, 0,
					       halt_flag(), &err));
	if (x->rc != 1)
		return;
	x->rc = -1;
	*x->err = err;
	if (halt_is_set())
		halt_err(x->err);
	else if (strncmp(err.what, TAKEN, strlen(TAKEN)) == 0)
		refuse_second(x->err);
}

static int load_like(struct scratch *x, const struct session *like,
		     struct err *err)
{
	if (session_load(&x->s, like->spec.id, err) < 0)
		return -1;
	return x->s.broken ? err_set(err, ERR_CONFLICT,
				     "'%s' was removed meanwhile: try again",
				     like->spec.name)
			   : 0;
}

int scratch_with(struct scratch *x, const struct session *like,
		 const char *into, struct err *err)
{
	char staged[SPEC_ID_LEN + 1];
	struct config *config = NULL;
	_close_ int lock = staging_create(staged, err);

	x->err = err;
	x->rc = -1;
	if (lock < 0)
		return -1;
	halt_catch();
	if (load_like(x, like, err) == 0 &&
	    settings_load_usable(&config, spec_checkout(&like->spec), err) ==
		0) {
		free(x->s.dir);
		x->s.dir = staging_dir(staged, err);
		x->s.alive = false;
		memcpy(x->s.spec.id, staged, sizeof staged);
		if (x->s.spec.private_git) {
			free(x->s.spec.private_git);
			x->s.spec.private_git =
			    file_join(x->s.dir, SPEC_GIT_DIR);
		}
		make(x, config, into, lock);
	}
	staging_drop(staged);
	session_finish(&x->s);
	config_destroy(config);
	return x->rc;
}

/* Makes the files those of the commit; adds what was not as in HEAD. changed
 * NULL: nothing has run there. */
static int check_out(struct scratch *x, const char *commit,
		     struct strv *changed, struct err *err)
{
	struct candidate_request rq = {.place = spec_place(&x->s.spec),
				       .commit = commit,
				       .clean = !changed};
	_json_ cJSON *o = NULL;

	rq.place.private = NULL;
	o = worktree_client_run(candidate_request(&rq), NULL, NULL, 0, err);
	if (o && changed)
		json_strv(o, "changed", changed);
	return o ? 0 : -1;
}

/* The last check could write its private git directory: it is made again, with
 * HEAD at the commit. */
static int make_git(struct scratch *x, const char *commit, struct err *err)
{
	const char *dir = x->s.spec.private_git;
	_free_ char *head = dir ? file_join(dir, "HEAD") : NULL,
		    *line = mem_printf("%s\n", commit);

	if (!dir)
		return 0;
	if (delete_tree(AT_FDCWD, dir, err) < 0 ||
	    sandbox_make_git_dir(&x->s.spec, err) < 0)
		return -1;
	return file_replace(AT_FDCWD, head, line, strlen(line), false, err);
}

void scratch_result_finish(struct scratch_result *r)
{
	buf_finish(&r->tail);
	strv_finish(&r->changed);
}

int scratch_check(struct scratch *x, const char *commit,
		  const struct candidate_check *check, struct scratch_result *r,
		  struct err *err)
{
	mem_set(&x->s.spec.subdir, check->subdir);
	if (check_out(x, commit, NULL, err) < 0 ||
	    make_git(x, commit, err) < 0 ||
	    check_run(&x->s, &check->command, false, check->timeout_ms, r,
		      err) < 0)
		return err_prefix(err, "check %.10s", commit);
	return check_out(x, commit, &r->changed, err);
}
