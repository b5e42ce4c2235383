/* diff_files.c - reads a diff file by file. The counts are from its own text,
 * so that the table always matches the lines below it. */
#include "tui/widgets/diff_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "session/review/diff_walk.h"

#define NAME_COLS 60 /* the counts of longer names are further right */

const struct diff_side diff_sides[DIFF_SIDES] = {
    {"diff", NULL, "(it has changed nothing yet)"},
    {"turn", "--turn", "(nothing has changed since its last turn began)"},
    {"uncommitted", "--uncommitted", "(all that it has changed is committed)"},
    {"staged", "--staged", "(nothing is staged)"},
};

static void print_row(struct buf *out, int cols, const char *name, size_t added,
		      size_t removed)
{
	int blanks = cols - paint_width(name);

	buf_addf(out, "  %s%*s  +%zu -%zu\n", name, blanks > 0 ? blanks : 0, "",
		 added, removed);
}

/* A file's row of the table. */
struct counted {
	char *name;
	size_t added, removed;
};

/* Returns one for each file of the diff; to be freed with their names. */
static struct counted *count_files(const char *diff, size_t *n)
{
	_diff_walk_ struct diff_walk w = {.next = diff};
	struct counted *files = NULL, *f = NULL;

	*n = 0;
	while (diff_walk_next(&w)) {
		if (w.starts) {
			files = mem_grow(files, *n, sizeof *files);
			f = &files[(*n)++];
			*f = (struct counted){
			    .name = mem_strdup(w.name.data ? w.name.data : "")};
		}
		if (f && w.body) {
			f->added += *w.line == '+';
			f->removed += *w.line == '-';
		}
	}
	return files;
}

size_t diff_files_print(const char *diff, struct buf *out)
{
	size_t n, added = 0, removed = 0;
	_free_ struct counted *files = count_files(diff, &n);
	int cols = 7;
	char sum[32];

	for (size_t i = 0; i < n; i++) {
		int width = paint_width(files[i].name);

		cols = width > cols && width <= NAME_COLS ? width : cols;
	}
	if (n)
		buf_addf(out, "  %-*s  CHANGES\n", cols, "FILE");
	for (size_t i = 0; i < n; i++) {
		const struct counted *f = &files[i];

		print_row(out, cols, f->name, f->added, f->removed);
		added += f->added;
		removed += f->removed;
		free(f->name);
	}
	snprintf(sum, sizeof sum, "%zu files", n);
	if (n > 1)
		print_row(out, cols, sum, added, removed);
	return n;
}

void diff_files_set(struct scroll *s, const char *head, const char *diff,
		    bool whole)
{
	_buf_ struct buf all = {0};
	bool had_files = s->files > 0;
	long chosen = diff_files_chosen(s);
	size_t files;

	buf_adds(&all, head);
	s->files_at = 1;
	for (const char *at = head; (at = strchr(at, '\n')); at++)
		s->files_at++;
	files = diff_files_print(diff, &all);
	if (whole)
		buf_addf(&all, "%s%s", files ? "\n" : "", diff);
	s->files = files;
	scroll_set(s, all.data);
	if (files && s->chooses && (!had_files || chosen >= 0))
		scroll_choose(s,
			      s->files_at + (size_t)(had_files ? chosen : 0));
}

long diff_files_chosen(const struct scroll *s)
{
	if (s->chooses && s->chosen >= s->files_at &&
	    s->chosen < s->files_at + s->files)
		return (long)(s->chosen - s->files_at);
	return -1;
}

size_t diff_files_above(const struct scroll *s)
{
	return s->files ? s->files_at + s->files + (s->files > 1) + 1
			: s->files_at - 1;
}

size_t diff_files_start(const char *diff, size_t n)
{
	_diff_walk_ struct diff_walk w = {.next = diff};

	while (diff_walk_next(&w))
		if (w.starts && n-- == 0)
			return w.row;
	return w.rows;
}

size_t diff_files_place(const char *diff, size_t line, struct buf *name)
{
	_diff_walk_ struct diff_walk w = {.next = diff};
	_buf_ struct buf last = {0};
	bool found = false, deleted = false;
	size_t now = 0;

	while (diff_walk_next(&w)) {
		if (w.starts && found && w.row > line)
			break;
		if (w.starts) {
			found = true;
			deleted = w.deleted;
			buf_clear(&last);
			buf_adds(&last, w.name.len ? w.name.data : "");
		}
		if (w.body && w.row >= line &&
		    (w.row == line || *w.line != ' ')) {
			now = w.new_line;
			break;
		}
		now = w.next_new;
	}
	buf_adds(name, last.len ? last.data : "");
	if (!found || deleted)
		return 0;
	return now ? now : 1;
}

void diff_files_names(const char *diff, struct strv *out)
{
	_diff_walk_ struct diff_walk w = {.next = diff};

	while (diff_walk_next(&w))
		if (w.starts && !w.deleted && w.name.len)
			strv_add(out, w.name.data);
}
