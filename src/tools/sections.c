/*
 * sections.c - the sections of a plan: the headings of the highest level that
 * has more than one, as one above them is the plan's title. Reports are lines
 * "+TITLE" or "-TITLE" in the session's file "sections"; the last line of a
 * title applies. Agents of one session may append at the same time.
 */
#include "tools/sections.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "base/utf8.h"

#define PLAN_MAX     ((size_t)128 * 1024)
#define SECTIONS_MAX 200
#define TITLE_MAX    200
#define LEVELS	     6
#define REPORTS	     "sections"
#define REPORTS_MAX  ((size_t)64 * 1024)

struct section {
	char title[TITLE_MAX];
	int level, line;
	size_t at; /* in the text */
};

struct plan {
	struct buf text;
	struct section *sections; /* all headings */
	size_t n;
	int level; /* of those that are sections */
};

static void finish(struct plan *p)
{
	buf_finish(&p->text);
	free(p->sections);
}

/* The worktree's own file, and through no link: it is the agent's to write. */
static int read_text(const struct toolbox *t, struct buf *out, struct err *err)
{
	const char *last, *tree = t->spec.worktree;
	_close_ int dir =
	    tree ? file_open_parent(AT_FDCWD, tree, PLAN_FILE, 0, &last) : -1;

	if (!tree || (dir < 0 && errno == ENOENT))
		return 0;
	if (dir < 0)
		return err_errno(err, "read %s in the worktree", PLAN_FILE);
	if (file_read(dir, last, PLAN_MAX, out, err) < 0 && errno != ENOENT)
		return -1;
	*err = (struct err){0};
	return 0;
}

/* Returns the level of "## Title ##", 2, and its title; 0 if the line is not a
 * heading. */
static int read_heading(const char *line, size_t len, char title[TITLE_MAX])
{
	size_t level = 0;

	while (level < len && line[level] == '#')
		level++;
	if (level == 0 || level > LEVELS || level == len || line[level] != ' ')
		return 0;
	while (len > level && strchr(" #\r", line[len - 1]))
		len--;
	line += level;
	len -= level;
	while (len > 0 && *line == ' ') {
		line++;
		len--;
	}
	utf8_printable(title, TITLE_MAX, line, len);
	return len > 0 ? (int)level : 0;
}

static void choose_level(struct plan *p)
{
	int count[LEVELS + 1] = {0};

	for (size_t i = 0; i < p->n; i++)
		count[p->sections[i].level]++;
	for (int level = 1; level <= LEVELS && !p->level; level++)
		if (count[level] > 1)
			p->level = level;
	for (int level = 1; level <= LEVELS && !p->level; level++)
		if (count[level])
			p->level = level;
}

/* Finds the headings, except those in a fence of code. */
static void find_sections(struct plan *p)
{
	bool fenced = false;
	int line = 1;

	p->sections = mem_alloc(SECTIONS_MAX * sizeof *p->sections);
	for (size_t at = 0; at < p->text.len && p->n < SECTIONS_MAX; line++) {
		const char *s = p->text.data + at;
		const char *lf = memchr(s, '\n', p->text.len - at);
		size_t len = lf ? (size_t)(lf - s) : p->text.len - at;
		struct section *next = &p->sections[p->n];

		if (len >= 3 && strncmp(s, "```", 3) == 0)
			fenced = !fenced;
		next->level = fenced ? 0 : read_heading(s, len, next->title);
		next->line = line;
		next->at = at;
		p->n += next->level > 0;
		at += len + 1;
	}
	choose_level(p);
}

static int load(const struct toolbox *t, struct plan *p, struct err *err)
{
	if (read_text(t, &p->text, err) < 0)
		return -1;
	find_sections(p);
	return 0;
}

static const struct section *find(const struct plan *p, const char *title,
				  struct err *err)
{
	const char *titles[SECTIONS_MAX + 1] = {NULL};
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->sections[i].level != p->level)
			continue;
		if (strcmp(p->sections[i].title, title) == 0)
			return &p->sections[i];
		titles[n++] = p->sections[i].title;
	}
	err_set(err, ERR_USAGE, "%s has no section '%.100s'", PLAN_FILE, title);
	nearest_append(err, title, titles, "", "");
	return NULL;
}

/* Whether the last report of that title says so. */
static bool is_done(const struct buf *reports, const char *title)
{
	size_t len = strlen(title);
	bool done = false;

	for (size_t at = 0; at < reports->len;) {
		const char *line = reports->data + at;
		size_t n = strcspn(line, "\n");

		if (n == len + 1 && strncmp(line + 1, title, len) == 0)
			done = *line == '+';
		at += n + 1;
	}
	return done;
}

static void read_reports(const struct toolbox *t, struct buf *out)
{
	_free_ char *path = file_join(t->dir, REPORTS);

	file_read(AT_FDCWD, path, REPORTS_MAX, out, NULL);
}

/* To the next heading that is not below it. */
static char *copy_section(const struct plan *p, const struct section *s)
{
	const struct section *end = s + 1;

	while (end < p->sections + p->n && end->level > s->level)
		end++;
	return mem_printf(
	    "%.*s",
	    (int)((end < p->sections + p->n ? end->at : p->text.len) - s->at),
	    p->text.data + s->at);
}

int sections_read(const struct toolbox *t, const char *section, cJSON *out,
		  struct err *err)
{
	CLEANUP(finish) struct plan p = {0};
	_buf_ struct buf reports = {0};
	const struct section *only = NULL;
	_free_ char *text = NULL;
	int64_t done = 0;
	cJSON *list;

	if (load(t, &p, err) < 0 ||
	    (*section && !(only = find(&p, section, err))))
		return -1;
	if (!p.text.len)
		return 0;
	read_reports(t, &reports);
	if (only)
		text = copy_section(&p, only);
	json_set_str(out, "plan", only ? text : p.text.data);
	list = json_set_array(out, "sections");
	for (size_t i = 0; i < p.n; i++) {
		const struct section *s = &p.sections[i];
		cJSON *one;

		if (s->level != p.level)
			continue;
		one = cJSON_CreateObject();
		json_set_str(one, "title", s->title);
		json_set_int(one, "line", s->line);
		json_set_bool(one, "done", is_done(&reports, s->title));
		done += is_done(&reports, s->title);
		cJSON_AddItemToArray(list, one);
	}
	json_set_int(out, "sections_done", done);
	return 0;
}

int sections_report(const struct toolbox *t, const char *section, bool done,
		    struct err *err)
{
	CLEANUP(finish) struct plan p = {0};
	_free_ char *path = file_join(t->dir, REPORTS);
	_buf_ struct buf reports = {0}, line = {0};
	_close_ int fd = -1;

	if (load(t, &p, err) < 0 || !find(&p, section, err))
		return -1;
	read_reports(t, &reports);
	if (is_done(&reports, section) == done)
		return 0;
	buf_addf(&line, "%c%s\n", done ? '+' : '-', section);
	if (reports.len + line.len > REPORTS_MAX)
		return err_set(err, ERR_LIMIT, "too many reports on sections");
	fd = file_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, err);
	if (fd < 0)
		return -1;
	return file_write_all(fd, line.data, line.len) < 0
		   ? err_errno(err, "write %s", path)
		   : 0;
}
