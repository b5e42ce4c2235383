/* reconcile_run.c - compares what is recorded with what is there: the run. */
#include "session/repair/reconcile_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct finding *reconcile_add(struct reconcile_run *r, const char *kind,
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

const struct session *reconcile_session(const struct reconcile_run *r,
					const char *id)
{
	for (size_t i = 0; i < r->sessions.n; i++)
		if (strcmp(r->sessions.v[i].spec.id, id) == 0)
			return &r->sessions.v[i];
	return NULL;
}

bool reconcile_is_trashed(const struct reconcile_run *r, const char *id)
{
	for (size_t i = 0; i < r->trash.n; i++)
		if (strcmp(r->trash.v[i].spec.id, id) == 0)
			return true;
	return reconcile_session(r, id) != NULL;
}

static void add_repository(struct reconcile_run *r, const char *path)
{
	if (path && path[0] == '/' && !strv_has(&r->repositories, path))
		strv_add(&r->repositories, path);
}

void reconcile_run(const struct reconcile *how, struct findings *out)
{
	static const struct {
		const char *name;
		int (*run)(struct reconcile_run *r, struct err *err);
		bool cheap;
	} probes[] = {
	    {"sessions", reconcile_probe_sessions, true},
	    {"removals", reconcile_probe_removals, true},
	    {"sessions being made", reconcile_probe_staging, true},
	    {"worktrees of sessions", reconcile_probe_worktrees_gone, true},
	    {"directories of worktrees", reconcile_probe_directories, true},
	    /* Before sockets: it ends who listens on them. */
	    {"tmux servers", reconcile_probe_servers, false},
	    {"supervisors", reconcile_probe_left, false},
	    {"ways to supervisors", reconcile_probe_reach, false},
	    {"sockets", reconcile_probe_sockets, true},
	    {"containers", reconcile_probe_containers, false},
	    {"processes", reconcile_probe_processes, false},
	    {"git", reconcile_probe_git, false},
	};
	struct reconcile_run r = {.how = how, .out = out};
	struct err err = {0};

	*out = (struct findings){0};
	if (session_list_load(&r.sessions, &err) < 0 ||
	    trash_list(&r.trash, &err) < 0) {
		reconcile_add(&r, "probe_failed", NULL, NULL, "%s", err.what);
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
			reconcile_add(&r, "probe_failed", NULL, NULL,
				      "the look at %s failed: %s",
				      probes[i].name, err.what);
	}
	for (size_t i = 0; i < out->n; i++)
		out->failed |= strcmp(out->v[i].kind, "probe_failed") == 0;
	session_list_finish(&r.sessions);
	trash_list_finish(&r.trash);
	strv_finish(&r.repositories);
}
