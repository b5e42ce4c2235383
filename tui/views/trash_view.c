/* trash_view.c - removed sessions, to restore or to delete permanently. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/size.h"
#include "tui/actions/command.h"
#include "tui/widgets/rows.h"

/* The trash may have changed if a session was added or removed. */
static uint64_t trash_version(const struct tui *t)
{
	return t->roster.list.n;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Returns what would be lost, in a sentence, for the caller to free. */
static char *holds_text(const cJSON *o)
{
	const cJSON *h = json_get(o, "holds");

	return cJSON_IsString(h)
		   ? mem_printf("holds unsaved work: %s", h->valuestring)
		   : mem_strdup(cJSON_IsNull(h)
				    ? "holds no unsaved work"
				    : "not checked: it may hold unsaved work");
}

static void add_row(struct rows *l, const cJSON *o)
{
	const char *repository = json_str_or(o, "repository", "");
	const char *goes = json_str(o, "goes_at");
	struct row *w = rows_add(l, json_str_or(o, "id", ""));
	int64_t left = goes ? clock_parse(goes) - clock_wall_ms() : -1;
	char size[SIZE_TEXT], in[24] = "";

	size_text(json_int(o, "bytes", 0), size);
	clock_left(left, in, sizeof in);
	w->name = mem_strdup(json_str_or(o, "name", "?"));
	w->note = mem_printf("%4s  %s", size, base_name(repository));
	w->text = holds_text(o);
	w->title = mem_printf("%s of %s%s%s", w->name, repository,
			      goes ? ", deleted in " : ", kept until purged",
			      goes ? in : "");
	w->since = clock_parse(json_str_or(o, "removed_at", ""));
}

/* An entry without an id cannot be changed. */
static bool has_id(const struct row *w)
{
	return strlen(w->key) == SPEC_ID_LEN;
}

static void restore(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct row *w = rows_chosen(v);

	(void)pressed;
	if (has_id(w))
		command_run(t,
			    command_create(mem_strdup("restoring"), "", "trash",
					   "restore", w->key, NULL));
}

static void purge(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct row *w = rows_chosen(v);

	(void)pressed;
	if (has_id(w))
		command_confirm(
		    t,
		    mem_printf("Delete %s for good? It %s.", w->name, w->text),
		    command_create(mem_strdup("purging"), "", "trash", "purge",
				   "--yes", w->key, NULL));
}

static const struct view_key keys[] = {
    {"The sessions that were removed", NULL, NULL, NULL},
    {"u", "restore", NULL, restore},
    {"D", "delete for good", "delete it for good, after asking", purge},
    {"v", "", "read all of what it holds", rows_read},
    ROWS_KEYS,
};

static const struct rows_kind kind = {
    .words = {"trash", "ls", "--holds", "--json"},
    .nothing = "The trash is empty.",
    .heading = "the trash",
    .titles = {"SIZE  REPOSITORY", "FOR", NULL, "UNSAVED WORK"},
    .keys = keys,
    .act = ACT_TRASH,
    .version = trash_version,
    .add = add_row,
};

struct view *trash_view(struct tui *t)
{
	return rows_view(t, &kind);
}
