/*
 * ini_edit.c - changes one key of an INI text: each line is kept, dropped, or
 * gets the new value. The reader (ini.c) decides which lines an entry has, so
 * that the format is defined once.
 */
#include "config/ini_edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/ini.h"

#define BLANKS " \t"

struct line {
	const char *s;
	size_t len; /* without its end */
	size_t raw; /* with it */
	bool taken; /* by an entry of the reader */
	bool drop;
};

struct edit {
	const struct ini_change *change;
	struct line *v;
	size_t n;
	const char *eol;
	struct buf *out;
	/* Lines count from 1; 0: none. */
	int hit,
	    hits; /* the last line that sets the key; number of such lines */
	int last_hit_line; /* the last line of its value */
	int section_end;   /* the last line of an entry of the section */
	char *value;	   /* as read, of the last hit */
	bool first_pass;
	struct buf
	    others[2]; /* all other entries, before and after the change */
};

static void split_lines(struct edit *e, const char *text, size_t len)
{
	const char *end = text + len;

	e->eol = "\n";
	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		size_t raw = (size_t)((nl ? nl + 1 : end) - text);
		size_t n = raw - (nl != NULL);

		if (n > 0 && nl && text[n - 1] == '\r') {
			n--;
			e->eol = "\r\n";
		}
		e->v = mem_realloc(e->v, (e->n + 1) * sizeof *e->v);
		e->v[e->n++] = (struct line){.s = text, .len = n, .raw = raw};
		text += raw;
	}
}

/* Returns the first character that is not blank, or '\0'. */
static char first_of(const struct line *l)
{
	for (size_t i = 0; i < l->len; i++)
		if (!strchr(BLANKS, l->s[i]))
			return l->s[i];
	return '\0';
}

static bool is_comment(const struct line *l)
{
	return l->len == 0 || strchr("#;", first_of(l));
}

static int on_entry(void *ctx, const struct ini_entry *entry, struct err *err)
{
	struct edit *e = ctx;
	bool ours = strcmp(entry->section, e->change->section) == 0;
	bool hit = ours && strcmp(entry->key, e->change->key) == 0;

	(void)err;
	for (int i = entry->line; e->first_pass && i <= entry->last_line; i++) {
		struct line *l = &e->v[i - 1];

		l->taken = true;
		l->drop |= hit && !is_comment(l) &&
			   (e->change->adds_up || !e->change->value);
	}
	if (ours)
		e->section_end = entry->last_line;
	if (!hit) {
		buf_addf(&e->others[!e->first_pass], "%s\n%s\n%s\n",
			 entry->section, entry->key, entry->value);
		return 0;
	}
	e->hit = entry->line;
	e->last_hit_line = entry->last_line;
	e->hits++;
	free(e->value);
	e->value = mem_strdup(entry->value);
	return 0;
}

/* -- where a new line goes ------------------------------------------------- */

static bool is_header(const struct line *l)
{
	return !l->taken && first_of(l) == '[';
}

/* True for "[dashboard]", if that is the section. */
static bool is_header_of(const struct line *l, const char *section)
{
	const char *s = memchr(l->s, '[', l->len);
	size_t len = strlen(section);

	return is_header(l) && (size_t)(l->s + l->len - s) > len + 1 &&
	       strncmp(s + 1, section, len) == 0 && s[len + 1] == ']';
}

/* True for "#key =", as in the example. */
static bool is_commented(const struct line *l, const char *key)
{
	const char *s = l->s, *end = l->s + l->len;
	size_t len = strlen(key);

	if (l->taken || l->len == 0 || *s != '#')
		return false;
	for (s++; s < end && strchr(BLANKS, *s); s++)
		;
	if ((size_t)(end - s) <= len || strncmp(s, key, len) != 0)
		return false;
	for (s += len; s < end && strchr(BLANKS, *s); s++)
		;
	return s < end && *s == '=';
}

/* Returns the line after which the new one is added; 0: before the first.
 * *header: the section's last line "[…]", or for "" the first of any other; 0:
 * none. */
static size_t find_place(const struct edit *e, int *header)
{
	const char *section = e->change->section;
	bool inside = !*section;

	*header = 0;
	for (size_t i = 0; i < e->n; i++) {
		if (is_header(&e->v[i])) {
			inside = is_header_of(&e->v[i], section);
			if (inside || (!*section && !*header))
				*header = (int)i + 1;
		}
		if (inside && is_commented(&e->v[i], e->change->key))
			return i + 1;
	}
	if (e->section_end)
		return (size_t)e->section_end;
	if (*section || !*header)
		return *header ? (size_t)*header : e->n;
	/* Above the first section and its comment. */
	for (size_t i = (size_t)*header - 1; i > 0; i--)
		if (e->v[i - 1].len == 0 || !is_comment(&e->v[i - 1]))
			return i;
	return 0;
}

/* -- what comes out -------------------------------------------------------- */

static void put_value(struct edit *e, const char *value)
{
	for (; *value; value++) {
		if (*value == '\n')
			buf_addf(e->out, "%s\t", e->eol);
		else
			buf_addc(e->out, *value);
	}
}

static void end_line(struct edit *e)
{
	if (e->out->len && e->out->data[e->out->len - 1] != '\n')
		buf_adds(e->out, e->eol);
}

static void put_new(struct edit *e, bool section)
{
	end_line(e);
	if (section)
		buf_addf(e->out, "%s[%s]%s", e->n ? e->eol : "",
			 e->change->section, e->eol);
	buf_addf(e->out, "%s =%s", e->change->key,
		 *e->change->value ? " " : "");
	put_value(e, e->change->value);
	buf_adds(e->out, e->eol);
}

/* "key = old ; why" keeps everything except "old". */
static void put_changed(struct edit *e, const struct line *l)
{
	const char *end = l->s + l->len, *from = l->s, *to;

	while (from < end && !strchr("=:", *from))
		from++;
	for (from++; from < end && strchr(BLANKS, *from); from++)
		;
	for (to = from; to < end; to++)
		if (*to == ';' && strchr(BLANKS, to[-1]))
			break;
	while (to < end && to > from && strchr(BLANKS, to[-1]))
		to--;
	buf_add(e->out, l->s, (size_t)(from - l->s));
	if (from == end && *e->change->value && from[-1] == '=' &&
	    from[-2] == ' ')
		buf_addc(e->out, ' ');
	put_value(e, e->change->value);
	if (to < end && to == from)
		buf_addc(e->out, ' ');
	buf_add(e->out, to, (size_t)(end - to));
	buf_add(e->out, end, l->raw - l->len);
}

static void put_all(struct edit *e)
{
	bool set = e->change->value != NULL;
	int header = 0;
	size_t place = set && !e->hit ? find_place(e, &header) : e->n + 1;

	for (int i = e->hit + 1; set && e->hit && i <= e->last_hit_line; i++)
		e->v[i - 1].drop = !is_comment(&e->v[i - 1]);
	for (size_t i = 0; i <= e->n; i++) {
		if (i == place) {
			put_new(e, *e->change->section && !header &&
				       !e->section_end);
			if (header && !*e->change->section && !e->section_end &&
			    (i == e->n || e->v[i].len))
				buf_adds(e->out, e->eol);
		}
		if (i == e->n)
			break;
		if (set && (int)i + 1 == e->hit)
			put_changed(e, &e->v[i]);
		else if (!e->v[i].drop)
			buf_add(e->out, e->v[i].s, e->v[i].raw);
	}
}

static bool others_differ(const struct edit *e)
{
	const struct buf *old = &e->others[0], *new = &e->others[1];

	return old->len != new->len ||
	       (old->len && memcmp(old->data, new->data, old->len) != 0);
}

/* Reads the result and compares it. */
static int check_result(struct edit *e, const char *name, size_t start,
			struct err *err)
{
	const char *value = e->change->value;

	free(e->value);
	e->value = NULL;
	e->hits = 0;
	e->first_pass = false;
	if (ini_parse_text(name, e->out->data + start, e->out->len - start,
			   on_entry, e, err) < 0)
		return -1;
	/* A later indented line would continue the new line. */
	if (others_differ(e)) {
		err_set(err, ERR_FAILED,
			"%s: cannot add '%s' without changing other entries",
			name, e->change->key);
		return err_hint(err, "is a [section] indented? "
				     "`afw config edit` opens it");
	}
	if (value ? e->value && strcmp(e->value, value) == 0 : e->hits == 0)
		return 0;
	return err_set(err, ERR_FAILED,
		       "%s: '%.60s' cannot be written as a value of '%s': it "
		       "would be read as '%.60s'",
		       name, value ? value : "", e->change->key,
		       e->value ? e->value : "");
}

static void finish(struct edit *e)
{
	free(e->v);
	free(e->value);
	buf_finish(&e->others[0]);
	buf_finish(&e->others[1]);
}

int ini_edit(const char *name, const char *text, size_t len,
	     const struct ini_change *change, struct buf *out, struct err *err)
{
	CLEANUP(finish)
	struct edit e = {.change = change, .out = out, .first_pass = true};
	size_t start = out->len;

	split_lines(&e, text, len);
	if (ini_parse_text(name, text, len, on_entry, &e, err) < 0)
		return -1;
	if (!change->value && !e.hit)
		return err_set(
		    err, ERR_FAILED, "%s: nothing there sets '%s%s%s'", name,
		    change->section, *change->section ? "." : "", change->key);
	put_all(&e);
	return check_result(&e, name, start, err);
}
