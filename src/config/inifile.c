/*
 * inifile.c - INI files, line by line. An entry is handed on when the next one
 * begins: until then indented lines go on with it.
 */
#include "config/inifile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"

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
	if (st.st_size > INIFILE_MAX)
		return err_set(err, ERR_FAILED, "read %s: larger than %d KiB",
			       path, INIFILE_MAX / 1024);
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

static int read_all(int fd, const char *path, struct buf *out, struct err *err)
{
	size_t start = out->len;
	ssize_t n;

	do {
		n = read(fd, buf_room(out, 16384), 16384);
		if (n < 0 && errno != EINTR)
			return err_errno(err, "read %s", path);
		if (n > 0)
			out->len += (size_t)n;
		out->data[out->len] = '\0';
		if (out->len - start > INIFILE_MAX)
			return err_set(err, ERR_FAILED,
				       "read %s: larger than %d KiB", path,
				       INIFILE_MAX / 1024);
	} while (n != 0);
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
	if (rc == 0)
		rc = read_all(fd, path, out, err);
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
	struct inifile_entry entry; /* goes on with indented lines; key NULL:
				       there is none */
	char *section, *key;
	struct buf value;
	inifile_fn fn;
	void *ctx;
	int mistakes; /* of who took the entries */
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

static void hand_on(struct reader *r)
{
	struct err why = {0};

	if (r->key) {
		r->entry.value = r->value.data ? r->value.data : "";
		if (r->fn(r->ctx, &r->entry, &why) < 0)
			add_mistake(r, &why, r->entry.line);
	}
	free(r->key);
	r->key = NULL;
	buf_clear(&r->value);
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

/* Cuts blanks at both ends, and a comment with what is before it. */
static char *strip(char *s)
{
	size_t len;

	s += strspn(s, " \t");
	for (char *at = s; (at = strchr(at, ';')); at++)
		if (at > s && strchr(" \t", at[-1])) {
			*at = '\0';
			break;
		}
	len = strlen(s);
	while (len > 0 && strchr(" \t", s[len - 1]))
		s[--len] = '\0';
	return s;
}

static int not_understood(struct reader *r)
{
	return err_set(r->err, ERR_FAILED,
		       "neither a [section], nor 'key = value', nor a "
		       "comment (#)");
}

static int take_section(struct reader *r, char *s)
{
	char *end = strchr(s, ']');

	if (!end)
		return not_understood(r);
	*end++ = '\0';
	end += strspn(end, " \t");
	if (*end && *end != '#')
		return err_set(r->err, ERR_FAILED,
			       "a section's name must be alone on its line");
	free(r->section);
	r->section = mem_strdup(s + 1);
	return 0;
}

static int take_line(struct reader *r, char *line, int number)
{
	bool indented = *line == ' ' || *line == '\t';
	char *s = strip(line), *value = strpbrk(s, "=:");

	if (!*s || *s == ';' || *s == '#')
		return 0;
	if (!indented || !r->key)
		hand_on(r);
	if (!r->key && *s == '[')
		return take_section(r, s);
	if (!r->key) {
		if (!value)
			return not_understood(r);
		*value++ = '\0';
		r->key = mem_strdup(strip(s));
		r->entry = (struct inifile_entry){
		    .section = r->section ? r->section : "",
		    .key = r->key,
		    .line = number};
		s = strip(value);
		if (!r->key[0])
			return err_set(r->err, ERR_FAILED,
				       "a value without a key");
	}
	if (*s && *s != ';') {
		buf_adds(&r->value, r->value.len ? "\n" : "");
		buf_adds(&r->value, s);
	}
	return 0;
}

int inifile_parse(const char *name, const char *text, size_t len, inifile_fn fn,
		  void *ctx, struct err *err)
{
	struct err local = {0};
	struct reader r = {
	    .name = name, .fn = fn, .ctx = ctx, .err = err ? err : &local};
	const char *end = text + len, *lf;
	char place[INIFILE_PLACE_SIZE];
	int rc = 0, number = 0;

	if (len > INIFILE_MAX)
		return err_set(err, ERR_FAILED, "%s: larger than %d KiB", name,
			       INIFILE_MAX / 1024);
	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		text += 3; /* a byte order mark */
	for (; rc == 0 && text < end; text = lf + (lf < end)) {
		char *line;
		size_t n;

		lf = memchr(text, '\n', (size_t)(end - text));
		lf = lf ? lf : end;
		n = (size_t)(lf - text);
		n -= n > 0 && text[n - 1] == '\r';
		line = mem_strndup(text, n);
		number++;
		rc = check_line(text, n, r.err);
		if (rc == 0)
			rc = take_line(&r, line, number);
		free(line);
	}
	if (rc == 0) {
		hand_on(&r);
	} else {
		inifile_place(place, name, number);
		err_prefix(r.err, "%s", place);
	}
	buf_finish(&r.value);
	free(r.section);
	free(r.key);
	return rc < 0 || r.mistakes ? -1 : 0;
}
