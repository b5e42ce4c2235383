/*
 * create.c - makes a worktree with its branch, or nothing.
 *
 * Not by git_worktree_add(), which writes outside .git for some names,
 * leaves its entry behind on failure and is slower than git. The steps:
 *
 *   1. git's entry (claim.c): of two runs with one name one wins here. The mark
 *      in it (mark.h) says that the worktree is being made, and lists what was
 *      made so far
 *   2. mkdir of the directory; HEAD, commondir, gitdir of the entry
 *   3. the branch; fails if it exists already or, with --branch, if another
 *      worktree has it
 *   4. the files, the index, the .git file (populate.c); the files of
 *      submodules (submodules.c)
 *   5. the files that the user wants copied and linked, the set-up command
 *   6. the answer; the caller has recorded it, if it said that it would
 *   7. the mark is removed; from then on it is a worktree like any other
 *
 * A signal or a caller that exited is noticed between and within the steps and
 * ends in mark_undo(), as every failure does. After kill -9 or a crash the mark
 * is left: the next run in this repository removes the rest.
 *
 * Durability: git fsyncs nothing here, and an fsync (20 ms on ext4 for these
 * five files) would cost more than all the rest. The files can be read again
 * from the object store and contain no work yet. But a crash should not leave
 * an entry with empty files and without the mark. A journal keeps directory
 * changes in order; so it is enough that those files have their blocks before
 * the mark is removed. sync_file_range() makes the kernel do that without
 * waiting for the disk: with ordered data (ext4's default) the mark's removal
 * reaches the disk after them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/name.h"
#include "worktrees/changes/copied.h"
#include "worktrees/create/copy_in.h"
#include "worktrees/create/create.h"
#include "worktrees/create/setup.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/branch.h"
#include "worktrees/git/hooks.h"
#include "worktrees/operations.h"

static int fill_entry(struct create *c, struct err *err)
{
	const char *ref = c->made ? "" : "ref: ",
		   *at = c->made ? git_oid_tostr_s(&c->base.commit) : c->ref;

	if (create_write_file(c->entry, "commondir", err, "../..\n") < 0 ||
	    create_write_file(c->entry, "HEAD", err, "%s%s\n", ref, at) < 0)
		return -1;
	/* Last: from here on git sees the entry as a worktree. */
	return create_write_file(c->entry, "gitdir", err, "%s/.git\n",
				 c->place.path);
}

/* True if a branch af exists and af/x is wanted, or af/x/y. */
static bool in_the_way(const struct create *c)
{
	git_reference_iterator *it = NULL;
	const char *other;
	size_t len = strlen(c->ref);
	bool way = false;

	if (git_reference_iterator_new(&it, c->repo.main) < 0)
		return false;
	while (!way && git_reference_next_name(&other, it) == 0) {
		size_t n = strlen(other);

		way =
		    n < len
			? memcmp(other, c->ref, n) == 0 && c->ref[n] == '/'
			: memcmp(other, c->ref, len) == 0 && other[len] == '/';
	}
	git_reference_iterator_free(it);
	return way;
}

/* Reports why the branch was not made. */
static int refuse_ref(const struct create *c, int e, struct err *err)
{
	char what[512];

	/* First: the checks below make libgit2 forget its error. */
	repo_err(err, ERR_FAILED, "make the branch %s", c->place.branch);
	snprintf(what, sizeof what, "the branch %s exists already",
		 c->place.branch);
	if (e == GIT_EEXISTS)
		return create_err_exists(
		    err, what,
		    "take another name, or delete or rename that branch");
	if (in_the_way(c)) {
		snprintf(what, sizeof what,
			 "another branch is in the way of the branch %s",
			 c->place.branch);
		return create_err_exists(
		    err, what,
		    "git cannot have both a/b and a/b/c: take another "
		    "name or branch_prefix");
	}
	return -1;
}

/* HEAD in our entry names it already: of two runs at most one continues. */
static int claim_ref(const struct create *c, struct err *err)
{
	if (!branch_is_checked_out(c->repo.main, c->ref, c->place.id))
		return 0;
	err_set(err, ERR_CONFLICT, "the branch %s is checked out elsewhere",
		c->place.branch);
	return err_hint(err,
			"`git worktree list` says where; `-b %s` makes a new "
			"branch from it",
			c->place.branch);
}

static int make_ref(struct create *c, struct err *err)
{
	_git_reference_ git_reference *made = NULL;
	_free_ char *log = mem_printf("branch: Created from %s", c->base.name);
	git_oid other;
	int e;

	if (c->given)
		return claim_ref(c, err);
	if (git_reference_name_to_id(&other, c->repo.main, c->ref) == 0)
		return refuse_ref(c, GIT_EEXISTS, err);
	c->mark.has_ref = true;
	if (mark_write(&c->mark, err) < 0) {
		c->mark.has_ref = false;
		return -1;
	}
	e = git_reference_create(&made, c->repo.main, c->ref, &c->base.commit,
				 0, log);
	if (e == 0)
		return 0;
	/* Not ours: if this run is killed now, the branch must stay. */
	refuse_ref(c, e, err);
	c->mark.has_ref = false;
	mark_write(&c->mark, NULL);
	return -1;
}

void create_took(struct create *c, const char *what)
{
	int64_t now = clock_mono_ms();

	json_set_int(c->took, what, now - c->since);
	c->since = now;
}

/* Without a look at the index, if it comes from a spare. */
static bool has_submodules(const struct create *c)
{
	_git_tree_ git_tree *tree = NULL;

	return !c->spare.id || c->req->changes ||
	       git_tree_lookup(&tree, c->repo.here, &c->base.tree) < 0 ||
	       tree_find(tree, ".gitmodules", NULL);
}

static int make_files(struct create *c, struct err *err)
{
	int rc = c->from       ? create_restore(c, err)
		 : c->spare.id ? spare_fill(c, err)
			       : create_populate(c, err);

	if (rc == 0 && !c->from)
		rc = create_add_changes(c, err);
	/* Of a spare, too: it has no submodule's files. */
	if (rc == 0 && has_submodules(c))
		rc = create_submodules(c, err);
	create_took(c, "checkout");
	return rc;
}

static int run_setup(struct create *c, const char *key, const struct strv *argv,
		     const struct strv *vars, struct err *err)
{
	struct setup s = {.key = key,
			  .argv = argv,
			  .vars = vars,
			  .timeout_ms = c->req->setup_timeout_ms};

	if (argv->n == 0 || c->setup_left)
		return 0;
	if (setup_run(c->out, &s, c->place.path, c->tree, c->repo.path, err) <
	    0)
		return -1;
	create_took(c, key);
	return 0;
}

/* Adds what the user's configuration adds to every new worktree, and what a
 * spare has already. */
static int add_ahead(struct create *c, struct err *err)
{
	struct copy_in b = {.from_path = c->repo.checkout,
			    .to = c->tree,
			    .out = c->out,
			    .warnings = &c->warnings};
	_git_repository_ git_repository *git = NULL;
	const struct strv none = {0}; /* a spare has no ports */

	if (c->spare.id)
		return 0;
	if (c->req->link->n && repo_open_git(&git, c->place.path) == 0)
		b.git = git;
	if (c->repo.checkout &&
	    (copy_in_run(&b, c->req->copy, false, &c->copied, err) < 0 ||
	     copy_in_run(&b, c->req->link, true, &c->linked, err) < 0))
		return -1;
	if ((c->copied.n || c->linked.n) &&
	    copied_write(c->entry, c->repo.checkout, &c->copied, &c->linked,
			 err) < 0)
		return -1;
	create_took(c, "copy");
	return run_setup(c, "setup_spare", c->req->setup_spare, &none, err);
}

static int run_user_setup(struct create *c, struct err *err)
{
	bool runs = c->req->setup->n || c->req->setup_spare->n;

	if (add_ahead(c, err) < 0 || create_render(c, err) < 0 ||
	    run_setup(c, "setup", c->req->setup, c->req->vars, err) < 0)
		return -1;
	create_warn_missing(c, (runs && !c->setup_left) || c->spare.id);
	return 0;
}

/* Makes the kernel begin to write the file, if it can. */
static void begin_sync(int dirfd, const char *name)
{
	_close_ int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

/* The caller records it, and confirms that. */
static int wait_for_record(struct create *c, struct err *err)
{
	int rc = output_confirmed(c->out, c->req->confirm_timeout_ms, err);

	if (rc != 0)
		return rc < 0 ? -1 : 0;
	return err_set(err, ERR_FAILED,
		       "the caller has not recorded the worktree %s%s",
		       c->place.path, errno == ETIMEDOUT ? " in time" : "");
}

/* As `git worktree add` does; the worktree is complete without it. */
static void set_upstream(struct create *c)
{
	_git_reference_ git_reference *ref = NULL;

	if (c->upstream &&
	    git_reference_lookup(&ref, c->repo.main, c->ref) == 0)
		git_branch_set_upstream(ref, c->base.name);
}

static void finish(struct create *c)
{
	set_upstream(c);
	begin_sync(c->entry, "index");
	begin_sync(c->entry, "HEAD");
	begin_sync(c->entry, "gitdir");
	begin_sync(c->entry, "commondir");
	begin_sync(c->tree, ".git");
	mark_end(&c->mark, c->entry);
}

static void undo(struct create *c, struct err *err)
{
	_free_ char *admins = file_join(c->repo.git_dir, "worktrees");
	struct err why;

	if (c->mark.fd >= 0 &&
	    mark_undo(&c->mark, c->repo.main, c->admins, c->place.id, &why) < 0)
		err_hint(err,
			 "not all of it could be removed (%s): `afw reconcile "
			 "--apply` removes the rest",
			 why.what);
	if (c->spare.id) {
		spare_finish(&c->spare);
		spare_sweep(c->admins, true, NULL);
	}
	rmdir(admins);
	if (c->made_dir)
		place_drop_empty(c->place.dir);
}

static void fill(const struct create *c, cJSON *answer)
{
	char hex[GIT_OID_HEXSZ + 1];

	git_oid_tostr(hex, sizeof hex, &c->base.commit);
	json_set_str(answer, "repository", c->repo.path);
	json_set_str(answer, "name", c->req->name);
	json_set_str(answer, "worktree", c->place.path);
	json_set_str(answer, "branch", c->place.branch);
	json_set_str(answer, "base",
		     c->from && c->from->place.base ? c->from->place.base
						    : c->base.name);
	json_set_str(answer, "base_commit",
		     c->from ? c->from->place.base_commit : hex);
	json_set_str(answer, "worktree_id", c->place.id);
	json_set_u64(answer, "ino", c->st.st_ino);
	json_set_int(answer, "files", (int64_t)c->files);
	json_set_strv(answer, "copied", &c->copied);
	json_set_strv(answer, "linked", &c->linked);
	json_set_strv(answer, "warnings", &c->warnings);
	cJSON_AddItemToObject(answer, "took", cJSON_Duplicate(c->took, true));
	json_set_bool(answer, "setup_left", c->setup_left);
	json_set_bool(answer, "spare", c->spare.id);
	hooks_set_not_run(c->repo.main, c->place.path,
			  (const char *const[]){"post-checkout", NULL}, answer);
}

/*
 * Refuses root in a sudo user's repository, which git allows: the user could
 * not remove what root makes there. With safe.directory for another user's
 * repository it was the user's choice.
 */
static int check_sudo(const struct create *c, struct err *err)
{
	const char *uid = getenv("SUDO_UID"), *user = getenv("SUDO_USER");
	struct stat st;

	if (geteuid() != 0 || !uid || stat(c->repo.git_dir, &st) < 0 ||
	    st.st_uid == 0 || st.st_uid != strtoul(uid, NULL, 10))
		return 0;
	err_set(err, ERR_FAILED,
		"%s belongs to %s, who could not remove what root makes there",
		c->repo.path, user ? user : uid);
	return err_hint(err, "run it without sudo");
}

static int answer(struct create *c, struct err *err)
{
	bool confirm = c->req->confirm;

	fill(c, c->answer);
	if (confirm)
		json_set_bool(c->answer, "confirm", true);
	if (output_answer(c->out, c->answer) < 0)
		return output_check(c->out, err);
	return confirm ? wait_for_record(c, err) : 0;
}

/* setup and before_start run files of the worktree: those of an agent run in a
 * sandbox, which the caller has. */
static int check_setup(struct create *c, struct err *err)
{
	const char *what = c->req->setup->n	    ? "setup"
			   : c->req->setup_spare->n ? "setup_spare"
						    : "before_start";
	bool runs = c->req->setup->n || c->req->setup_spare->n;

	if ((!runs && !c->req->before_start) || !create_is_foreign(c))
		return 0;
	c->setup_left = c->req->setup_inside && runs;
	if (c->req->setup_inside)
		return 0;
	err_set(err, ERR_REFUSED,
		"%s would run files of a sandboxed agent outside its sandbox",
		what);
	return err_hint(err,
			"--sandbox landlock runs it inside; -o %s= leaves it "
			"out",
			what);
}

static int prepare(struct create *c, struct err *err)
{
	const char *meant = c->req->repository;

	if ((!c->made && name_check(c->req->name, err) < 0) ||
	    repo_open(&c->repo, c->req->path, err) < 0)
		return -1;
	/* The repository whose configuration the request was made from. */
	if (meant && strcmp(meant, c->repo.path) != 0)
		return err_set(err, ERR_FAILED,
			       "the repository here is %s, not %s",
			       c->repo.path, meant);
	c->like = c->repo.here;
	if (c->made)
		spare_set_place(c, c->req->location);
	else if (place_make(&c->place, &c->repo, c->req, err) < 0)
		return -1;
	if (check_sudo(c, err) < 0 || create_find_commit(c, err) < 0 ||
	    create_find_changes(c, err) < 0 ||
	    create_check_sparse(c, err) < 0 || check_setup(c, err) < 0)
		return -1;
	c->admin = mem_printf("%s/worktrees/%s", c->repo.git_dir, c->place.id);
	c->mark.ref = c->ref;
	c->mark.path = c->place.path;
	c->mark.session = c->req->session;
	c->mark.commit = c->base.commit;
	return 0;
}

/* Checks everything that can be refused before anything is made. */
static int check_all(struct create *c, struct err *err)
{
	git_oid other;

	if (create_check(c, err) < 0 || (c->given && claim_ref(c, err) < 0))
		return -1;
	if (!c->given &&
	    git_reference_name_to_id(&other, c->repo.main, c->ref) == 0)
		return refuse_ref(c, GIT_EEXISTS, err);
	if (!c->given && in_the_way(c))
		return refuse_ref(c, 0, err);
	fill(c, c->answer);
	return 0;
}

typedef int (*step_fn)(struct create *c, struct err *err);

static int run_steps(struct create *c, struct err *err)
{
	static const step_fn session[] = {
	    create_claim_entry, create_claim_tree, fill_entry, make_ref,
	    make_files,		run_user_setup,	   answer,     NULL,
	};
	static const step_fn spare[] = {
	    create_claim_entry, create_claim_tree, spare_begin,	 fill_entry,
	    create_populate,	add_ahead,	   spare_record, NULL,
	};
	const step_fn *steps = c->made ? spare : session;

	for (size_t i = 0; steps[i]; i++)
		if (output_check(c->out, err) < 0 || steps[i](c, err) < 0)
			return -1;
	return 0;
}

static void finish_all(struct create *c)
{
	int fds[] = {c->dir, c->tree, c->admins, c->entry, c->mark.fd};

	for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
		file_close(fds[i]);
	strv_finish(&c->empty);
	strv_finish(&c->copied);
	strv_finish(&c->linked);
	strv_finish(&c->warnings);
	spare_finish(&c->spare);
	base_commit_finish(&c->base);
	checkpoint_finish(&c->to);
	repo_worktree_finish(&c->model);
	place_finish(&c->place);
	repo_finish(&c->repo);
	free(c->ref);
	free(c->upstream);
	free(c->admin);
	cJSON_Delete(c->took);
}

int create_run(struct output *out, const struct create_request *req,
	       struct spare_made *made, cJSON *answer, struct err *err)
{
	struct create c = {.out = out,
			   .req = req,
			   .answer = answer,
			   .made = made,
			   .spare = SPARE_NONE,
			   .from = req->from,
			   .model = REPO_WORKTREE_NONE,
			   .since = clock_mono_ms(),
			   .took = cJSON_CreateObject(),
			   .dir = -1,
			   .tree = -1,
			   .admins = -1,
			   .mark = {.fd = -1},
			   .entry = -1};
	int r = prepare(&c, err);

	if (r == 0 && req->dry_run) {
		r = check_all(&c, err);
	} else if (r == 0) {
		r = run_steps(&c, err);
		if (r == 0)
			finish(&c);
		else
			undo(&c, err);
	}
	finish_all(&c);
	return r;
}

int worktree_create(struct output *out, const struct create_request *req,
		    cJSON *answer, struct err *err)
{
	return create_run(out, req, NULL, answer, err);
}
