/* reconcile.c - compares what is recorded with what is there: the probes. */
#include "session/reconcile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "session/dirs.h"
#include "session/events.h"
#include "session/lock.h"
#include "session/orphans.h"
#include "session/session.h"
#include "session/trash.h"
#include "wire/worktree_client.h"

#define GIT_MS 60000

struct run {
	const struct reconcile *how;
	struct findings *out;
	struct session_list sessions;
	struct trashed_list trash;
	struct strv repositories; /* of all sessions, each once */
};

static struct finding *add(struct run *r, const char *kind,
			   const struct session *s, const char *path,
			   const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

static struct finding *add(struct run *r, const char *kind,
			   const struct session *s, const char *path,
			   const char *fmt, ...)
{
	struct finding *f;
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	r->out->v = mem_realloc(r->out->v, (r->out->n + 1) * sizeof *r->out->v);
	f = &r->out->v[r->out->n++];
	*f = (struct finding){
	    .kind = kind, .path = mem_strdup(path), .text = mem_strdup(text)};
	if (s) {
		memcpy(f->id, s->spec.id, sizeof s->spec.id);
		f->name = mem_strdup(s->spec.name);
	}
	return f;
}

void findings_finish(struct findings *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->v[i].name);
		free(f->v[i].path);
		free(f->v[i].text);
		free(f->v[i].hint);
	}
	free(f->v);
	*f = (struct findings){0};
}

static const struct session *by_id(const struct run *r, const char *id)
{
	for (size_t i = 0; i < r->sessions.n; i++)
		if (strcmp(r->sessions.v[i].spec.id, id) == 0)
			return &r->sessions.v[i];
	return NULL;
}

/* -- sessions -------------------------------------------------------------- */

/* What every reader sees anyway is written down, under the lock. */
static bool mark(const struct session *s, struct err *err)
{
	int lock = lock_take(s->dir, err);
	struct state state;
	bool done = false;
	cJSON *o;

	if (lock < 0)
		return false;
	if (state_load(&state, s->dir, err) == 0) {
		if (phase_is_live(state.phase)) {
			state.phase = PHASE_ERROR;
			state.lost = s->lost;
			state.activity = ACTIVITY_NONE;
			state.pid = state.supervisor_pid = 0;
			state_set(&state.error_reason, s->state.error_reason);
			state_set(&state.detail, NULL);
			done = state_save(&state, s->dir, true, err) == 0;
		}
		state_finish(&state);
	}
	if (done) {
		o = cJSON_CreateObject();
		json_set_str(o, "phase", "error");
		json_set_str(o, "reason", s->state.error_reason);
		events_append(s->dir, "phase", o, NULL);
	}
	close(lock);
	return done;
}

/* Whether the state file itself still says that it lives. */
static bool is_marked(const struct session *s)
{
	struct state state;
	bool live;

	if (state_load(&state, s->dir, NULL) < 0)
		return true;
	live = phase_is_live(state.phase);
	state_finish(&state);
	return !live;
}

static int probe_sessions(struct run *r, struct err *err)
{
	for (size_t i = 0; i < r->sessions.n; i++) {
		const struct session *s = &r->sessions.v[i];
		struct finding *f;

		if (s->broken) {
			add(r, "broken_session", s, s->dir,
			    "its files cannot be read: %s",
			    s->state.error_reason);
			continue;
		}
		if (s->alive || s->state.phase != PHASE_ERROR || is_marked(s))
			continue;
		f = add(r, "lost_session", s, s->dir, "%s",
			s->state.error_reason);
		f->safe = true;
		f->hint = mem_printf("afw resume %s", s->spec.name);
		f->repaired = r->how->apply && mark(s, err);
	}
	return 0;
}

static int probe_worktrees_gone(struct run *r, struct err *err)
{
	(void)err;
	for (size_t i = 0; i < r->sessions.n; i++) {
		const struct session *s = &r->sessions.v[i];
		struct stat st;
		struct finding *f;

		if (s->broken || !spec_has_worktree(&s->spec) ||
		    lstat(s->spec.worktree, &st) == 0 || errno != ENOENT)
			continue;
		f = add(r, "session_without_worktree", s, s->spec.worktree,
			"its worktree %s is gone", s->spec.worktree);
		f->hint = mem_printf("afw rm %s", s->spec.name);
	}
	return 0;
}

/* -- the directories of worktrees ------------------------------------------ */

static bool is_claimed(const struct run *r, const char *path)
{
	for (size_t i = 0; i < r->sessions.n; i++)
		if (r->sessions.v[i].spec.worktree &&
		    strcmp(r->sessions.v[i].spec.worktree, path) == 0)
			return true;
	return false;
}

static bool is_trashed(const struct run *r, const char *id)
{
	for (size_t i = 0; i < r->trash.n; i++)
		if (strcmp(r->trash.v[i].spec.id, id) == 0)
			return true;
	return by_id(r, id) != NULL;
}

static void look_at_trash(struct run *r, const char *dir)
{
	struct dirent *e;
	DIR *d = opendir(dir);

	while (d && (e = readdir(d))) {
		char *path;

		if (e->d_name[0] == '.' || is_trashed(r, e->d_name))
			continue;
		path = file_join(dir, e->d_name);
		add(r, "trash_without_session", NULL, path,
		    "%s is in the trash, but no session is there for it", path);
		free(path);
	}
	if (d)
		closedir(d);
}

static int look_in(struct run *r, const char *dir, struct err *err)
{
	struct dirent *e;
	DIR *d = opendir(dir);

	if (!d && errno == ENOENT)
		return 0;
	if (!d)
		return err_errno(err, "list %s", dir);
	while ((e = readdir(d))) {
		char *path = file_join(dir, e->d_name);
		struct finding *f;

		if (strcmp(e->d_name, ".trash") == 0) {
			look_at_trash(r, path);
		} else if (strncmp(e->d_name, ".removed-", 9) == 0) {
			add(r, "removal_unfinished", NULL, path,
			    "%s is what a removal that was cut off has left; "
			    "the next one deletes it",
			    path);
		} else if (e->d_name[0] != '.' && !is_claimed(r, path)) {
			f = add(r, "worktree_without_session", NULL, path,
				"no session has the worktree %s", path);
			f->hint = mem_strdup("look at it; `git worktree "
					     "remove` takes it away");
		}
		free(path);
	}
	closedir(d);
	return 0;
}

static char *place_of(const char *repository)
{
	const char *slash = strrchr(repository, '/');

	return mem_printf("%.*s/.af_worktrees", (int)(slash - repository),
			  repository);
}

static int probe_directories(struct run *r, struct err *err)
{
	struct strv seen = {0};
	int rc = 0;

	for (size_t i = 0; i < r->repositories.n; i++) {
		char *dir = place_of(r->repositories.v[i]);
		bool known = false;

		for (size_t j = 0; j < seen.n; j++)
			known |= strcmp(seen.v[j], dir) == 0;
		if (!known && look_in(r, dir, err) < 0)
			rc = -1;
		strv_take(&seen, dir);
	}
	strv_finish(&seen);
	return rc;
}

/* -- git --------------------------------------------------------------------
 */

static void entries(struct run *r, const cJSON *answer)
{
	const cJSON *o;

	cJSON_ArrayForEach (
	    o, cJSON_GetObjectItemCaseSensitive(answer, "entries")) {
		const char *path = json_str_or(o, "worktree", "?");
		const char *why = json_str(o, "why");
		struct finding *f =
		    add(r, "git_entry", NULL, path,
			"git has an entry for the worktree %s, which is gone%s"
			"%s",
			path, why ? "; it stays: " : "", why ? why : "");

		f->safe = !why;
		f->repaired = json_bool(o, "cleared", false);
	}
}

static void branches(struct run *r, const char *repository, const cJSON *answer)
{
	const cJSON *o;

	cJSON_ArrayForEach (
	    o, cJSON_GetObjectItemCaseSensitive(answer, "branches")) {
		const char *branch = json_str_or(o, "branch", "?");
		bool merged = json_bool(o, "merged", false);
		struct finding *f =
		    add(r, "branch_without_session", NULL, repository,
			"the branch %s in %s has no session: %s", branch,
			repository,
			merged ? "another branch has all of its commits"
			       : "it has commits that no other branch has");

		if (merged)
			f->hint = mem_printf("git -C %s branch -d %s",
					     repository, branch);
	}
}

static int probe_git(struct run *r, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < r->repositories.n; i++) {
		const char *repository = r->repositories.v[i];
		struct strv ids = {0}, names = {0};
		cJSON *rq = cJSON_CreateObject(), *answer;
		struct stat st;

		for (size_t j = 0; j < r->sessions.n; j++) {
			const struct spec *s = &r->sessions.v[j].spec;

			if (!s->repository ||
			    strcmp(s->repository, repository) != 0)
				continue;
			if (s->worktree_id)
				strv_add(&ids, s->worktree_id);
			if (s->branch)
				strv_add(&names, s->branch);
		}
		json_set_str(rq, "op", "reconcile");
		json_set_str(rq, "path", repository);
		json_set_str(rq, "branch_prefix", r->how->branch_prefix);
		json_set_strv(rq, "keep_ids", &ids);
		json_set_strv(rq, "keep_branches", &names);
		json_set_bool(rq, "apply", r->how->apply);
		if (stat(repository, &st) < 0 && errno == ENOENT) {
			add(r, "repository_gone", NULL, repository,
			    "the repository %s of %zu sessions is gone",
			    repository, names.n);
		} else {
			answer =
			    worktree_client_run(rq, NULL, NULL, GIT_MS, err);
			if (!answer)
				rc = err_prefix(err, "%s", repository);
			entries(r, answer);
			branches(r, repository, answer);
			cJSON_Delete(answer);
		}
		cJSON_Delete(rq);
		strv_finish(&ids);
		strv_finish(&names);
	}
	return rc;
}

/* -- sockets -----------------------------------------------------------------
 */

/* The lock is held while it goes, so that nobody makes it anew just then. */
static bool remove_socket(const struct session *s, const char *path)
{
	int lock = s ? lock_take(s->dir, NULL) : -1;
	bool done = (!s || lock >= 0) && unlink(path) == 0;

	if (lock >= 0)
		close(lock);
	return done;
}

static bool is_listened_on(const char *path)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	int fd, rc = 0;

	if (strlen(path) >= sizeof addr.sun_path)
		return true;
	memcpy(addr.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return true;
	rc = connect(fd, (struct sockaddr *)&addr, sizeof addr);
	/* Anything but a plain refusal may be a server. */
	rc = rc == 0 || errno != ECONNREFUSED;
	close(fd);
	return rc;
}

/* The control socket, tmux's, and the one of tmux's pane. */
static bool is_our_socket(const char *suffix)
{
	return strcmp(suffix, ".sock") == 0 || strcmp(suffix, ".tmux") == 0 ||
	       strcmp(suffix, ".pane") == 0;
}

static int probe_sockets(struct run *r, struct err *err)
{
	char *dir = dirs_runtime(err);
	struct dirent *e;
	DIR *d;

	if (!dir)
		return -1;
	d = opendir(dir);
	while (d && (e = readdir(d))) {
		char id[SPEC_ID_LEN + 1], *path;
		const struct session *s;
		struct finding *f;
		struct stat st;

		if (strspn(e->d_name, "0123456789abcdef") != SPEC_ID_LEN)
			continue;
		snprintf(id, sizeof id, "%.32s", e->d_name);
		s = by_id(r, id);
		path = file_join(dir, e->d_name);
		if ((!s || !lock_is_held(s->dir)) && lstat(path, &st) == 0) {
			bool served = S_ISSOCK(st.st_mode) &&
				      is_listened_on(path);

			f = add(r, "stale_runtime_file", s, path,
				served ? "%s: a server outlived its supervisor"
				       : "%s is there, but nobody listens",
				path);
			f->safe = S_ISSOCK(st.st_mode) && !served &&
				  is_our_socket(e->d_name + SPEC_ID_LEN);
			f->repaired =
			    f->safe && r->how->apply && remove_socket(s, path);
		}
		free(path);
	}
	if (d)
		closedir(d);
	free(dir);
	return 0;
}

/* -- processes ----------------------------------------------------------------
 */

static void on_process(void *ctx, pid_t pid, const char *id)
{
	struct run *r = ctx;
	const struct session *s = by_id(r, id);
	char *sessions, *dir;
	struct finding *f;
	bool other;

	if (s && lock_is_held(s->dir))
		return;
	/* Of another data directory, or made after we looked. */
	sessions = dirs_sessions(NULL);
	dir = sessions ? file_join(sessions, id) : NULL;
	other = !s && (!dir || access(dir, F_OK) < 0) && !is_trashed(r, id);
	free(dir);
	free(sessions);
	if (other)
		return;
	f = add(r, "process_left", s, NULL,
		"process %d is of a session whose supervisor is gone",
		(int)pid);
	f->pid = pid;
	if (s)
		f->hint = mem_printf("afw stop %s", s->spec.name);
}

static int probe_processes(struct run *r, struct err *err)
{
	(void)err;
	orphans_each(on_process, r);
	return 0;
}

/* -- all ---------------------------------------------------------------------
 */

static void add_repository(struct run *r, const char *path)
{
	if (!path || path[0] != '/')
		return;
	for (size_t i = 0; i < r->repositories.n; i++)
		if (strcmp(r->repositories.v[i], path) == 0)
			return;
	strv_add(&r->repositories, path);
}

void reconcile_run(const struct reconcile *how, struct findings *out)
{
	static const struct {
		const char *name;
		int (*run)(struct run *r, struct err *err);
		bool cheap;
	} probes[] = {
	    {"sessions", probe_sessions, true},
	    {"worktrees of sessions", probe_worktrees_gone, true},
	    {"directories of worktrees", probe_directories, true},
	    {"sockets", probe_sockets, true},
	    {"processes", probe_processes, false},
	    {"git", probe_git, false},
	};
	struct run r = {.how = how, .out = out};
	struct err err = {0};

	*out = (struct findings){0};
	if (session_list_load(&r.sessions, &err) < 0 ||
	    trash_list(&r.trash, &err) < 0) {
		add(&r, "probe_failed", NULL, NULL, "%s", err.what);
		out->failed = true;
	}
	for (size_t i = 0; i < r.sessions.n; i++)
		add_repository(&r, r.sessions.v[i].spec.repository);
	add_repository(&r, how->repository);
	for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
		if ((how->cheap && !probes[i].cheap) || out->failed)
			continue;
		err = (struct err){0};
		if (probes[i].run(&r, &err) < 0)
			add(&r, "probe_failed", NULL, NULL,
			    "the look at %s failed: %s", probes[i].name,
			    err.what);
	}
	for (size_t i = 0; i < out->n; i++)
		out->failed |= strcmp(out->v[i].kind, "probe_failed") == 0;
	session_list_finish(&r.sessions);
	trash_list_finish(&r.trash);
	strv_finish(&r.repositories);
}
