/*
 * diff.c - prints the changes in a worktree, line by line.
 *
 * The text goes to a terminal, and the agent controls contents and names: each
 * character that could act on a terminal or hide text becomes '?'. TAB and LF
 * stay. Colours are added after that, so all colours are afw's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "worktrees/changes/changes.h"
#include "worktrees/changes/patch.h"
#include "worktrees/changes/snapshot.h"
#include "worktrees/checkpoint/checkpoint_diff.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/operations.h"

#define FLUSH_BYTES (32 * 1024)
#define MAX_BYTES   (64 * 1024 * 1024)
#define MAX_MS	    60000

#define STAT_NAME  256
#define STAT_SIGNS 40

struct printing {
	struct output *out;
	struct buf text;
	int64_t bytes, until;
	bool colour, truncated;
	const char *under; /* of the request */
	int64_t files;
	struct counted {	  /* for the table of files and counts only */
		const char *path; /* the diff's */
		size_t added, removed;
		bool binary;
	} * counted;
	size_t n;
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

/* As in git: bold headers, cyan hunks, red and green lines. */
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

/* Adds one or more whole lines of one kind, each coloured by itself. */
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

	/* libgit2 puts a newline in front of "\ No newline at end of file" */
	add_lines(p, line->origin, s, len);
	if (p->text.len >= FLUSH_BYTES && flush(p) < 0)
		return -1;
	return p->bytes > MAX_BYTES ? -1 : 0;
}

static int print_one(struct printing *p, git_patch *patch, struct err *err)
{
	/* a file that vanished meanwhile has no lines to show */
	int r = patch ? git_patch_print(patch, on_line, p) : 0;

	if (r < 0 && p->bytes > MAX_BYTES)
		p->truncated = true;
	else if (r < 0)
		return output_check(p->out, err) < 0
			   ? -1
			   : repo_err(err, ERR_FAILED, "print the diff");
	return 0;
}

static int count_one(struct printing *p, const char *path, git_patch *patch)
{
	struct counted c = {.path = path};

	if (patch) {
		git_patch_line_stats(NULL, &c.added, &c.removed, patch);
		c.binary = (git_patch_get_delta(patch)->flags &
			    GIT_DIFF_FLAG_BINARY) != 0;
	}
	p->counted = mem_realloc(p->counted, (p->n + 1) * sizeof *p->counted);
	p->counted[p->n++] = c;
	return 0;
}

/* Scales n signs so that the longest line has STAT_SIGNS; at least one. */
static int scale_signs(size_t n, size_t most)
{
	if (most <= STAT_SIGNS)
		return (int)n;
	return n ? (int)(n * STAT_SIGNS / most) + (n * STAT_SIGNS < most) : 0;
}

/* Returns the width. */
static int show_name(const struct printing *p, const char *path,
		     char name[STAT_NAME])
{
	_free_ char *full =
	    p->under ? mem_printf("%s/%s", p->under, path) : mem_strdup(path);

	utf8_printable(name, STAT_NAME, full, strlen(full));
	return utf8_width(name, strlen(name));
}

/* " path | 12 +++---" */
static void stat_line(struct printing *p, const struct counted *c, int names,
		      int digits, size_t most)
{
	static const char plus[] = "++++++++++++++++++++++++++++++++++++++++";
	static const char minus[] = "----------------------------------------";
	char name[STAT_NAME];
	int width = show_name(p, c->path, name);

	buf_addf(&p->text, " %s%*s | ", name, names - width, "");
	if (c->binary) {
		buf_addf(&p->text, "%*s\n", digits, "Bin");
		return;
	}
	buf_addf(&p->text, "%*zu", digits, c->added + c->removed);
	if (c->added + c->removed > 0)
		buf_addf(
		    &p->text, " %s%.*s%s%.*s%s", p->colour ? "\033[32m" : "",
		    scale_signs(c->added, most), plus,
		    p->colour ? "\033[31m" : "", scale_signs(c->removed, most),
		    minus, p->colour ? "\033[m" : "");
	buf_addc(&p->text, '\n');
}

/* Prints as `git diff --stat`: names and counts in columns, then the sum. */
static int print_stat(struct printing *p, struct err *err)
{
	size_t added = 0, removed = 0, most = 0;
	int names = 0, digits = 1;
	bool binary = false;

	for (size_t i = 0; i < p->n; i++) {
		const struct counted *c = &p->counted[i];
		char name[STAT_NAME];
		int width = show_name(p, c->path, name);

		names = width > names ? width : names;
		added += c->added;
		removed += c->removed;
		if (c->added + c->removed > most)
			most = c->added + c->removed;
		binary |= c->binary;
	}
	for (size_t rest = most; rest >= 10; rest /= 10)
		digits++;
	if (binary && digits < 3)
		digits = 3;
	for (size_t i = 0; i < p->n; i++) {
		stat_line(p, &p->counted[i], names, digits, most);
		if (p->text.len >= FLUSH_BYTES && flush(p) < 0)
			return output_check(p->out, err);
	}
	if (p->n == 0)
		return 0;
	buf_addf(&p->text, " %zu file%s changed", p->n, p->n == 1 ? "" : "s");
	if (added > 0 || removed == 0)
		buf_addf(&p->text, ", %zu insertion%s(+)", added,
			 added == 1 ? "" : "s");
	if (removed > 0 || added == 0)
		buf_addf(&p->text, ", %zu deletion%s(-)", removed,
			 removed == 1 ? "" : "s");
	buf_addc(&p->text, '\n');
	return 0;
}

static int print_all(struct printing *p, git_repository *git, git_diff *diff,
		     bool stat, struct err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);
		_git_patch_ git_patch *patch = NULL;

		if (d->status == GIT_DELTA_UNMODIFIED)
			continue;
		if (output_check(p->out, err) < 0)
			return -1;
		p->files++;
		p->truncated |=
		    p->bytes > MAX_BYTES || clock_mono_ms() > p->until;
		if (p->truncated)
			continue;
		patch = patch_make(git, diff, i);
		r = stat ? count_one(p, d->new_file.path, patch)
			 : print_one(p, patch, err);
	}
	if (r == 0 && stat)
		r = print_stat(p, err);
	if (r == 0 && flush(p) < 0)
		r = output_check(p->out, err);
	return r;
}

/* Returns the diff of the present work in w and in another worktree of the same
 * repository, to be freed; NULL with err. */
static git_diff *diff_worktrees(const struct repo_worktree *w,
				const struct diff_request *req, struct err *err)
{
	_git_odb_ git_odb *odb = NULL;
	_git_tree_ git_tree *old = NULL, *new = NULL;
	git_oid head, from, to;
	git_diff *diff = NULL;

	if (snapshot_begin(&odb, w->git, err) < 0 ||
	    snapshot_take(&req->place, odb, &head, &from, err) < 0 ||
	    snapshot_take(req->other, odb, &head, &to, err) < 0)
		return NULL;
	if (git_tree_lookup(&old, w->git, &from) < 0 ||
	    git_tree_lookup(&new, w->git, &to) < 0 ||
	    git_diff_tree_to_tree(&diff, w->git, old, new, NULL) < 0)
		repo_err(err, ERR_FAILED, "compare the worktrees");
	return diff;
}

/* Makes the requested diff, to be freed; NULL with err. */
static git_diff *make_diff(const struct repo_worktree *w,
			   const struct diff_request *req, git_oid *base,
			   struct err *err)
{
	bool born = true;

	if (req->other)
		return diff_worktrees(w, req, err);
	if (req->turn || req->from)
		return checkpoint_diff(w, req, err);
	if (req->staged || req->uncommitted)
		born = git_reference_name_to_id(base, w->git, "HEAD") == 0;
	return changes_shown(w, born ? base : NULL, req->staged, req->under,
			     err);
}

static void printing_finish(struct printing *p)
{
	buf_finish(&p->text);
	free(p->counted);
}

int worktree_diff(struct output *out, const struct diff_request *req,
		  cJSON *answer, struct err *err)
{
	CLEANUP(printing_finish)
	struct printing p = {.out = out,
			     .colour = req->colour,
			     .under = req->under,
			     .until = clock_mono_ms() + MAX_MS};
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_git_diff_ git_diff *diff = NULL;
	git_oid base;

	if (repo_worktree_open(&w, &req->place, err) < 0)
		return -1;
	git_oid_fromstr(&base, req->place.base_commit);
	diff = make_diff(&w, req, &base, err);
	if (!diff || print_all(&p, w.git, diff, req->stat, err) < 0)
		return -1;
	json_set_int(answer, "files", p.files);
	json_set_bool(answer, "truncated", p.truncated);
	return 0;
}
