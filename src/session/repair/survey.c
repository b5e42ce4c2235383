/* survey.c - the list of probes of what is recorded, and the loop that runs
 * them. commands/doctor_probes.c adds those that session/ cannot make. */
#include "session/repair/survey.h"

#include <string.h>

#include "session/repair/probes.h"

static const struct probe probes[] = {
    {"sessions", FOR_RECONCILE | CHEAP, probe_sessions, repair_session},
    {"removals", FOR_RECONCILE | CHEAP, probe_removals, repair_removals},
    {"sessions being made", FOR_RECONCILE | CHEAP, probe_staging,
     repair_staging},
    {"repositories", FOR_RECONCILE | CHEAP, probe_moved, repair_moved},
    {"worktrees of sessions", FOR_RECONCILE | CHEAP, probe_worktrees, NULL},
    {"directories of worktrees", FOR_RECONCILE | CHEAP, probe_directories,
     repair_directory},
    /* Before sockets, because it ends servers that listen on them. */
    {"tmux servers", FOR_RECONCILE, probe_servers, repair_server},
    {"supervisors", FOR_RECONCILE, probe_supervisors, NULL},
    {"sockets", FOR_RECONCILE | CHEAP, probe_sockets, repair_socket},
    {"processes", FOR_RECONCILE, probe_processes, NULL},
    {"git", FOR_RECONCILE, probe_git, NULL},
    {.name = NULL}};

static void add_repository(struct survey *s, const char *path)
{
	if (path && path[0] == '/' && !strv_has(&s->repositories, path))
		strv_add(&s->repositories, path);
}

static void add_repositories(struct survey *s, const struct spec *spec)
{
	for (size_t i = 0; !spec_is_scratch(spec) && i < spec_count(spec); i++)
		add_repository(s, spec_of(spec, i).repository);
}

static int load_sessions(struct survey *s, struct err *err)
{
	if (session_list_load(&s->sessions, err) < 0 ||
	    trash_list(&s->trash, err) < 0)
		return -1;
	for (size_t i = 0; i < s->sessions.n; i++)
		add_repositories(s, &s->sessions.v[i].spec);
	add_repository(s, s->repository);
	return 0;
}

/* A check of `afw doctor` reports a problem by failing. */
static void add_failure(struct survey *s, const struct probe *p,
			const struct err *err)
{
	bool check = p->uses & FOR_DOCTOR;
	struct finding *f =
	    check ? finding_add(s, "check", NULL, NULL, "%s", err->what)
		  : finding_add(s, "probe_failed", NULL, NULL,
				"checking %s failed: %s", p->name, err->what);

	f->name = mem_strdup(check ? p->name : NULL);
	f->hint = mem_strdup(err->hint[0] ? err->hint : NULL);
	s->found.failed = true;
}

static void run_probes(struct survey *s, unsigned use, const struct probe *rows)
{
	for (const struct probe *p = rows; p && p->name; p++) {
		size_t before = s->found.n;
		struct err err = {0};

		if (!(p->uses & use))
			continue;
		if (p->run(s, &err) < 0)
			add_failure(s, p, &err);
		for (size_t i = before; s->apply && i < s->found.n; i++) {
			struct finding *f = &s->found.v[i];

			if (p->repair && f->safe)
				f->repaired = p->repair(s, f);
		}
	}
}

void survey_run(struct survey *s, unsigned use, const struct probe *more)
{
	struct err err = {0};

	if ((use & (FOR_RECONCILE | CHEAP)) && load_sessions(s, &err) < 0) {
		finding_add(s, "probe_failed", NULL, NULL, "%s", err.what);
		s->found.failed = true;
		return;
	}
	run_probes(s, use, probes);
	run_probes(s, use, more);
}

void survey_finish(struct survey *s)
{
	findings_finish(&s->found);
	session_list_finish(&s->sessions);
	trash_list_finish(&s->trash);
	strv_finish(&s->repositories);
}
