/* diff_files.c - reads a diff file by file. The counts are from its own text,
 * so that the table always matches the lines below it. */
#include "tui/widgets/diff_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define NAME_COLS 60 /* the counts of longer names are further right */

const struct diff_side diff_sides[DIFF_SIDES] = {
    {"diff", NULL, "(it has changed nothing yet)"},
    {"turn", "--turn", "(nothing has changed since its last turn began)"},
    {"uncommitted", "--uncommitted", "(all that it has changed is committed)"},
    {"staged", "--staged", "(nothing is staged)"},
};

struct file {
	struct buf name;
	bool deleted;
	size_t added, removed;
};

static const char *next_line(const char *at)
{
	at += strcspn(at, "\n");
	return at + (*at == '\n');
}

static bool begins(const char *at, const char *with)
{
	return strncmp(at, with, strlen(with)) == 0;
}

static bool is_file(const char *at)
{
	return begins(at, "diff --git ");
}

/* Appends a name from a header line, which git quotes if it has other
 * characters than ASCII. */
static void add_name(struct buf *out, const char *at, size_t len)
{
	const char *end = at + len;

	if (*at != '"') {
		buf_add(out, at, len);
		return;
	}
	for (at++; at < end && *at != '"'; at++) {
		unsigned c = (unsigned char)*at;

		if (c == '\\' && ++at < end) {
			static const char names[] = "abtnvfr";
			const char *name = strchr(names, *at);

			c = (unsigned char)*at;
			if (name && c)
				c = 7 + (unsigned)(name - names);
			else if (c >= '0' && c <= '3' && end - at > 2)
				c = (c - '0') * 64 +
				    (unsigned)(*++at - '0') * 8,
				c += (unsigned)(*++at - '0');
		}
		buf_addc(out, (char)c);
	}
}

/* Replaces the name by that of a line "+++ b/NAME". */
static void set_name(struct file *f, const char *at, size_t prefix)
{
	_buf_ struct buf name = {0};

	add_name(&name, at, strcspn(at, "\n"));
	if (name.len <= prefix)
		return;
	buf_clear(&f->name);
	buf_add(&f->name, name.data + prefix, name.len - prefix);
}

/* "a/NAME b/NAME": the part after the " b/" in the middle, as a name may
 * contain " b/". */
static void split_name(struct file *f, const char *at)
{
	size_t len = strcspn(at, "\n"), half = (len + 1) / 2;

	if (half > 2 && strncmp(at + half - 1, " b/", 3) == 0)
		set_name(f, at + half, 2);
	else if (half > 2 && strncmp(at + half - 1, " \"b/", 4) == 0)
		set_name(f, at + half, 2);
	else
		set_name(f, at, 0);
}

/* Reads a line of the file's header. */
static void read_header(struct file *f, const char *at)
{
	if (is_file(at))
		split_name(f, at + 11);
	else if (begins(at, "rename to "))
		set_name(f, at + 10, 0);
	else if (begins(at, "+++ ") && !begins(at, "+++ /dev/null\n"))
		set_name(f, at + 4, 2);
	f->deleted |= begins(at, "deleted file mode ");
}

/* Reads the file that begins at a line; returns where the next one begins. */
static const char *read_file(struct file *f, const char *at)
{
	bool lines = false; /* the header has ended */

	buf_clear(&f->name);
	f->deleted = false;
	f->added = f->removed = 0;
	do {
		lines |= begins(at, "@@");
		if (!lines)
			read_header(f, at);
		f->added += lines && *at == '+';
		f->removed += lines && *at == '-';
		at = next_line(at);
	} while (*at && !is_file(at));
	buf_adds(&f->name, "");
	return at;
}

static const char *first_file(const char *diff)
{
	while (*diff && !is_file(diff))
		diff = next_line(diff);
	return diff;
}

static void print_row(struct buf *out, int cols, const char *name, size_t added,
		      size_t removed)
{
	int blanks = cols - paint_width(name);

	buf_addf(out, "  %s%*s  +%zu -%zu\n", name, blanks > 0 ? blanks : 0, "",
		 added, removed);
}

size_t diff_files_print(const char *diff, struct buf *out)
{
	struct file f = {0};
	size_t n = 0, added = 0, removed = 0;
	int cols = 7;
	char sum[32];

	for (const char *at = first_file(diff); *at; n++) {
		int width;

		at = read_file(&f, at);
		width = paint_width(f.name.data);
		cols = width > cols && width <= NAME_COLS ? width : cols;
	}
	if (n)
		buf_addf(out, "  %-*s  CHANGES\n", cols, "FILE");
	for (const char *at = first_file(diff); *at;) {
		at = read_file(&f, at);
		print_row(out, cols, f.name.data, f.added, f.removed);
		added += f.added;
		removed += f.removed;
	}
	snprintf(sum, sizeof sum, "%zu files", n);
	if (n > 1)
		print_row(out, cols, sum, added, removed);
	buf_finish(&f.name);
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
	for (const char *at = head; *at; at = next_line(at))
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
	size_t line = 0;

	for (; *diff; line++, diff = next_line(diff))
		if (is_file(diff) && n-- == 0)
			break;
	return line;
}

/* Returns the number of the first line that a hunk has of the new file. */
static size_t hunk_start(const char *at)
{
	const char *plus = strchr(at, '+');

	return plus ? strtoul(plus + 1, NULL, 10) : 0;
}

size_t diff_files_place(const char *diff, size_t line, struct buf *name)
{
	const char *file = first_file(diff);
	struct file f = {0};
	size_t now = 0, i = 0;

	for (const char *at = diff; *at && i <= line; i++, at = next_line(at))
		file = is_file(at) ? at : file;
	i = 0;
	for (const char *at = diff; at < file; at = next_line(at))
		i++;
	if (*file) {
		read_file(&f, file);
		buf_adds(name, f.name.data);
	}
	buf_finish(&f.name);
	if (!*file || f.deleted)
		return 0;
	for (const char *at = file; *at; i++, at = next_line(at)) {
		if (at != file && is_file(at))
			break;
		if (begins(at, "@@"))
			now = hunk_start(at);
		else if (now && i >= line &&
			 (i == line || *at == '+' || *at == '-'))
			break;
		else
			now += now && (*at == ' ' || *at == '+');
	}
	return now ? now : 1;
}

void diff_files_names(const char *diff, struct strv *out)
{
	struct file f = {0};

	for (const char *at = first_file(diff); *at;) {
		at = read_file(&f, at);
		if (!f.deleted)
			strv_add(out, f.name.data);
	}
	buf_finish(&f.name);
}
