/* new_worktree.c - lets afw-worktree make the worktree of a new session. */
#include "commands/launch/new_worktree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitenv.h"
#include "base/json.h"
#include "base/utf8.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/hooks.h"
#include "commands/launch/adopt.h"
#include "commands/launch/from.h"
#include "commands/launch/local_changes.h"
#include "commands/launch/others.h"
#include "commands/launch/services.h"
#include "commands/launch/settings.h"
#include "sandbox/sandbox.h"
#include "session/disk/event_log.h"
#include "session/disk/store.h"
#include "wire/worktree_client.h"

#define CHECK_MS 120000 /* the time limit of afw-worktree itself */

/* Returns worktree_location, for the caller to free; makes the directory. If
 * that fails, afw-worktree reports why it could not make .af_worktrees
 * there. */
static char *make_location(const struct config *c)
{
	char *path = settings_location(c);

	if (path && access(path, F_OK) < 0) {
		file_make_dirs(path, 0777);
		free(path);
		path = settings_location(c);
	}
	return path;
}

/* Adds a session's branch, if it or the new session has a sandbox. */
static void add_branch(const char *repository, const struct spec *new,
		       const struct spec *s, struct strv *out)
{
	for (size_t i = 0; i < spec_count(s); i++) {
		struct spec one = spec_of(s, i);

		if (one.branch && one.repository &&
		    strcmp(one.repository, repository) == 0 &&
		    spec_any_sandbox(s, new))
			strv_add(out, one.branch);
	}
}

void new_worktree_foreign(const char *repository, const struct spec *new,
			  struct strv *branches)
{
	_session_list_ struct session_list l = {0};
	struct trashed_list trash = {0};

	session_list_load(&l, NULL);
	for (size_t i = 0; i < l.n; i++)
		add_branch(repository, new, &l.v[i].spec, branches);
	trash_list(&trash, NULL);
	for (size_t i = 0; i < trash.n; i++)
		add_branch(repository, new, &trash.v[i].spec, branches);
	trash_list_finish(&trash);
}

static void replace_member(char **member, const cJSON *o, const char *key)
{
	free(*member);
	*member = mem_strdup(json_str(o, key));
}

/* Stores what afw-worktree has made or would make. */
static void store_answer(struct spec *s, const cJSON *o)
{
	replace_member(&s->repository, o, "repository");
	replace_member(&s->worktree, o, "worktree");
	replace_member(&s->worktree_id, o, "worktree_id");
	replace_member(&s->branch, o, "branch");
	replace_member(&s->base, o, "base");
	replace_member(&s->base_commit, o, "base_commit");
}

static int record_first(struct new_session *n, const cJSON *o, struct err *err)
{
	struct spec *s = &n->spec;
	_close_ int subdir = -1;

	store_answer(s, o);
	s->worktree_ino = json_u64(o, "ino", 0);
	/* git's files or setup must have made it. */
	subdir = spec_open_subdir(s, err);
	if (subdir < 0)
		return -1;
	strv_finish(&s->linked);
	json_strv(o, "linked", &s->linked);
	if (json_bool(o, "setup_left", false) &&
	    services_add_setup(n->plan.config, !json_bool(o, "spare", false), s,
			       err) < 0)
		return -1;
	n->made_worktree = spec_save(s, n->dir, true, err) == 0;
	return n->made_worktree ? 0 : -1;
}

/* One of its worktrees: i as of spec_of(). */
struct made {
	struct new_session *n;
	size_t i;
};

/* Records it; afw-worktree rolls back if this fails. */
static int record(void *ctx, const cJSON *o, int *held, struct err *err)
{
	const struct made *m = ctx;

	if (m->i == 0)
		return record_first(m->n, o, err);
	spec_set_with(&m->n->spec, m->i, o);
	return spec_save(&m->n->spec, m->n->dir, true, err);
}

/* Records a worktree that afw did not make, and does not remove. */
static int record_adopted(struct new_session *n, struct err *err)
{
	_close_ int subdir = -1;

	if (spec_is_scratch(&n->spec) && adopt_make_scratch(n, err) < 0)
		return err_prefix(err, "new '%s'", n->spec.name);
	subdir = spec_open_subdir(&n->spec, err);
	if (subdir < 0 || spec_save(&n->spec, n->dir, true, err) < 0)
		return err_prefix(err, "new '%s'", n->spec.name);
	return 0;
}

static void clear_progress(struct new_session *n)
{
	if (n->shows_progress)
		fprintf(stderr, "\r\033[K");
	n->shows_progress = false;
}

/* Prints output of a setup command, made safe. */
static void print_output(const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		char safe[4096];

		utf8_output(safe, sizeof safe, text, len);
		fprintf(stderr, "%s%s", safe, text[len] ? "\n" : "");
		text += len + (text[len] == '\n');
	}
}

/* Handles a line of afw-worktree: its progress, printed only on a terminal, or
 * output of setup commands, printed always. */
static void on_line(void *ctx, const cJSON *line)
{
	struct new_session *n = ((struct made *)ctx)->n;
	const char *what = json_str(line, "progress");
	const char *output = json_str(line, "output");
	int64_t done = json_int(line, "done", 0);
	int64_t total = json_int(line, "total", 0); /* 0: unknown */
	char safe[80];

	if (output) {
		clear_progress(n);
		print_output(output);
	}
	if (!what || !isatty(STDERR_FILENO))
		return;
	utf8_printable(safe, sizeof safe, what, strlen(what));
	fprintf(stderr, "\r%s: %s", n->spec.name, safe);
	if (done > 0 || total > 0)
		fprintf(stderr, " %lld", (long long)done);
	if (total > 0)
		fprintf(stderr, "/%lld", (long long)total);
	fprintf(stderr, "\033[K");
	fflush(stderr);
	n->shows_progress = true;
}

/* Sets *out to the commit with the uncommitted changes that it begins with;
 * NULL: none. A dry run makes no commit. */
static int find_changes(const struct new_session *n, bool dry_run, char **out,
			struct err *err)
{
	const char *given = args_value(n->plan.args, "with-changes");

	if (!given || (dry_run && !*given))
		return 0;
	*out = *given ? mem_strdup(given) : local_changes_commit(err);
	if (*out && !**out) {
		output_warn("%s: nothing is changed here", n->spec.name);
		mem_set(out, NULL);
		return 0;
	}
	return *out ? 0 : -1;
}

static void add_sparse(const struct args *args, struct strv *paths)
{
	const char *path;
	size_t i = 0;

	while ((path = args_next(args, "sparse", &i)))
		strv_add(paths, path);
}

/* Adds what the request for each of the worktrees has, and sends it. c: the
 * configuration of its own repository. */
static cJSON *request_create(struct made *m, const struct config *c,
			     struct create_request rq, bool dry_run,
			     struct err *err)
{
	struct new_session *n = m->n;
	_free_ char *together = others_together(n);
	_strv_ struct strv foreign = {0}, vars = {0};

	rq.name = n->spec.name;
	rq.session = n->dir;
	rq.together = together;
	rq.branch_prefix = config_str(n->plan.config, OPTION_BRANCH_PREFIX);
	rq.copy = config_list(c, OPTION_COPY);
	rq.link = config_list(c, OPTION_LINK);
	rq.render = config_list(c, OPTION_RENDER);
	rq.vars = &vars;
	rq.setup_spare = config_list(c, OPTION_SETUP_SPARE);
	rq.setup = config_list(c, OPTION_SETUP);
	rq.setup_timeout_ms = SETUP_MOST_MS;
	rq.foreign = &foreign;
	rq.confirm = !dry_run;
	rq.dry_run = dry_run;
	spec_set_vars(&n->spec, &vars);
	if (rq.setup->n || rq.setup_spare->n)
		new_worktree_foreign(rq.repository, &n->spec, &foreign);
	return dry_run ? worktree_client_run(create_request(&rq), NULL, NULL,
					     CHECK_MS, err)
		       : worktree_client_run_until(create_request(&rq), on_line,
						   record, m, n->lock_fd, 0,
						   n->interrupted, err);
}

static cJSON *create_first(struct new_session *n, bool dry_run, struct err *err)
{
	const struct config *c = n->plan.config;
	_free_ char *here = realpath(gitenv_here(), NULL),
		    *location =
			dry_run ? settings_location(c) : make_location(c),
		    *changes = NULL;
	_strv_ struct strv sparse = {0};
	struct create_from from = from_place(n);
	struct create_request rq = {
	    .path = here ? here : n->repository,
	    .repository = n->repository,
	    .location = location,
	    .branch = args_value(n->plan.args, "branch"),
	    /* The base of --after is not known earlier. */
	    .base =
		n->spec.after ? n->spec.base : args_value(n->plan.args, "base"),
	    .base_commit = n->commit,
	    .sparse = &sparse,
	    .no_sparse = args_has(n->plan.args, "no-sparse"),
	    .before_start = config_list(c, OPTION_BEFORE_START)->n > 0,
	    .setup_inside = spec_any_sandbox(&n->spec, &n->spec),
	    .from = n->from.dir ? &from : NULL};

	if (find_changes(n, dry_run, &changes, err) < 0)
		return NULL;
	rq.changes = changes;
	add_sparse(n->plan.args, &sparse);
	if (!rq.base && !n->from.dir && !n->spec.branch_given &&
	    config_str(c, OPTION_BASE)[0])
		rq.base = config_str(c, OPTION_BASE);
	return request_create(&(struct made){n, 0}, c, rq, dry_run, err);
}

/* -- its other repositories ------------------------------------------------ */

/* A worktree beside the first one, as the configuration of its own repository
 * has it, but for the branch's name. */
static cJSON *create_other(struct new_session *n, size_t i,
			   const struct config *c, bool dry_run,
			   struct err *err)
{
	struct spec one = spec_of(&n->spec, i);
	const char *base = config_str(c, OPTION_BASE);
	_free_ char *parent = mem_strdup(n->repository),
		    *location = settings_location(n->plan.config);
	struct create_request rq = {.path = one.repository,
				    .repository = one.repository,
				    .location = location ? location : parent,
				    .base = *base ? base : NULL};

	*strrchr(parent, '/') = '\0';
	return request_create(&(struct made){n, i}, c, rq, dry_run, err);
}

static int make_other(struct new_session *n, size_t i, bool dry_run,
		      struct err *err)
{
	const char *name = spec_of(&n->spec, i).repository_name;
	struct config *c = NULL;
	_strv_ struct strv warnings = {0};
	_json_ cJSON *o = NULL;

	if (others_config(n, i, &c, err) == 0)
		o = create_other(n, i, c, dry_run, err);
	config_destroy(c);
	clear_progress(n);
	if (!o)
		return err_prefix(err, "new '%s': %s", n->spec.name, name);
	if (dry_run)
		spec_set_with(&n->spec, i, o);
	json_strv(o, "warnings", &warnings);
	for (size_t k = 0; k < warnings.n; k++)
		output_warn("%s: %s", name, warnings.v[k]);
	return 0;
}

static int make_others(struct new_session *n, bool dry_run, struct err *err)
{
	for (size_t i = 1; i < spec_count(&n->spec); i++)
		if (make_other(n, i, dry_run, err) < 0)
			return -1;
	return 0;
}

/* -------------------------------------------------------------------------- */

static void report_made(struct new_session *n, cJSON *o)
{
	_strv_ struct strv warnings = {0};

	n->took = cJSON_DetachItemFromObjectCaseSensitive(o, "took");
	json_strv(o, "warnings", &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		output_warn("%s", warnings.v[i]);
	if (json_bool(o, "setup_left", false))
		output_hint("setup runs in the sandbox of '%s', because an "
			    "agent wrote the files",
			    n->spec.name);
	if (!n->spec.after)
		json_strv(o, "hooks_not_run", &n->hooks_not_run);
	if (!n->spec.after && !args_has(n->plan.args, "json"))
		hooks_print_not_run(o, "");
}

static int make(struct new_session *n, struct err *err)
{
	_json_ cJSON *o = NULL;

	if (from_take(n, err) < 0)
		return -1;
	/* The setup command runs in our environment. */
	for (size_t i = 0; i < n->spec.env_names.n; i++)
		if (sandbox_env_is_secret(&n->spec, n->spec.env_names.v[i]))
			unsetenv(n->spec.env_names.v[i]);
	o = create_first(n, false, err);
	clear_progress(n);
	if (!o)
		return err_prefix(err, "new '%s'", n->spec.name);
	report_made(n, o);
	return make_others(n, false, err);
}

int new_worktree_make(struct new_session *n, struct err *err)
{
	cJSON *ready;

	if ((n->spec.place ? record_adopted(n, err) : make(n, err)) < 0)
		return -1;
	ready = cJSON_CreateObject();
	json_set_str(ready, "worktree", n->spec.worktree);
	json_set_str(ready, "branch", n->spec.branch);
	json_set_str(ready, "base_commit", n->spec.base_commit);
	if (n->from.dir) {
		json_set_str(ready, "from", n->from.spec.name);
		json_set_int(ready, "checkpoint", n->checkpoint);
	}
	events_append(n->dir, "ready", ready, NULL);
	if (n->interrupted && *n->interrupted)
		return err_set(err, ERR_FAILED, "new '%s': interrupted",
			       n->spec.name);
	return 0;
}

int new_worktree_check(struct new_session *n, struct err *err)
{
	_json_ cJSON *o = n->spec.place ? NULL : create_first(n, true, err);

	if (n->spec.place)
		return 0;
	if (!o)
		return err_prefix(err, "new '%s'", n->spec.name);
	store_answer(&n->spec, o);
	json_strv(o, "hooks_not_run", &n->hooks_not_run);
	if (n->spec.after) { /* known when that session is done */
		mem_set(&n->spec.base, NULL);
		mem_set(&n->spec.base_commit, NULL);
	}
	return make_others(n, true, err);
}
