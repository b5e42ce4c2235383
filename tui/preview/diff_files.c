/* diff_files.c - lists the files of a diff with counts from its own text, so
 * that the list always matches the lines below it. */
#include "tui/preview/diff_files.h"

#include <stdbool.h>
#include <string.h>

struct count {
	size_t added, removed;
};

/* Appends the name in "diff --git a/NAME b/NAME": the part after the " b/" in
 * the middle, as a name may contain " b/". */
static void add_name(struct buf *out, const char *line, size_t len)
{
	static const char head[] = "diff --git a/";
	size_t names = sizeof head - 1, half;

	if (len <= names)
		return;
	half = (len - names + 3) / 2; /* "NAME b/NAME" */
	if (half > 2 && strncmp(line + names + half - 3, " b/", 3) == 0)
		buf_add(out, line + names + half, len - names - half);
	else
		buf_add(out, line + names - 2, len - names + 2); /* renamed */
}

static void end_file(struct buf *out, const char *head, const struct count *c)
{
	if (!head)
		return;
	buf_addf(out, "  +%-5zu -%-5zu ", c->added, c->removed);
	add_name(out, head, strcspn(head, "\n"));
	buf_addc(out, '\n');
}

void diff_files(const char *diff, struct buf *out)
{
	struct count now = {0}, all = {0};
	const char *head = NULL;
	bool lines = false; /* the file's header has ended */
	size_t files = 0;

	for (const char *at = diff; *at; at += *at == '\n') {
		if (strncmp(at, "diff --git ", 11) == 0) {
			end_file(out, head, &now);
			now = (struct count){0};
			head = at;
			lines = false;
			files++;
		} else if (strncmp(at, "@@", 2) == 0) {
			lines = true;
		} else if (lines && *at == '+') {
			now.added++;
			all.added++;
		} else if (lines && *at == '-') {
			now.removed++;
			all.removed++;
		}
		at += strcspn(at, "\n");
	}
	end_file(out, head, &now);
	if (files)
		buf_addf(out, " %zu file%s, +%zu -%zu\n\n", files,
			 files == 1 ? "" : "s", all.added, all.removed);
}
