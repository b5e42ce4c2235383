/*
 * ini.c - parses INI text with inih, line by line.
 *
 * inih 55 reads through a buffer of 200 bytes and treats the rest of a longer
 * line as another line, cuts sections and keys at 49 bytes, and stops at NUL,
 * all silently. So the text is checked first, and inih gets it line by line;
 * this also distinguishes a continued value from a repeated key, which inih's
 * handler cannot. An entry is passed on when the next one begins.
 */
#include "config/ini.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "base/writers.h"

#define INIH_NAME_MAX 49 /* the length at which inih cuts a section or key */

static int check_file(int fd, const char *path, enum ini_owner owner,
		      struct err *err)
{
	const char *writers;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_errno(err, "read %s", path);
	if (S_ISDIR(st.st_mode))
		return err_set(err, ERR_FAILED, "read %s: it is a directory",
			       path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_FAILED,
			       "read %s: it is not a regular file", path);
	if (owner == INI_ANY)
		return 0;
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return err_set(err, ERR_FAILED,
			       "read %s: it belongs to another user (uid %u), "
			       "who could make afw run anything",
			       path, st.st_uid);
	writers = writers_beside_owner(fd, &st);
	if (writers) {
		err_set(err, ERR_FAILED,
			"read %s: %s may write to it (mode %o), and so could "
			"make afw run anything",
			path, writers, st.st_mode & 07777);
		return err_hint(err, "`chmod go-w %s`", path);
	}
	return 0;
}

int ini_load(const char *path, enum ini_owner owner, struct buf *out,
	     bool *found, struct err *err)
{
	int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	_close_ int fd = -1;

	*found = false;
	fd = open(path, owner == INI_ANY ? flags | O_NOFOLLOW : flags);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0 && errno == ELOOP && owner == INI_ANY)
		return err_set(err, ERR_FAILED,
			       "read %s: it is a symbolic link", path);
	if (fd < 0)
		return err_errno(err, "read %s", path);
	*found = true;
	if (check_file(fd, path, owner, err) < 0)
		return -1;
	if (file_read_fd(fd, INI_FILE_MAX, out) < 0)
		return errno == EFBIG ? err_set(err, ERR_FAILED,
						"read %s: larger than %d KiB",
						path, INI_FILE_MAX / 1024)
				      : err_errno(err, "read %s", path);
	return 0;
}

void ini_format_place(char out[INI_PLACE_SIZE], const char *name, int line)
{
	size_t len = strlen(name), room = INI_PLACE_SIZE - 20;

	if (len > room)
		snprintf(out, INI_PLACE_SIZE, "...%s:%d", name + (len - room),
			 line);
	else
		snprintf(out, INI_PLACE_SIZE, "%s:%d", name, line);
}

struct reader {
	const char *name;
	const char *at, *end;	/* of the text */
	int line;		/* that inih is reading */
	bool indented;		/* that line begins with a blank */
	bool has_key;		/* inih has a key to continue */
	struct ini_entry entry; /* to be passed on; key NULL: none */
	char key[INIH_NAME_MAX + 1], section[INIH_NAME_MAX + 1];
	struct buf value;
	ini_entry_fn fn;
	void *ctx;
	bool failed;  /* it cannot be read further */
	int mistakes; /* of the entry callback */
	struct err *err;
};

static int set_mistake(struct reader *r, int line)
{
	char place[INI_PLACE_SIZE];

	ini_format_place(place, r->name, line);
	r->failed = true;
	r->err->kind = ERR_FAILED;
	return err_prefix(r->err, "%s", place);
}

/* Collects all mistakes in one line, so that the user can correct them
 * together. */
static void add_mistake(struct reader *r, const struct err *why, int line)
{
	const struct err before = *r->err;
	size_t len = strlen(before.what), more = strlen(why->what);
	char place[INI_PLACE_SIZE];

	if (r->mistakes++ == 0) {
		ini_format_place(place, r->name, line);
		*r->err = *why;
		r->err->kind = ERR_FAILED;
		err_prefix(r->err, "%s", place);
		return;
	}
	/* An unknown section is one mistake, not one for each of its keys. */
	if (len >= more && strcmp(before.what + len - more, why->what) == 0)
		return;
	err_set(r->err, ERR_FAILED, "%s; line %d: %s", before.what, line,
		why->what);
	if (before.hint[0])
		err_hint(r->err, "%s", before.hint);
}

static const char *line_end(const struct reader *r)
{
	const char *nl = memchr(r->at, '\n', (size_t)(r->end - r->at));

	return nl ? nl : r->end;
}

/* Checks what inih accepts silently. */
static int check_line(const char *s, size_t len, struct err *err)
{
	size_t n;

	if (len > 0 && s[len - 1] == '\r')
		len--;
	if (len > INI_LINE_MAX) {
		err_set(err, ERR_FAILED,
			"the line is too long (%zu bytes, %d are allowed)", len,
			INI_LINE_MAX);
		return err_hint(err,
				"a value continues in the next line if that "
				"line is indented");
	}
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

static int check_text(struct reader *r, const char *text)
{
	for (r->at = text; r->at < r->end;) {
		const char *end = line_end(r);

		r->line++;
		if (check_line(r->at, (size_t)(end - r->at), r->err) < 0)
			return set_mistake(r, r->line);
		r->at = end + (end < r->end);
	}
	r->at = text;
	r->line = 0;
	return 0;
}

/* inih reads "[a] b = c" as "[a]" and drops the rest. */
static int check_section(const struct reader *r, const char *end)
{
	const char *close = memchr(r->at, ']', (size_t)(end - r->at));

	if (!close)
		return 0; /* inih complains */
	do
		close++;
	while (close < end && strchr(" \t\r", *close));
	if (close < end && *close != ';' && *close != '#')
		return err_set(r->err, ERR_FAILED,
			       "a section's name must be alone on its line");
	return 0;
}

/* inih's fgets(). */
static char *read_line(char *out, int size, void *ctx)
{
	struct reader *r = ctx;
	const char *start = r->at, *end;
	size_t len;

	if (r->failed || r->at >= r->end)
		return NULL;
	end = line_end(r);
	len = (size_t)(end - r->at);
	r->line++;
	/* Only if inih was built with a smaller buffer than usual. */
	if (size < 2 || len > (size_t)size - 2) {
		err_set(r->err, ERR_FAILED, "the line is too long");
		set_mistake(r, r->line);
		return NULL;
	}
	r->indented = len > 0 && (*r->at == ' ' || *r->at == '\t');
	while (start < end && strchr(" \t", *start))
		start++;
	if (start < end && *start == '[' && !(r->indented && r->has_key)) {
		r->has_key = false;
		if (check_section(r, end) < 0) {
			set_mistake(r, r->line);
			return NULL;
		}
	}
	memcpy(out, r->at, len);
	out[len] = '\n';
	out[len + 1] = '\0';
	r->at = end + (end < r->end);
	return out;
}

/* inih cuts a comment after a value in its first line only. */
static void cut_comment(char *value)
{
	size_t len;

	for (char *s = value; *s; s++)
		if (*s == ';' && (s == value || strchr(" \t", s[-1]))) {
			*s = '\0';
			break;
		}
	len = strlen(value);
	while (len > 0 && strchr(" \t", value[len - 1]))
		value[--len] = '\0';
}

static void finish_entry(struct reader *r)
{
	struct err err = {0};

	if (!r->failed && r->entry.key) {
		r->entry.value = r->value.data ? r->value.data : "";
		if (r->fn(r->ctx, &r->entry, &err) < 0)
			add_mistake(r, &err, r->entry.line);
	}
	r->entry.key = NULL;
	buf_clear(&r->value);
}

static int check_names(const char *section, const char *key, struct err *err)
{
	if (strlen(section) >= INIH_NAME_MAX || strlen(key) >= INIH_NAME_MAX)
		return err_set(err, ERR_FAILED,
			       "the name '%.20s...' is too long",
			       strlen(key) >= INIH_NAME_MAX ? key : section);
	if (key[0] == '\0')
		return err_set(err, ERR_FAILED, "a value without a key");
	return 0;
}

static void begin_entry(struct reader *r, const char *section, const char *key)
{
	finish_entry(r);
	if (r->failed)
		return;
	if (check_names(section, key, r->err) < 0) {
		set_mistake(r, r->line);
		return;
	}
	snprintf(r->section, sizeof r->section, "%s", section);
	snprintf(r->key, sizeof r->key, "%s", key);
	r->entry = (struct ini_entry){
	    .section = r->section,
	    .key = r->key,
	    .line = r->line,
	    .last_line = r->line,
	};
	r->has_key = true;
}

static int handle(void *ctx, const char *section, const char *key,
		  const char *value
#if INI_HANDLER_LINENO
		  ,
		  int lineno
#endif
)
{
	struct reader *r = ctx;
	char text[INI_LINE_MAX + 1];

#if INI_HANDLER_LINENO
	(void)lineno;
#endif
	if (r->failed)
		return 1;
	if (!(r->indented && r->has_key))
		begin_entry(r, section, key);
	snprintf(text, sizeof text, "%s", value ? value : "");
	cut_comment(text);
	r->entry.last_line = r->line;
	if (!r->failed && text[0] != '\0') {
		buf_adds(&r->value, r->value.len ? "\n" : "");
		buf_adds(&r->value, text);
	}
	return 1;
}

int ini_parse_text(const char *name, const char *text, size_t len,
		   ini_entry_fn fn, void *ctx, struct err *err)
{
	struct err local = {0};
	struct reader r = {
	    .name = name,
	    .fn = fn,
	    .ctx = ctx,
	    .err = err ? err : &local,
	};
	int bad;

	if (len == 0)
		return 0;
	if (len > INI_FILE_MAX)
		return err_set(err, ERR_FAILED, "%s: larger than %d KiB", name,
			       INI_FILE_MAX / 1024);
	r.end = text + len;
	if (check_text(&r, text) < 0)
		return -1;
	bad = ini_parse_stream(read_line, &r, handle, &r);
	if (bad == 0)
		finish_entry(&r);
	buf_finish(&r.value);
	/* inih continues after a line that it cannot parse. */
	if (bad > 0 && (!r.failed || bad < r.line)) {
		err_set(r.err, ERR_FAILED,
			"neither a [section], nor 'key = value', nor a "
			"comment (#)");
		return set_mistake(&r, bad);
	}
	if (bad < 0)
		return err_set(err, ERR_FAILED, "%s: cannot be parsed", name);
	return r.failed || r.mistakes ? -1 : 0;
}
