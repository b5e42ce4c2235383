/*
 * inifile.c - reads INI files.
 *
 * An entry is handed on when the next one begins: until then indented lines
 * may go on with its value.
 */
#include "config/inifile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"

#define BLANKS " \t"
#define BOM    "\xef\xbb\xbf"

static int check_file(int fd, const char *path, enum inifile_owner owner,
		      struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_errno(err, "read %s", path);
	if (S_ISDIR(st.st_mode))
		return err_set(err, ERR_FAILED, "read %s: it is a directory",
			       path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_FAILED,
			       "read %s: it is not a regular file", path);
	if (owner == INIFILE_ANY)
		return 0;
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return err_set(err, ERR_FAILED,
			       "read %s: it belongs to someone else (uid %u), "
			       "who could have afw run anything",
			       path, st.st_uid);
	if (st.st_mode & (S_IWGRP | S_IWOTH)) {
		err_set(err, ERR_FAILED,
			"read %s: others may write to it (mode %o), and so "
			"could have afw run anything",
			path, st.st_mode & 07777);
		return err_hint(err, "chmod go-w %s", path);
	}
	return 0;
}

int inifile_read(const char *path, enum inifile_owner owner, struct buf *out,
		 bool *found, struct err *err)
{
	int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	int fd, rc;

	*found = false;
	fd = open(path, owner == INIFILE_ANY ? flags | O_NOFOLLOW : flags);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0 && errno == ELOOP && owner == INIFILE_ANY)
		return err_set(err, ERR_FAILED,
			       "read %s: it is a symbolic link", path);
	if (fd < 0)
		return err_errno(err, "read %s", path);
	*found = true;
	rc = check_file(fd, path, owner, err);
	if (rc == 0 && file_read_fd(fd, INIFILE_MAX, out) < 0)
		rc = errno == EFBIG ? err_set(err, ERR_FAILED,
					      "read %s: larger than %d KiB",
					      path, INIFILE_MAX / 1024)
				    : err_errno(err, "read %s", path);
	close(fd);
	return rc;
}

void inifile_place(char out[INIFILE_PLACE_SIZE], const char *name, int line)
{
	size_t len = strlen(name), room = INIFILE_PLACE_SIZE - 20;

	if (len > room)
		snprintf(out, INIFILE_PLACE_SIZE, "...%s:%d",
			 name + (len - room), line);
	else
		snprintf(out, INIFILE_PLACE_SIZE, "%s:%d", name, line);
}

struct reader {
	const char *name;
	int line;		    /* that is read now */
	struct inifile_entry entry; /* to be handed on; key NULL: none */
	char *key, *section;
	struct buf value;
	inifile_fn fn;
	void *ctx;
	int mistakes;
	struct err *err;
};

/* All mistakes are told at once, in one line: whoever mends a file wants to
 * know them together. */
static void add_mistake(struct reader *r, const struct err *why, int line)
{
	const struct err before = *r->err;
	char place[INIFILE_PLACE_SIZE];

	if (r->mistakes++ == 0) {
		inifile_place(place, r->name, line);
		*r->err = *why;
		r->err->kind = ERR_FAILED;
		err_prefix(r->err, "%s", place);
		return;
	}
	err_set(r->err, ERR_FAILED, "%s; line %d: %s", before.what, line,
		why->what);
	if (before.hint[0])
		err_hint(r->err, "%s", before.hint);
}

static int check_line(const char *s, size_t len, struct err *err)
{
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		uint32_t cp;

		n = utf8_decode(s + i, len - i, &cp);
		if (n == 0)
			return err_set(err, ERR_FAILED, "byte %zu is not UTF-8",
				       i + 1);
		if (cp != '\t' && (cp < 0x20 || (cp >= 0x7f && cp < 0xa0)))
			return err_set(err, ERR_FAILED,
				       "a control character (U+%04X)", cp);
	}
	return 0;
}

/* Without blanks at both ends, and a comment behind them. */
static char *strip(char *s)
{
	char *end;

	s += strspn(s, BLANKS);
	for (end = s; *end; end++)
		if (*end == ';' && (end == s || strchr(BLANKS, end[-1])))
			break;
	while (end > s && strchr(BLANKS, end[-1]))
		end--;
	*end = '\0';
	return s;
}

static void hand_on(struct reader *r)
{
	struct err err = {0};

	if (r->entry.key) {
		r->entry.value = r->value.data ? r->value.data : "";
		if (r->fn(r->ctx, &r->entry, &err) < 0)
			add_mistake(r, &err, r->entry.line);
	}
	r->entry.key = NULL;
	buf_clear(&r->value);
}

static void add_value(struct reader *r, const char *text)
{
	if (text[0] && r->value.len)
		buf_addc(&r->value, '\n');
	buf_adds(&r->value, text);
}

static int neither(struct err *err)
{
	return err_set(err, ERR_FAILED,
		       "neither a [section], nor 'key = value', nor a comment "
		       "(#)");
}

/* name: behind its '['. */
static int begin_section(struct reader *r, char *name, struct err *err)
{
	char *close = strchr(name, ']'), *rest;

	if (!close)
		return neither(err);
	rest = close + 1 + strspn(close + 1, BLANKS);
	if (*rest && *rest != ';' && *rest != '#')
		return err_set(err, ERR_FAILED,
			       "a section's name must be alone on its line");
	*close = '\0';
	free(r->section);
	r->section = mem_strdup(name);
	return 0;
}

static int begin_entry(struct reader *r, char *s, struct err *err)
{
	char *value = strpbrk(s, "=:");

	if (!value)
		return neither(err);
	*value++ = '\0';
	free(r->key);
	r->key = mem_strdup(strip(s));
	if (!r->key[0])
		return err_set(err, ERR_FAILED, "a value without a key");
	r->entry = (struct inifile_entry){
	    .section = r->section ? r->section : "",
	    .key = r->key,
	    .line = r->line,
	};
	add_value(r, strip(value));
	return 0;
}

static int take_line(struct reader *r, char *text, struct err *err)
{
	char *s = strip(text);

	if (*s == '\0' || *s == '#')
		return 0;
	if (s > text && r->entry.key) {
		add_value(r, s);
		return 0;
	}
	hand_on(r);
	return *s == '[' ? begin_section(r, s + 1, err)
			 : begin_entry(r, s, err);
}

static int read_line(struct reader *r, const char *text, size_t len,
		     struct err *err)
{
	char *line;
	int rc;

	if (len > 0 && text[len - 1] == '\r')
		len--;
	if (check_line(text, len, err) < 0)
		return -1;
	line = mem_strndup(text, len);
	rc = take_line(r, line, err);
	free(line);
	return rc;
}

int inifile_parse(const char *name, const char *text, size_t len, inifile_fn fn,
		  void *ctx, struct err *err)
{
	struct err local = {0}, why = {0};
	struct reader r = {
	    .name = name, .fn = fn, .ctx = ctx, .err = err ? err : &local};
	const char *end = text + len;
	int rc = 0;

	if (len > INIFILE_MAX)
		return err_set(err, ERR_FAILED, "%s: larger than %d KiB", name,
			       INIFILE_MAX / 1024);
	if (len >= strlen(BOM) && memcmp(text, BOM, strlen(BOM)) == 0)
		text += strlen(BOM);
	while (rc == 0 && text < end) {
		const char *lf = memchr(text, '\n', (size_t)(end - text));
		size_t n = lf ? (size_t)(lf - text) : (size_t)(end - text);

		r.line++;
		rc = read_line(&r, text, n, &why);
		text += n + (lf != NULL);
	}
	if (rc == 0)
		hand_on(&r);
	else
		add_mistake(&r, &why, r.line);
	buf_finish(&r.value);
	free(r.key);
	free(r.section);
	return r.mistakes ? -1 : 0;
}
