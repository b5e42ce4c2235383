/* comments.c - the comments on a session's changes, in a file of their own. */
#include "session/review/comments.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "session/typable.h"

#define NAME	       "review.json"
#define LOCK_NAME      "review.lock"
#define VERSION	       1
#define FILE_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define LOCK_MS	       5000

/* -- one ------------------------------------------------------------------- */

void comment_finish(struct comment *c)
{
	free(c->file);
	free(c->text);
	strv_finish(&c->lines);
	*c = (struct comment){0};
}

bool comment_is_unsent(const struct comment *c)
{
	return !c->message && !c->resolved;
}

char *comment_file(const char *name)
{
	char out[COMMENT_FILE_BYTES + 1];

	utf8_printable(out, sizeof out, name, strlen(name));
	return mem_strdup(out);
}

/* Puts a blank before a line that comment_mail.h would not read as text: one
 * that begins as a quoted line or with a number. */
static void add_text(const char *text, struct buf *out)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (*text == '>' ||
		    (*text == '[' && text[1] >= '0' && text[1] <= '9'))
			buf_addc(out, ' ');
		len += text[len] == '\n';
		buf_add(out, text, len);
		text += len;
	}
}

int comment_set_text(struct comment *c, const char *text, struct err *err)
{
	_buf_ struct buf typable = {0}, good = {0};

	typable_filter(text, strlen(text), &typable);
	if (typable_blank(typable.data, typable.len))
		return err_set(err, ERR_USAGE, "the comment is empty");
	add_text(typable.data + strspn(typable.data, "\n"), &good);
	if (good.len > COMMENT_TEXT_MAX)
		return err_set(err, ERR_USAGE, "a comment holds at most %d KiB",
			       COMMENT_TEXT_MAX / 1024);
	free(c->text);
	c->text = buf_steal(&good);
	c->at = clock_wall_ms();
	c->message = c->sent_at = c->turn = 0;
	c->answered = c->resolved = false;
	return 0;
}

const char *comment_state(const struct comment *c)
{
	if (c->resolved)
		return "resolved";
	if (!c->message)
		return "unsent";
	if (c->answered)
		return "answered";
	return c->message == COMMENT_UNSURE ? "unsure" : "sent";
}

void comment_describe(const struct comment *c, struct buf *out)
{
	if (comment_is_unsent(c))
		buf_adds(out, "not sent");
	else if (strcmp(comment_state(c), "unsure") == 0)
		buf_adds(out, "perhaps sent");
	else
		buf_adds(out, comment_state(c));
	if (c->turn)
		buf_addf(out, " in turn %" PRId64, c->turn);
}

static void copy_lines(struct comment *c, const struct strv *lines)
{
	for (size_t i = 0; i < lines->n && i < COMMENT_LINES_MAX; i++) {
		char line[COMMENT_LINE_BYTES + 1];

		/* A line that is stored is compared with that of a diff, which
		 * is safe already, except for its tabs. */
		_buf_ struct buf good = {0};

		typable_filter(lines->v[i], strcspn(lines->v[i], "\n"), &good);
		snprintf(line, sizeof line, "%.*s",
			 (int)utf8_whole(good.data ? good.data : "",
					 good.len < COMMENT_LINE_BYTES
					     ? good.len
					     : COMMENT_LINE_BYTES),
			 good.data ? good.data : "");
		strv_add(&c->lines, line);
	}
}

/* -- as JSON --------------------------------------------------------------- */

cJSON *comment_to_json(const struct comment *c)
{
	cJSON *o = cJSON_CreateObject();

	json_set_int(o, "id", c->id);
	json_set_str(o, "file", c->file);
	json_set_int(o, "line", (int64_t)c->line);
	json_set_strv(o, "lines", &c->lines);
	json_set_str(o, "text", c->text);
	json_set_int(o, "at", c->at);
	json_set_str(o, "state", comment_state(c));
	json_set_int(o, "message", c->message);
	json_set_int(o, "sent_at", c->sent_at);
	json_set_int(o, "turn", c->turn);
	return o;
}

int comment_from_json(struct comment *c, const cJSON *o, struct err *err)
{
	int64_t line = json_int(o, "line", 0);
	_strv_ struct strv lines = {0};

	*c = (struct comment){.id = json_int(o, "id", 0)};
	json_strv(o, "lines", &lines);
	if (line < 0 || line > INT32_MAX || lines.n > COMMENT_LINES_MAX)
		return err_set(err, ERR_USAGE,
			       "a comment is about at most %d lines",
			       COMMENT_LINES_MAX);
	c->line = lines.n ? (size_t)line : 0;
	c->file = comment_file(json_str_or(o, "file", ""));
	copy_lines(c, &lines);
	return comment_set_text(c, json_str_or(o, "text", ""), err);
}

static int read_one(struct comments *c, const cJSON *o, struct err *err)
{
	const char *state = json_str_or(o, "state", "");
	struct comment *one;

	if (c->n == COMMENTS_MAX)
		return err_set(err, ERR_FAILED, "it has more than %d comments",
			       COMMENTS_MAX);
	c->v = mem_grow(c->v, c->n, sizeof *c->v);
	one = &c->v[c->n++];
	if (comment_from_json(one, o, err) < 0)
		return -1;
	if (one->id <= c->last)
		return err_set(err, ERR_FAILED, "its numbers do not rise");
	c->last = one->id;
	one->at = json_int(o, "at", 0);
	one->message = json_int(o, "message", 0);
	one->sent_at = json_int(o, "sent_at", 0);
	one->turn = json_int(o, "turn", 0);
	one->answered = strcmp(state, "answered") == 0;
	one->resolved = strcmp(state, "resolved") == 0;
	return 0;
}

/* -- the file -------------------------------------------------------------- */

int comments_load(struct comments *c, const char *session_dir, struct err *err)
{
	_free_ char *path = file_join(session_dir, NAME);
	_json_ cJSON *o = json_load(AT_FDCWD, path, FILE_BYTES_MAX, err);
	const cJSON *list = json_get(o, "comments");
	const cJSON *one;
	int rc = o ? 0 : -1;

	*c = (struct comments){.lock = c->lock};
	if (!o && errno == ENOENT) {
		err_clear(err);
		return 0;
	}
	if (o && json_int(o, "v", VERSION) > VERSION) {
		err_set(err, ERR_FAILED, "read %s: a newer afw wrote it", path);
		return -1;
	}
	if (o && !cJSON_IsArray(list))
		rc = err_set(err, ERR_FAILED, "it has no list of comments");
	cJSON_ArrayForEach (one, list)
		if (rc == 0)
			rc = read_one(c, one, err);
	if (rc < 0) {
		if (o)
			err_prefix(err, "read %s", path);
		err->kind = ERR_FAILED;
		return err_hint(err, "the file is kept; move it away to "
				     "begin without comments");
	}
	if (json_int(o, "last", 0) > c->last)
		c->last = json_int(o, "last", 0);
	return 0;
}

int comments_edit(struct comments *c, const char *session_dir, struct err *err)
{
	_free_ char *path = file_join(session_dir, LOCK_NAME);
	_close_ int fd = file_open(AT_FDCWD, path, O_RDWR | O_CREAT, err);

	*c = (struct comments){0};
	if (fd < 0)
		return errno == ENOENT ? err_set(err, ERR_NO_SESSION,
						 "the session was removed")
				       : -1;
	if (file_lock(fd, LOCK_MS) < 0 && errno == EAGAIN)
		return err_set(err, ERR_CONFLICT,
			       "another afw is changing its comments");
	c->lock = TAKE_FD(fd);
	return comments_load(c, session_dir, err);
}

int comments_save(const struct comments *c, const char *session_dir,
		  struct err *err)
{
	_free_ char *path = file_join(session_dir, NAME);
	_json_ cJSON *o = cJSON_CreateObject();
	cJSON *list;

	json_set_int(o, "v", VERSION);
	json_set_int(o, "last", c->last);
	list = json_set_array(o, "comments");
	for (size_t i = 0; i < c->n; i++)
		cJSON_AddItemToArray(list, comment_to_json(&c->v[i]));
	if (json_save(AT_FDCWD, path, o, true, err) == 0)
		return 0;
	return access(session_dir, F_OK) == 0
		   ? -1
		   : err_set(err, ERR_NO_SESSION, "the session was removed");
}

void comments_finish(struct comments *c)
{
	for (size_t i = 0; i < c->n; i++)
		comment_finish(&c->v[i]);
	free(c->v);
	file_close(c->lock ? c->lock : -1);
	*c = (struct comments){0};
}

/* -- all ------------------------------------------------------------------- */

struct comment *comments_find(const struct comments *c, int64_t id,
			      struct err *err)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].id == id)
			return &c->v[i];
	err_set(err, ERR_USAGE, "it has no comment %" PRId64, id);
	return NULL;
}

void comments_delete(struct comments *c, int64_t id)
{
	struct comment *one = comments_find(c, id, NULL);
	size_t i = one ? (size_t)(one - c->v) : c->n;

	if (!one)
		return;
	comment_finish(one);
	memmove(one, one + 1, (--c->n - i) * sizeof *one);
}

size_t comments_unsent(const struct comments *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += comment_is_unsent(&c->v[i]);
	return n;
}

static int make_room(struct comments *c, struct err *err)
{
	for (size_t i = 0; c->n == COMMENTS_MAX && i < c->n; i++)
		if (c->v[i].resolved)
			comments_delete(c, c->v[i].id);
	return c->n < COMMENTS_MAX
		   ? 0
		   : err_set(err, ERR_LIMIT,
			     "it has %d comments already, as many as it may; "
			     "delete or resolve some",
			     COMMENTS_MAX);
}

int comments_add(struct comments *c, const struct comment *comment,
		 struct err *err)
{
	_comment_ struct comment one = {.line = comment->line};

	if (make_room(c, err) < 0 ||
	    comment_set_text(&one, comment->text ? comment->text : "", err) < 0)
		return -1;
	one.id = ++c->last;
	one.file = comment_file(comment->file ? comment->file : "");
	copy_lines(&one, &comment->lines);
	c->v = mem_grow(c->v, c->n, sizeof *c->v);
	c->v[c->n++] = one;
	one = (struct comment){0};
	return 0;
}
