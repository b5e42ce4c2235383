/* trash_list.c - afw trash ls. */
#include "commands/trash_list.h"

#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/name.h"
#include "commands/output.h"
#include "commands/settings.h"
#include "session/queue.h"

/* What the directory takes. */
struct size {
	int64_t files, bytes;
};

static struct size size_of(const struct trashed *t)
{
	const char *dir = t->worktree ? json_str(t->worktree, "trash") : NULL;
	char *const paths[] = {(char *)dir, NULL};
	FTS *walk = dir ? fts_open(paths, FTS_PHYSICAL | FTS_XDEV, NULL) : NULL;
	struct size size = {0};
	FTSENT *e;

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

/* When it goes; 0: not by itself. */
static int64_t goes_at(const struct trashed *t)
{
	struct config *config = NULL;
	int64_t keep = 0;

	if (settings_load(&config, NULL, NULL) == 0)
		keep = config_int(config, OPTION_TRASH_KEEP);
	config_destroy(config);
	return keep && !t->forever ? t->removed_at + keep : 0;
}

void trash_list_json(const struct trashed_list *l)
{
	cJSON *all = cJSON_CreateArray();

	for (size_t i = 0; i < l->n; i++) {
		const struct trashed *t = &l->v[i];
		struct size size = size_of(t);
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
		clock_format(goes_at(t), at);
		json_set_str(o, "goes_at", goes_at(t) ? at : NULL);
		if (t->worktree)
			json_set_str(o, "trash",
				     json_str(t->worktree, "trash"));
		json_set_int(o, "files", size.files);
		json_set_int(o, "bytes", size.bytes);
		json_set_int(o, "queued", (int64_t)queue_count(t->dir));
		cJSON_AddItemToArray(all, o);
	}
	output_json(all);
}

static void print_size(int64_t bytes, char *out, size_t size)
{
	static const char units[] = "KMGTP";
	size_t i = 0;

	bytes = (bytes + 1023) / 1024;
	for (; bytes > 9999 && units[i + 1]; i++)
		bytes = (bytes + 1023) / 1024;
	snprintf(out, size, "%lld%c", (long long)bytes, units[i]);
}

void trash_list_table(const struct trashed_list *l)
{
	static const char *const titles[] = {"NAME",	"REPOSITORY", "AGO",
					     "GOES IN", "SIZE",	      "FILES"};
	struct table *out = table_create(6);
	int64_t now = clock_wall_ms();
	char text[32];

	for (size_t i = 0; i < 6; i++)
		table_cell(out, titles[i], "");
	for (size_t i = 2; i < 6; i++)
		table_right(out, i);
	for (size_t i = 0; i < l->n; i++) {
		const struct trashed *t = &l->v[i];
		struct size size = size_of(t);
		int64_t goes = goes_at(t);

		table_cell(out, t->spec.name, "");
		table_cell(out, t->spec.repository_name, "");
		clock_age(now - t->removed_at, text, sizeof text);
		table_cell(out, text, "");
		clock_age(goes > now ? goes - now : 0, text, sizeof text);
		table_cell(out, goes ? text : "-", "");
		print_size(size.bytes, text, sizeof text);
		table_cell(out, text, "");
		snprintf(text, sizeof text, "%lld", (long long)size.files);
		table_cell(out, text, "");
	}
	if (l->n)
		table_print(out, output_colour(), output_width());
	else
		puts("the trash is empty");
	table_destroy(out);
}

void trash_list_names(const struct trashed_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct spec *s = &l->v[i].spec;
		size_t same = 0;

		for (size_t j = 0; j < l->n; j++)
			same += strcmp(l->v[j].spec.name, s->name) == 0;
		printf("%.*s\n", same > 1 ? 8 : (int)NAME_CHECK_MAX,
		       same > 1 ? s->id : s->name);
	}
}
