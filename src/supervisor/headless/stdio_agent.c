/* stdio_agent.c - the harness's start, what it is told and what it prints. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env_list.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/headless/stdio_internal.h"

#define DRAIN_MAX ((size_t)1024 * 1024) /* a pipe's size, at most */

/* -- what it prints -------------------------------------------------------- */

static void say(struct stdio_stream *st, size_t len)
{
	cJSON *o = stdio_event(st->event);

	stdio_set_text(o, "data", st->left.data, len);
	buf_drop(&st->left, len);
	stdio_say(st->s, o);
}

/* False: there is no more, now or ever. */
static bool read_some(struct stdio_stream *st)
{
	size_t room = STDIO_CHUNK - st->left.len;
	ssize_t n = read(st->fd, buf_room(&st->left, room), room);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		loop_io_remove(st->io);
		st->io = NULL;
		if (st->left.len)
			say(st, st->left.len);
		return false;
	}
	st->left.len += (size_t)n;
	if (utf8_whole(st->left.data, st->left.len))
		say(st, utf8_whole(st->left.data, st->left.len));
	return true;
}

static void on_output(void *ctx, int fd, short revents)
{
	struct stdio_stream *st = ctx;

	if (!stdio_is_full(st->s))
		read_some(st);
}

void stdio_agent_flow(struct stdio *s)
{
	for (int i = 0; i < 2; i++)
		if (s->streams[i].io)
			loop_io_events(s->streams[i].io,
				       stdio_is_full(s) ? 0 : POLLIN);
}

void stdio_agent_drain(struct stdio *s)
{
	for (int i = 0; i < 2; i++)
		for (size_t n = 0;
		     n < DRAIN_MAX / STDIO_CHUNK && s->streams[i].io &&
		     read_some(&s->streams[i]);
		     n++)
			continue;
}

/* -- what it is told ------------------------------------------------------- */

static void close_input(struct stdio *s)
{
	loop_io_remove(s->chat_io);
	s->chat_io = NULL;
	file_reset(&s->pipe.fd[0]);
}

static void on_room(void *ctx, int fd, short revents)
{
	struct stdio *s = ctx;
	ssize_t n = write(fd, s->chat.data, s->chat.len);
	struct err err;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		err_set(&err, ERR_FAILED,
			"chat: the agent has closed its standard input, %zu "
			"bytes were not read",
			s->chat.len);
		close_input(s);
		stdio_refuse(s, NULL, &err);
		return;
	}
	buf_drop(&s->chat, (size_t)n);
	if (s->chat.len)
		return;
	loop_io_events(s->chat_io, 0);
	if (s->chat_ends)
		close_input(s);
}

int stdio_chat(struct stdio *s, cJSON *rq, struct err *err)
{
	const char *text = json_str(rq, "text");
	bool eof = json_bool(rq, "eof", false);
	size_t len = text ? strlen(text) : 0;

	if (!text && !eof)
		return err_set(err, ERR_USAGE, "chat: text is not a string");
	if (s->pid == 0 || s->exited)
		return err_set(err, ERR_NOT_RUNNING, "chat: no agent runs");
	if (!s->chat_io || s->chat_ends)
		return err_set(err, ERR_NOT_RUNNING,
			       "chat: the agent's standard input is closed");
	if (s->chat.len + len >= STDIO_LINE)
		return err_set(err, ERR_LIMIT,
			       "chat: the agent has not read %zu bytes yet",
			       s->chat.len);
	if (text) {
		buf_add(&s->chat, text, len);
		if (!len || text[len - 1] != '\n')
			buf_addc(&s->chat, '\n');
	}
	s->chat_ends = eof;
	loop_io_events(s->chat_io, POLLOUT);
	return 0;
}

/* -- its start ------------------------------------------------------------- */

static void wipe(const cJSON *rq, const char *key)
{
	const cJSON *a = cJSON_GetObjectItemCaseSensitive(rq, key), *e;

	cJSON_ArrayForEach (e, a)
		if (cJSON_IsString(e))
			explicit_bzero(e->valuestring, strlen(e->valuestring));
}

/* Ours, and on top of it the request's. */
static int take_env(const cJSON *rq, const char *dir, struct strv *shown,
		    struct strv *secret, struct err *err)
{
	struct strv given = {0};
	int rc = stdio_list(rq, "env", true, &given, err);

	for (char **e = environ; *e; e++)
		strv_add(shown, *e);
	env_set(shown, "PWD", dir);
	for (size_t i = 0; i < given.n; i++)
		env_put(shown, given.v[i]);
	strv_finish(&given);
	strv_copy(secret, shown);
	if (rc == 0)
		rc = stdio_list(rq, "secrets", true, &given, err);
	for (size_t i = 0; i < given.n; i++)
		env_put(secret, given.v[i]);
	strv_finish(&given);
	/* From here on the strings are all there is of it. */
	wipe(rq, "env");
	wipe(rq, "secrets");
	return rc;
}

static int start(struct stdio *s, struct strv *argv, struct strv *env,
		 const char *dir, struct err *err)
{
	struct terminal_start st = {
	    .argv = argv->v,
	    .envp = env->v,
	    .dir = dir,
	    .dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	    .loop = s->loop,
	    .events = s->events,
	};
	int rc = st.dir_fd < 0 ? err_errno(err, "open %s", dir)
			       : pipe_start(&s->pipe, &st, &s->pid, err);

	file_close(st.dir_fd);
	if (rc < 0)
		s->pid = 0;
	return rc;
}

static void started(struct stdio *s)
{
	cJSON *o = stdio_event("agent:started");

	for (int i = 0; i < 2; i++) {
		struct stdio_stream *st = &s->streams[i];

		*st = (struct stdio_stream){.s = s,
					    .fd = s->pipe.fd[1 + i],
					    .event = i ? "agent:stderr"
						       : "agent:stdout"};
		st->io = loop_io_add(s->loop, st->fd, POLLIN, on_output, st);
	}
	s->chat_io = loop_io_add(s->loop, s->pipe.fd[0], 0, on_room, s);
	json_set_int(o, "pid", s->pid);
	stdio_say(s, o);
}

int stdio_start(struct stdio *s, cJSON *rq, struct err *err)
{
	struct strv argv = {0}, env = {0}, secret = {0};
	char *dir = realpath(json_str_or(rq, "dir", "."), NULL);
	int64_t grace;
	int rc = -1;

	if (s->pid || s->kill_at)
		err_set(err, ERR_CONFLICT, "start: %s",
			s->kill_at ? "this process is ending"
				   : "the agent has been started already");
	else if (!dir)
		err_errno(err, "start: dir");
	else if (stdio_list(rq, "argv", false, &argv, err) == 0 &&
		 stdio_ms(rq, "stop_timeout_ms", s->stop_timeout_ms, 0,
			  STDIO_GRACE_MAX, &grace, err) == 0)
		rc = take_env(rq, dir, &env, &secret, err);
	if (rc == 0 && argv.n == 0)
		rc = err_set(err, ERR_USAGE, "start: argv is empty");
	if (rc == 0)
		rc = start(s, &argv, &secret, dir, err);
	if (rc == 0) {
		s->stop_timeout_ms = grace;
		s->env = env;
		s->dir = dir;
		env = (struct strv){0};
		dir = NULL;
	}
	free(dir);
	strv_finish(&argv);
	strv_finish(&env);
	strv_finish(&secret);
	if (rc == 0)
		started(s);
	return rc;
}

void stdio_agent_finish(struct stdio *s)
{
	if (s->pid)
		pipe_finish(&s->pipe);
	for (int i = 0; i < 2; i++)
		buf_finish(&s->streams[i].left);
	buf_finish(&s->chat);
	strv_finish(&s->env);
	free(s->dir);
}
