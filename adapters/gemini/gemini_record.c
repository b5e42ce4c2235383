/*
 * gemini_record.c - reads the conversations that Gemini CLI stores:
 * tmp/<project>/chats/session-<time>-<first 8 of the id>.jsonl, a record a
 * line. A record is a message ("id", "type", "content"), or replaces all
 * messages before it ("$set": {"messages": [...]}), as after an interrupt, or
 * is of another kind. A message may be repeated with more in it.
 *
 * A --resume in a later minute leaves a second file of the same id, with no
 * message in it, beside the real one. The next start with another id deletes
 * all files of that id as expired, the real one too (cleanupExpiredSessions()
 * in 0.61.0): so a link is made before such a start.
 */
#include "adapters/gemini/gemini.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"

#define HEAD_MAX 1024 /* the id is within these first bytes of a file */

/* Checks the file: names have only a part of the id. */
static bool has_id(const char *id, int fd)
{
	char head[HEAD_MAX + 1];
	ssize_t n = pread(fd, head, HEAD_MAX, 0);
	_free_ char *want = mem_printf("\"sessionId\":\"%s\"", id);

	head[n > 0 ? n : 0] = '\0';
	return strstr(head, want) != NULL;
}

/* Calls on_message with each message that is not replaced, the newest first,
 * until it returns false. */
static bool each_message(struct record_search *s, const cJSON *o,
			 record_line *on_message)
{
	const cJSON *set = json_get(o, "$set");
	const cJSON *all = json_get(set, "messages");

	if (!cJSON_IsArray(all))
		return !json_str(o, "id") || on_message(s, o);
	for (int i = cJSON_GetArraySize(all); i > 0; i--)
		if (!on_message(s, cJSON_GetArrayItem(all, i - 1)))
			break;
	return false;
}

/* Appends its text: a string, or all parts that have one. */
static void add_text(const cJSON *message, struct buf *out)
{
	const cJSON *content = json_get(message, "content");
	const cJSON *part;

	if (cJSON_IsString(content))
		buf_adds(out, content->valuestring);
	cJSON_ArrayForEach (part, content)
		buf_adds(out, json_str_or(part, "text", ""));
}

static bool is_type(const cJSON *message, const char *type)
{
	return strcmp(json_str_or(message, "type", ""), type) == 0;
}

static bool has_items(const cJSON *message, const char *key)
{
	return cJSON_GetArraySize(json_get(message, key)) > 0;
}

/* True for a person's message: neither a command nor a text that the program
 * adds in the user's name. */
static bool is_prompt(const cJSON *message)
{
	static const char *const own[] = {"<session_context>", "<hook_context>",
					  "/", "?"};
	_buf_ struct buf text = {0};
	const char *s;
	bool is;

	if (!is_type(message, "user"))
		return false;
	add_text(message, &text);
	s = text.data ? text.data + strspn(text.data, " \t\r\n") : "";
	is = *s != '\0';
	for (size_t i = 0; is && i < sizeof own / sizeof own[0]; i++)
		is = strncmp(s, own[i], strlen(own[i])) != 0;
	return is;
}

static bool is_worth_keeping(struct record_search *s, const cJSON *message)
{
	_buf_ struct buf text = {0};

	add_text(message, &text);
	s->kept = is_prompt(message) ||
		  (is_type(message, "gemini") &&
		   (text.len > 0 || has_items(message, "toolCalls") ||
		    has_items(message, "thoughts")));
	return !s->kept;
}

static bool on_kept(struct record_search *s, const cJSON *o)
{
	return each_message(s, o, is_worth_keeping);
}

static bool is_answer(struct record_search *s, const cJSON *message)
{
	if (record_is_before(message, s->asked_at))
		return false;
	if (is_type(message, "gemini"))
		add_text(message, &s->answer);
	return s->answer.len == 0 && !is_prompt(message);
}

static bool on_answer(struct record_search *s, const cJSON *o)
{
	return each_message(s, o, is_answer);
}

/* If two files have the id, the larger one has the messages. */
const struct record_kind gemini_record = {.pattern = "tmp/*/chats/*-%.jsonl",
					  .id_len = 8,
					  .fits = has_id,
					  .on_kept = on_kept,
					  .on_answer = on_answer};

int gemini_link_chat(const char *dir, const char *id, const char *home,
		     struct err *err)
{
	_free_ char *name = mem_printf("conversation-%s.jsonl", id);
	_free_ char *path = file_join(home, name);
	int fd = record_open(&gemini_record, dir, id), rc = 0;
	char from[32];

	snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
	/* A hard link, as it may be large: Gemini CLI appends to its files. */
	if (fd >= 0 &&
	    linkat(AT_FDCWD, from, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0 &&
	    errno != EEXIST)
		rc = err_errno(err, "link its conversation into %s", path);
	file_close(fd);
	return rc;
}
