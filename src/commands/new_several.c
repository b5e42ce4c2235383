/*
 * new_several.c - makes several sessions for one task. Each is checked and made
 * like any other, from a command line of its own (attempts.h); a first pass, a
 * dry run that prints nothing, finds what would fail.
 */
#include "commands/new_several.h"

#include <stdlib.h>

#include "commands/cli/output.h"
#include "commands/launch/attempts.h"
#include "commands/launch/dry_run.h"
#include "commands/launch/new_worktree.h"
#include "commands/launch/spares.h"
#include "commands/new_check.h"
#include "commands/new_report.h"
#include "session/live/limit.h"

struct several {
	struct attempts list;
	const struct plan *read;
	char *commit; /* from which all start */
	struct new_session v[ATTEMPTS_MAX];
};

static void start_over(struct several *m, bool dry_run)
{
	for (size_t i = 0; i < m->list.n; i++)
		m->v[i] = (struct new_session){.plan.args = &m->list.v[i],
					       .plan.dry_run = dry_run,
					       .read = m->read,
					       .commit = m->commit,
					       .lock_fd = -1,
					       .names_fd = -1};
}

static void finish_all(struct several *m)
{
	for (size_t i = 0; i < m->list.n; i++)
		new_finish(&m->v[i]);
}

/* Checks all as a dry run does, and that all may run. */
static int check_all(struct several *m, struct err *err)
{
	for (size_t i = 0; i < m->list.n; i++) {
		m->v[i].commit = m->v[0].commit; /* fetched once */
		if (new_check(&m->v[i], err) < 0 ||
		    (!args_has(m->read->args, "dry-run") &&
		     new_worktree_check(&m->v[i], err) < 0))
			return -1;
	}
	if (m->v[0].spec.base_commit)
		m->commit = mem_strdup(m->v[0].spec.base_commit);
	if (!args_has(&m->list.v[0], "no-start") &&
	    limit_check(config_int(m->v[0].plan.config, OPTION_MAX_SESSIONS),
			(int)m->list.n, err) < 0)
		return err_prefix(err, "new: %zu more", m->list.n);
	return 0;
}

/* Adds to the error which are made and which are not. */
static void err_name_made(const struct several *m, size_t made, struct err *err)
{
	_buf_ struct buf line = {0};

	for (size_t i = 0; i < m->list.n; i++)
		buf_addf(&line, "%s%s",
			 i == 0	     ? made ? "made: " : "not made: "
			 : i == made ? "; not made: "
				     : ", ",
			 m->list.v[i].positional[0]);
	err_hint_line(err, "%s", line.data);
}

static int make_all(struct several *m, struct err *err)
{
	size_t made = 0;
	int rc = 0;

	while (rc == 0 && made < m->list.n) {
		m->v[made].checkpoint = m->v[0].checkpoint;
		m->v[made].brief = m->v[0].brief;
		rc = new_check(&m->v[made], err);
		if (rc == 0)
			rc = provision_make(&m->v[made], err);
		made += rc == 0;
	}
	if (rc < 0)
		err_name_made(m, made, err);
	if (made > 0)
		spares_make(&m->v[0].spec,
			    config_str(m->v[0].plan.config, OPTION_SPARES));
	for (size_t i = 0; i < made; i++) {
		struct err why = {0};

		if (new_report(&m->v[i], &why) < 0)
			rc = output_one_failed(rc, &why, err);
	}
	return rc;
}

int new_several(const struct new_words *words, struct err *err)
{
	const struct args *args = &words->args;
	struct several m = {.read = &words->read};
	int rc = attempts_read(&m.list, args, err);

	start_over(&m, true);
	if (rc == 0)
		rc = check_all(&m, err);
	for (size_t i = 0; args_has(args, "dry-run") && i < m.list.n; i++)
		if (rc == 0)
			rc = dry_run_print(&m.v[i], err);
	finish_all(&m);
	start_over(&m, false);
	if (rc == 0 && !args_has(args, "dry-run"))
		rc = make_all(&m, err);
	finish_all(&m);
	free(m.commit);
	attempts_finish(&m.list);
	return rc;
}
