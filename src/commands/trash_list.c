/* trash_list.c - afw trash ls. */
#include "commands/trash_list.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "commands/output.h"
#include "session/queue.h"

static int64_t number(const struct trashed *t, const char *key)
{
	return t->worktree ? json_int(t->worktree, key, 0) : 0;
}

void trash_list_json(const struct trashed_list *l)
{
	cJSON *all = cJSON_CreateArray();

	for (size_t i = 0; i < l->n; i++) {
		const struct trashed *t = &l->v[i];
		cJSON *o = cJSON_CreateObject();
		struct strv missing = {0};
		char at[CLOCK_RFC3339_SIZE];

		json_set_str(o, "id", t->spec.id);
		json_set_str(o, "name", t->spec.name);
		json_set_str(o, "repository", t->spec.repository);
		json_set_str(o, "worktree", t->spec.worktree);
		json_set_str(o, "branch", t->spec.branch);
		json_set_str(o, "harness", t->spec.harness);
		clock_format(t->removed_at, at);
		json_set_str(o, "removed_at", at);
		if (t->worktree) {
			json_set_str(o, "commit",
				     json_str(t->worktree, "commit"));
			json_set_str(o, "ref", json_str(t->worktree, "ref"));
			json_set_str(o, "trash",
				     json_str(t->worktree, "trash"));
			json_strv(t->worktree, "unsaved", &missing);
			json_set_strv(o, "unsaved", &missing);
			strv_finish(&missing);
		}
		json_set_int(o, "files", number(t, "files"));
		json_set_int(o, "bytes", number(t, "bytes"));
		json_set_int(o, "queued", (int64_t)queue_count(t->dir));
		cJSON_AddItemToArray(all, o);
	}
	output_json(all);
}

void trash_list_table(const struct trashed_list *l)
{
	static const char *const titles[] = {"NAME", "REPOSITORY", "AGO",
					     "FILES", "COMMIT"};
	struct table *out = table_create(5);
	int64_t now = clock_wall_ms();
	char text[32];

	for (size_t i = 0; i < 5; i++)
		table_cell(out, titles[i], "");
	table_right(out, 2);
	table_right(out, 3);
	for (size_t i = 0; i < l->n; i++) {
		const struct trashed *t = &l->v[i];

		table_cell(out, t->spec.name, "");
		table_cell(out, t->spec.repository_name, "");
		clock_age(now - t->removed_at, text, sizeof text);
		table_cell(out, text, "");
		snprintf(text, sizeof text, "%lld",
			 (long long)number(t, "files"));
		table_cell(out, text, "");
		snprintf(text, sizeof text, "%.10s",
			 t->worktree ? json_str_or(t->worktree, "commit", "-")
				     : "-");
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
		printf("%.*s\n", same > 1 ? 8 : (int)SPEC_NAME_MAX,
		       same > 1 ? s->id : s->name);
	}
}
