/* diff_walk.c - finds the file of each line of a diff, and the line's number.
 */
#include "session/review/diff_walk.h"

#include <stdlib.h>
#include <string.h>

static bool begins(const char *at, const char *with)
{
	return strncmp(at, with, strlen(with)) == 0;
}

static const char *line_after(const char *at)
{
	at += strcspn(at, "\n");
	return at + (*at == '\n');
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
static void set_name(struct diff_walk *w, const char *at, size_t prefix)
{
	_buf_ struct buf name = {0};

	add_name(&name, at, strcspn(at, "\n"));
	if (name.len <= prefix)
		return;
	buf_clear(&w->name);
	buf_add(&w->name, name.data + prefix, name.len - prefix);
}

/* "a/NAME b/NAME": the part after the " b/" in the middle, as a name may
 * contain " b/". */
static void split_name(struct diff_walk *w, const char *at)
{
	size_t len = strcspn(at, "\n"), half = (len + 1) / 2;

	if (half > 2 && strncmp(at + half - 1, " b/", 3) == 0)
		set_name(w, at + half, 2);
	else if (half > 2 && strncmp(at + half - 1, " \"b/", 4) == 0)
		set_name(w, at + half, 2);
	else
		set_name(w, at, 0);
}

static bool is_file(const char *at)
{
	return begins(at, "diff --git ");
}

/* Reads the file's header, whose later lines have more of its name. */
static void start_file(struct diff_walk *w, const char *at)
{
	w->deleted = w->in_hunk = false;
	w->next_new = w->next_old = 0;
	split_name(w, at + 11);
	for (at = line_after(at); *at && !is_file(at) && !begins(at, "@@");
	     at = line_after(at)) {
		if (begins(at, "rename to "))
			set_name(w, at + 10, 0);
		else if (begins(at, "+++ ") && !begins(at, "+++ /dev/null\n"))
			set_name(w, at + 4, 2);
		w->deleted |= begins(at, "deleted file mode ");
	}
}

/* "@@ -OLD,N +NEW,N @@" */
static void start_hunk(struct diff_walk *w, const char *at)
{
	const char *minus = strchr(at, '-'), *plus = strchr(at, '+');

	w->in_hunk = true;
	w->next_old = minus ? strtoul(minus + 1, NULL, 10) : 0;
	w->next_new = plus ? strtoul(plus + 1, NULL, 10) : 0;
}

bool diff_walk_next(struct diff_walk *w)
{
	const char *at = w->next;

	if (!*at)
		return false;
	w->line = at;
	w->len = strcspn(at, "\n");
	w->next = at + w->len + (at[w->len] == '\n');
	w->row = w->rows++;
	w->starts = is_file(at);
	if (w->starts)
		start_file(w, at);
	else if (w->name.len && begins(at, "@@"))
		start_hunk(w, at);
	w->body = w->in_hunk && (*at == ' ' || *at == '+' || *at == '-');
	w->new_line = w->next_new;
	w->old_line = w->next_old;
	w->next_new += w->body && *at != '-';
	w->next_old += w->body && *at != '+';
	return true;
}

void diff_walk_finish(struct diff_walk *w)
{
	buf_finish(&w->name);
}
