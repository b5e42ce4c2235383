/*
 * diff.c - what an agent has done in its worktree, line by line.
 *
 * The text goes to a terminal, and contents and names are the agent's: each
 * character that could act on a terminal or hide text becomes '?'. TAB and
 * LF stay. Colours are put in after that, so that they are only ours.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "worktrees/brought.h"
#include "worktrees/changes.h"
#include "worktrees/worktree.h"

#define FLUSH_BYTES (32 * 1024)
#define MAX_BYTES   (64 * 1024 * 1024)
#define MAX_MS	    60000

struct printing {
	struct output *out;
	struct buf text;
	int64_t bytes, until;
	bool colour, truncated;
	int64_t files;
};

static int flush(struct printing *p)
{
	int r = output_text(p->out, "diff", p->text.data, p->text.len);

	p->bytes += (int64_t)p->text.len;
	buf_clear(&p->text);
	return r;
}

static void add_safe(struct buf *to, const char *s, size_t len)
{
	size_t at = 0;

	while (at < len) {
		uint32_t cp;
		size_t n = utf8_decode(s + at, len - at, &cp);

		if (n == 0 || (cp != '\t' && cp != '\n' && utf8_cp_unsafe(cp)))
			buf_addc(to, '?');
		else
			buf_add(to, s + at, n);
		at += n ? n : 1;
	}
}

/* As git's own: bold headers, cyan hunks, red and green lines. */
static const char *colour_of(char origin)
{
	switch (origin) {
	case GIT_DIFF_LINE_FILE_HDR:
	case GIT_DIFF_LINE_BINARY:
		return "\033[1m";
	case GIT_DIFF_LINE_HUNK_HDR:
		return "\033[36m";
	case GIT_DIFF_LINE_ADDITION:
	case GIT_DIFF_LINE_ADD_EOFNL:
		return "\033[32m";
	case GIT_DIFF_LINE_DELETION:
	case GIT_DIFF_LINE_DEL_EOFNL:
		return "\033[31m";
	default:
		return NULL;
	}
}

/* One or more whole lines of one kind, each coloured by itself. */
static void add_lines(struct printing *p, char origin, const char *s,
		      size_t len)
{
	const char *colour = p->colour ? colour_of(origin) : NULL;

	while (len > 0) {
		const char *lf = memchr(s, '\n', len);
		size_t n = lf ? (size_t)(lf - s) : len;

		if (colour)
			buf_adds(&p->text, colour);
		if (origin == GIT_DIFF_LINE_ADDITION ||
		    origin == GIT_DIFF_LINE_DELETION ||
		    origin == GIT_DIFF_LINE_CONTEXT)
			buf_addc(&p->text, origin);
		add_safe(&p->text, s, n);
		if (colour)
			buf_adds(&p->text, "\033[m");
		if (lf || (origin != GIT_DIFF_LINE_ADDITION &&
			   origin != GIT_DIFF_LINE_DELETION &&
			   origin != GIT_DIFF_LINE_CONTEXT))
			buf_addc(&p->text, '\n');
		s += lf ? n + 1 : n;
		len -= lf ? n + 1 : n;
	}
}

static int on_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
		   const git_diff_line *line, void *ctx)
{
	struct printing *p = ctx;
	const char *s = line->content;
	size_t len = line->content_len;

	(void)delta;
	(void)hunk;
	/* libgit2 puts a newline in front of "\ No newline at end of file" */
	add_lines(p, line->origin, s, len);
	if (p->text.len >= FLUSH_BYTES && flush(p) < 0)
		return -1;
	return p->bytes > MAX_BYTES ? -1 : 0;
}

static int print_one(struct printing *p, git_diff *diff, size_t i,
		     struct err *err)
{
	git_patch *patch = NULL;
	int r;

	if (output_go_on(p->out, err) < 0)
		return -1;
	if (p->bytes > MAX_BYTES || clock_mono_ms() > p->until) {
		p->truncated = true;
		return 0;
	}
	/* a file that vanished meanwhile has no lines to show */
	if (git_patch_from_diff(&patch, diff, i) < 0 || !patch)
		return 0;
	r = git_patch_print(patch, on_line, p);
	git_patch_free(patch);
	if (r < 0 && p->bytes > MAX_BYTES)
		p->truncated = true;
	else if (r < 0)
		return output_go_on(p->out, err) < 0
			   ? -1
			   : repo_err(err, ERR_FAILED, "print the diff");
	return 0;
}

/* " path | 12 +++---" as `git diff --stat`, of at most width columns. */
static void stat_line(struct printing *p, const char *path, size_t added,
		      size_t removed, bool binary)
{
	char name[256], plus[41], minus[41];
	size_t total = added + removed;
	size_t a = total <= 40 ? added : added * 40 / total;
	size_t r = total <= 40 ? removed : removed * 40 / total;

	if (total > 40 && added && !a)
		a = 1;
	if (total > 40 && removed && !r)
		r = 1;
	memset(plus, '+', sizeof plus);
	memset(minus, '-', sizeof minus);
	plus[a < 40 ? a : 40] = '\0';
	minus[r < 40 ? r : 40] = '\0';
	utf8_printable(name, sizeof name, path, strlen(path));
	if (binary)
		buf_addf(&p->text, " %s | Bin\n", name);
	else
		buf_addf(&p->text, " %s | %zu %s%s%s%s%s\n", name, total,
			 p->colour ? "\033[32m" : "", plus,
			 p->colour ? "\033[31m" : "", minus,
			 p->colour ? "\033[m" : "");
}

static int stat_one(struct printing *p, git_diff *diff, size_t i,
		    struct err *err)
{
	const git_diff_delta *d = git_diff_get_delta(diff, i);
	const char *path = d->new_file.path;
	git_patch *patch = NULL;
	size_t added = 0, removed = 0;
	bool binary = false;

	if (output_go_on(p->out, err) < 0)
		return -1;
	if (clock_mono_ms() > p->until) {
		p->truncated = true;
		return 0;
	}
	if (git_patch_from_diff(&patch, diff, i) == 0 && patch) {
		git_patch_line_stats(NULL, &added, &removed, patch);
		d = git_patch_get_delta(patch);
		binary = (d->flags & GIT_DIFF_FLAG_BINARY) != 0;
	}
	stat_line(p, path, added, removed, binary);
	git_patch_free(patch);
	return p->text.len >= FLUSH_BYTES && flush(p) < 0
		   ? output_go_on(p->out, err)
		   : 0;
}

static int print_all(struct printing *p, const struct repo_worktree *w,
		     git_diff *diff, bool stat, struct err *err)
{
	struct brought brought;
	int r = 0;

	brought_read(&brought, w);
	for (size_t i = 0; r == 0 && i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);

		if (d->status == GIT_DELTA_UNMODIFIED ||
		    d->status == GIT_DELTA_IGNORED ||
		    (d->status == GIT_DELTA_UNTRACKED &&
		     brought_has(&brought, w, d->new_file.path)))
			continue;
		p->files++;
		r = stat ? stat_one(p, diff, i, err)
			 : print_one(p, diff, i, err);
	}
	brought_finish(&brought);
	if (r == 0 && flush(p) < 0)
		r = output_go_on(p->out, err);
	return r;
}

int worktree_diff(struct output *out, const cJSON *req, cJSON *answer,
		  struct err *err)
{
	struct printing p = {.out = out,
			     .colour = json_bool(req, "colour", false),
			     .until = clock_mono_ms() + MAX_MS};
	struct repo_worktree w;
	git_diff *diff = NULL;
	git_oid base;
	int r = -1;

	if (changes_base(req, &base, err) < 0)
		return -1;
	if (repo_worktree_open(&w, req, false, err) == 0)
		diff = changes_since(&w, &base, err);
	if (diff)
		r = print_all(&p, &w, diff, json_bool(req, "stat", false), err);
	json_set_int(answer, "files", p.files);
	json_set_bool(answer, "truncated", p.truncated);
	git_diff_free(diff);
	buf_finish(&p.text);
	repo_worktree_finish(&w);
	return r;
}
