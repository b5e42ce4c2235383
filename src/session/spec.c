/* spec.c - spec.json, read strictly and written durably. */
#include "session/spec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/made_dir.h"
#include "base/name.h"
#include "base/random.h"
#include "base/session_vars.h"

#define LOG_MAX ((size_t)4 * 1024 * 1024)

#define NAMED(name, kind, member, use, none)                                   \
	FIELD_ROW(spec, name, kind, member, use, none)
#define ROW_OR(kind, member, use, none) NAMED(#member, kind, member, use, none)
#define ROW(kind, member, use)		ROW_OR(kind, member, use, 0)
#define FILE				FIELD_FILE
#define BOARD				FIELD_BOARD
#define JSON				FIELD_JSON

const struct field spec_fields[] = {
    ROW(TEXT, name, FILE | BOARD | JSON),
    ROW(TEXT, repository, FILE | BOARD | JSON),
    ROW(TEXT, checkout, FILE),
    ROW(TEXT, repository_name, FILE | BOARD | JSON),
    ROW(TEXT, worktree, FILE | BOARD | JSON),
    ROW(TEXT, worktree_id, FILE),
    ROW(U64, worktree_ino, FILE),
    ROW(TEXT, place, FILE),
    ROW(TEXT, subdir, FILE | JSON),
    ROW(TEXT, branch, FILE | BOARD | JSON),
    ROW(TEXT, checked_out, BOARD | JSON),
    ROW(BOOL, branch_given, FILE),
    ROW(BOOL, template_read_home, FILE),
    ROW(TEXT, base, FILE | BOARD | JSON),
    ROW(TEXT, base_commit, FILE | JSON),
    ROW(INT, first_port, FILE | BOARD | JSON),
    ROW(TEXT, slug, FILE | JSON),
    ROW(TEXT, harness, FILE | BOARD | JSON),
    ROW(LIST, command, FILE),
    ROW(TEXT, backend, FILE | JSON),
    ROW(TEXT, sandbox, FILE | JSON),
    ROW(TEXT, after, FILE | JSON),
    ROW(TEXT, after_id, FILE),
    NAMED("template", TEXT, template_name, FILE | JSON, 0),
    ROW(TEXT, template_from, FILE),
    ROW(TEXT, profile, FILE | JSON),
    ROW(LIST, overrides, FILE | JSON),
    ROW(TEXT, system_prompt, FILE),
    ROW(TEXT, instructions, FILE),
    ROW(TEXT, conversation, FILE),
    ROW(LIST, env_names, FILE),
    ROW(TEXT, image, FILE),
    ROW(LIST, linked, FILE),
    ROW(ARRAY, with, FILE | JSON),
    ROW(OBJECT, harness_config, FILE),
    ROW(OBJECT, mcp, FILE),
    ROW(OBJECT, bridge, FILE),
    ROW(ARRAY, services, FILE),
    ROW(ARRAY, approve, FILE),
    ROW(ARRAY, prices, FILE),
    ROW_OR(INT, cols, FILE, 80),
    ROW_OR(INT, rows, FILE, 24),
#define SPEC_OPTION(id, kind, member, none, ...)                               \
	ROW_OR(kind, member, FILE, none),
#include "config/options.def"
    NAMED("pinned", BOOL, flags.pinned, FILE | BOARD, 0),
    NAMED("archived", BOOL, flags.archived, FILE | BOARD, 0),
    NAMED("snoozed", BOOL, flags.snoozed, FILE | BOARD, 0),
    NAMED("snoozed_until", TIME, flags.snoozed_until, FILE | BOARD | JSON, 0),
    NAMED("hidden_notices", INT64, flags.hidden_notices, FILE | BOARD, 0),
    NAMED("hidden_word", INT, flags.hidden_word, FILE | BOARD, 0),
    NAMED("note", TEXT, flags.note, FILE | BOARD | JSON, 0),
    ROW(TIME, created_at, FILE | BOARD | JSON),
    {.name = NULL}};

void spec_finish(struct spec *s)
{
	fields_finish(spec_fields, s);
	free(s->private_git);
	*s = (struct spec){0};
}

static cJSON *to_json(const struct spec *s)
{
	cJSON *o = cJSON_CreateObject();

	json_set_int(o, "v", s->with ? SPEC_WITH : SPEC_VERSION);
	json_set_str(o, "id", s->id);
	fields_write(spec_fields, FIELD_FILE, s, o);
	json_set_bool(o, "private_git", s->private_git != NULL);
	return o;
}

int spec_save(const struct spec *s, const char *session_dir, bool durable,
	      struct err *err)
{
	_buf_ struct buf text = {0};
	_free_ char *path = file_join(session_dir, "spec.json");
	_json_ cJSON *o = to_json(s);

	json_print(o, &text);
	buf_addc(&text, '\n');
	if (text.len > SPEC_FILE_MAX)
		return err_set(err, ERR_LIMIT,
			       "the session's specification is over %d bytes",
			       SPEC_FILE_MAX);
	return file_replace(AT_FDCWD, path, text.data, text.len, durable, err);
}

static int from_json(struct spec *s, cJSON *o, struct err *err)
{
	const char *id = json_str_or(o, "id", "");

	if (json_int(o, "v", 0) > SPEC_WITH) {
		errno = EPROTONOSUPPORT;
		return err_set(err, ERR_FAILED,
			       "it was written by a newer afw (version %lld)",
			       (long long)json_int(o, "v", 0));
	}
	if (!random_is_hex(id, SPEC_ID_LEN))
		return err_set(err, ERR_FAILED, "it has no valid id");
	memcpy(s->id, id, SPEC_ID_LEN + 1);
	fields_read(spec_fields, FIELD_FILE, s, o, NULL);
	if (!s->name || name_check(s->name, NULL) < 0)
		return err_set(err, ERR_FAILED, "it has no valid name");
	if (!s->harness || !s->backend || !s->sandbox)
		return err_set(err, ERR_FAILED, "it is not complete");
	return 0;
}

/* Returns whether git has renamed the branch, by the log of the new one. */
static bool was_renamed(const char *git, const char *from, const char *to)
{
	_free_ char *log = mem_printf("%s/logs/refs/heads/%s", git, to);
	_free_ char *said =
	    mem_printf("\tBranch: renamed refs/heads/%s to ", from);
	_buf_ struct buf text = {0};

	return !strstr(to, "..") &&
	       file_read(AT_FDCWD, log, LOG_MAX, &text, NULL) == 0 &&
	       text.data && strstr(text.data, said);
}

char *spec_git_entry(const struct spec *s)
{
	_free_ char *git = gitfile_dir(s->repository ? s->repository : "/");
	const char *id = s->worktree_id ? s->worktree_id : "-";

	if (git && strcmp(id, ".") == 0)
		return TAKE_PTR(git);
	return mem_printf("%s/worktrees/%s", git ? git : "", id);
}

bool spec_read_head(struct spec *s)
{
	_free_ char *git = gitfile_dir(s->repository ? s->repository : "/");
	_free_ char *entry = spec_git_entry(s);
	_free_ char *on =
	    gitfile_branch(s->private_git ? s->private_git : entry);
	_free_ char *was = TAKE_PTR(s->checked_out);

	if (on && s->branch && strcmp(on, s->branch) != 0) {
		if (!s->private_git && was_renamed(git, s->branch, on)) {
			mem_set(&s->branch, on);
			return true;
		}
		s->checked_out = mem_strdup(*on ? on : "(no branch)");
	}
	return was && s->checked_out ? strcmp(was, s->checked_out) != 0
				     : was != s->checked_out;
}

void spec_set_private(struct spec *s, const char *session_dir)
{
	cJSON *o;

	free(s->private_git);
	s->private_git = file_join(session_dir, SPEC_GIT_DIR);
	cJSON_ArrayForEach (o, s->with) {
		_free_ char *path =
		    mem_printf("%s-%s", s->private_git,
			       json_str_or(o, "repository_name", ""));

		cJSON_DeleteItemFromObjectCaseSensitive(o, "private_git");
		json_set_str(o, "private_git", path);
	}
}

int spec_load(struct spec *s, const char *session_dir, struct err *err)
{
	_free_ char *path = file_join(session_dir, "spec.json");
	_json_ cJSON *o = NULL;
	int rc;

	*s = (struct spec){0};
	o = json_load(AT_FDCWD, path, SPEC_FILE_MAX, err);
	rc = o ? from_json(s, o, err) : -1;
	if (o && rc < 0)
		err_prefix(err, "read %s", path);
	if (rc == 0 && json_bool(o, "private_git", false))
		spec_set_private(s, session_dir);
	return rc;
}

struct repo_place spec_place(const struct spec *s)
{
	return (struct repo_place){.repository = s->repository,
				   .worktree = s->worktree,
				   .worktree_id = s->worktree_id,
				   .branch = s->branch,
				   .branch_given = s->branch_given,
				   .adopted = s->place != NULL,
				   .base = s->base,
				   .base_commit = s->base_commit,
				   .private = s->private_git,
				   .ino = s->worktree_ino};
}

int spec_open_worktree(const struct spec *s, struct err *err)
{
	int parent = s->place ? -1 : made_dir_parent(s->worktree, err);
	int fd = parent, why;

	if (parent >= 0 || s->place)
		fd = made_dir_open(parent, s->worktree, s->worktree_ino, err);
	why = errno;
	file_close(parent);
	if (fd < 0 && why == ENOENT) {
		err_set(err, ERR_FAILED, "its worktree %s is gone",
			s->worktree);
		err_hint(err,
			 "put it back, or mount its disk (`git worktree repair "
			 "PATH` repairs git's side of one that was moved); "
			 "otherwise `afw rm %s` removes the session",
			 s->name);
	}
	errno = why;
	return fd;
}

char *spec_directory(const struct spec *s)
{
	return s->subdir ? file_join(s->worktree, s->subdir)
			 : mem_strdup(s->worktree);
}

int spec_open_subdir(const struct spec *s, struct err *err)
{
	_close_ int tree = spec_open_worktree(s, err), parent = -1;
	const char *last;
	int fd = -1;

	if (tree < 0 || !s->subdir)
		return TAKE_FD(tree);
	parent = file_open_parent(tree, ".", s->subdir, 0, &last);
	if (parent >= 0)
		fd = openat(parent, last, FILE_DIR_FLAGS);
	return fd >= 0 ? fd
		       : err_errno(err, "open the subdir %s of %s", s->subdir,
				   s->worktree);
}

int spec_open_directory(const struct spec *s, struct err *err)
{
	return strcmp(s->sandbox, "none") == 0 ? spec_open_subdir(s, err)
					       : spec_open_worktree(s, err);
}

const char *spec_checkout(const struct spec *s)
{
	return s->checkout ? s->checkout : s->repository;
}

bool spec_has_checkout(const struct spec *s)
{
	return s->repository && s->worktree && s->worktree_id &&
	       s->worktree_ino != 0;
}

bool spec_has_worktree(const struct spec *s)
{
	return !s->place && spec_has_checkout(s);
}

bool spec_is_scratch(const struct spec *s)
{
	return s->place && strcmp(s->place, SPEC_SCRATCH) == 0;
}

bool spec_has_scratch_files(const struct spec *s, const char *session_dir)
{
	_free_ char *path = file_join(session_dir, SPEC_SCRATCH);
	_dir_ DIR *d = spec_is_scratch(s) ? file_list(AT_FDCWD, path) : NULL;

	/* One that cannot be read may have files. */
	return spec_is_scratch(s) &&
	       (d ? file_list_next(d) != NULL : errno != ENOENT);
}

int spec_check_checkout(const struct spec *s, struct err *err)
{
	if (spec_has_checkout(s))
		return 0;
	return spec_is_scratch(s) && s->worktree
		   ? err_set(err, ERR_FAILED, "it works in %s, without git",
			     s->worktree)
		   : err_set(err, ERR_FAILED, "it has no worktree");
}

int spec_check_own(const struct spec *s, struct err *err)
{
	if (spec_has_worktree(s))
		return 0;
	if (!s->place || !spec_has_checkout(s))
		return spec_check_checkout(s, err);
	err_set(err, ERR_FAILED,
		"it has no worktree of its own: it works in %s", s->worktree);
	return err_hint(err, "use git there");
}

bool spec_any_sandbox(const struct spec *a, const struct spec *b)
{
	return strcmp(a->sandbox, "none") != 0 ||
	       strcmp(b->sandbox, "none") != 0;
}

void spec_set_vars(const struct spec *spec, struct strv *env)
{
	session_vars_set(spec->first_port, spec->slug, env);
}

void spec_set_env(const struct spec *spec, const char *run, struct strv *env)
{
	const struct {
		const char *name, *value;
	} all[] = {
	    {"AFW_SESSION", spec->id},
	    {"AFW_WORKSPACE", spec->name},
	    {"AFW_ROLE", spec->template_name},
	    {"AFW_BRANCH", spec->branch},
	    {"AFW_REPOSITORY", spec->repository},
	    {"AFW_RUN", run},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].value)
			env_set(env, all[i].name, all[i].value);
		else
			env_apply(env, all[i].name);
	spec_set_vars(spec, env);
}
