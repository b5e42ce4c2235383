/* trash_list.c - afw trash ls. */
#include "commands/trash_list.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/name.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/launch/settings.h"
#include "commands/trash_sweep.h"
#include "session/disk/queue.h"

/* The size of a directory. */
struct size {
	int64_t files, bytes;
};

static struct size measure_size(const struct trashed *t)
{
	_free_ char *scratch =
	    spec_is_scratch(&t->spec) ? file_join(t->dir, SPEC_SCRATCH) : NULL;
	const char *dir =
	    t->worktree ? json_str(t->worktree, "trash") : scratch;
	_strv_ struct strv paths = {0};
	struct size size = {0};
	const cJSON *o;
	FTSENT *e;
	FTS *walk;

	if (dir)
		strv_add(&paths, dir);
	cJSON_ArrayForEach (o, json_get(t->worktree, "with"))
		if (json_str(o, "trash"))
			strv_add(&paths, json_str(o, "trash"));
	walk =
	    paths.n ? fts_open(paths.v, FTS_PHYSICAL | FTS_XDEV, NULL) : NULL;

	while (walk && (e = fts_read(walk))) {
		if (e->fts_info == FTS_DP || !e->fts_statp)
			continue;
		size.files += e->fts_info != FTS_D;
		size.bytes += (int64_t)e->fts_statp->st_blocks * 512;
	}
	if (walk)
		fts_close(walk);
	return size;
}

/* time limit for all sessions; the rest are reported as not checked */
#define CHECK_MS 20000

struct found {
	struct size size;
	/* when it will be deleted, wall ms; 0: not automatically */
	int64_t goes;
	bool known;  /* it was checked for unsaved work */
	char *holds; /* its unsaved work, or NULL */
};

static void add_json(cJSON *all, const struct trashed *t, const struct found *f)
{
	cJSON *o = cJSON_CreateObject();
	char at[CLOCK_RFC3339_SIZE];

	json_set_str(o, "id", t->spec.id);
	json_set_str(o, "name", t->spec.name);
	json_set_str(o, "repository", t->spec.repository);
	json_set_str(o, "worktree", t->spec.worktree);
	json_set_str(o, "branch", t->spec.branch);
	json_set_str(o, "harness", t->spec.harness);
	clock_format(t->removed_at, at);
	json_set_str(o, "removed_at", at);
	clock_format(f->goes, at);
	json_set_str(o, "goes_at", f->goes ? at : NULL);
	if (t->worktree)
		json_set_str(o, "trash", json_str(t->worktree, "trash"));
	json_set_int(o, "files", f->size.files);
	json_set_int(o, "bytes", f->size.bytes);
	json_set_int(o, "queued", (int64_t)queue_count(t->dir));
	if (f->known)
		json_set_text(o, "holds", f->holds);
	cJSON_AddItemToArray(all, o);
}

static void add_row(struct table *out, const struct trashed *t,
		    const struct found *f, bool holds)
{
	int64_t now = clock_wall_ms();
	char left[24] = "-";

	table_cell(out, t->spec.name, NULL);
	table_cell(out, t->spec.repository_name, NULL);
	table_age(out, now - t->removed_at);
	if (f->goes)
		clock_left(f->goes - now, left, sizeof left);
	table_cell(out, t->deleting ? "now" : left, NULL);
	table_size(out, f->size.bytes);
	table_cellf(out, "%lld", (long long)f->size.files);
	if (holds)
		table_cell(out,
			   !f->known  ? "?"
			   : f->holds ? f->holds
				      : "-",
			   NULL);
}

void trash_list_print(const struct trashed_list *l, bool json, bool holds)
{
	static const char *const titles[] = {
	    "NAME",  "REPOSITORY", ">REMOVED", ">DELETED IN",
	    ">SIZE", ">ALL FILES", "HOLDS"};
	int64_t keep_ms = settings_trash_keep(),
		end = clock_mono_ms() + CHECK_MS;
	cJSON *all = json ? cJSON_CreateArray() : NULL;
	struct table *out;

	if (!json && l->n == 0) {
		puts("the trash is empty");
		return;
	}
	out = json ? NULL : table_create(holds ? 7 : 6, titles);
	for (size_t i = 0; i < l->n; i++) {
		const struct trashed *t = &l->v[i];
		int64_t goes =
		    t->deleting ? t->removed_at : trash_sweep_due(t, keep_ms);
		struct found f = {measure_size(t), goes, false, NULL};

		f.known = holds && clock_mono_ms() < end &&
			  trash_sweep_check(t, false, &f.holds, NULL) == 0;
		if (json)
			add_json(all, t, &f);
		else
			add_row(out, t, &f, holds);
		free(f.holds);
	}
	if (json)
		output_json(all);
	else
		table_end(out);
}

const char *trash_list_called(const struct trashed_list *l,
			      const struct spec *s, char out[80])
{
	size_t same = 0;

	for (size_t i = 0; i < l->n; i++)
		same += strcmp(l->v[i].spec.name, s->name) == 0;
	snprintf(out, 80, "%.*s", same > 1 ? 8 : (int)NAME_CHECK_MAX,
		 same > 1 ? s->id : s->name);
	return out;
}

void trash_list_names(const struct trashed_list *l)
{
	char name[80];

	for (size_t i = 0; i < l->n; i++)
		puts(trash_list_called(l, &l->v[i].spec, name));
}
