/*
 * bridge.c - starts a helper for each bridge that connects, and receives the
 * reports of the agent's use of its tools: the helper writes them to its
 * standard error, a socket, as one JSON object a line. The answer to a question
 * is written there. The helper is trusted; only the text that it quotes is the
 * agent's. bridge_refine() reports the agent as waiting after it has reported
 * "blocked".
 */
#include "supervisor/door/bridge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "base/utf8.h"
#include "session/approve_rule.h"
#include "supervisor/approval/consent.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "wire/program.h"

#define BRIDGES_MAX 4 /* for an agent and its sub-agents */
#define LINE_MAX_   16384
#define END_MS	    2000 /* a helper may run this long after its session ends */

struct link {
	struct bridge *bridge; /* NULL: not in use */
	struct child *helper;  /* NULL: it has exited */
	int reports;
	struct loop_io *io;
	struct buf in;
};

struct bridge {
	struct supervisor *sv;
	struct link links[BRIDGES_MAX];
};

/* Returns the reason if the agent has reported by af_subtask_state that it
 * cannot continue without help, and was sent nothing since; else NULL. */
static const char *blocked_reason(const struct supervisor *sv)
{
	const struct state *st = &sv->state;

	if (!st->subtask || strcmp(st->subtask, "blocked") != 0)
		return NULL;
	return st->subtask_detail ? st->subtask_detail : "";
}

/* Reports an idle agent as waiting if it has reported "blocked", unless the
 * next queued message will be typed anyway. */
static void bridge_refine(struct supervisor *sv, struct verdict *v)
{
	const char *why = blocked_reason(sv);

	if (!why || !activity_is_idle(v->activity) ||
	    (sender_queued(sv->sender) && !sender_needs_person(sv->sender)))
		return;
	v->activity = ACTIVITY_WAITING_FOR_INPUT;
	v->source = SOURCE_TOOL;
	utf8_printable(v->detail, sizeof v->detail, why, strlen(why));
}

void bridge_explain(const struct supervisor *sv, cJSON *out)
{
	cJSON *o = cJSON_CreateObject();
	const char *asked = consent_question(sv);
	_free_ char *why =
	    asked ? mem_printf("a tool asks you first, %s", asked)
		  : mem_strdup("by af_subtask_state it is blocked, and its "
			       "turn is over");

	json_set_str(o, "source", source_name(SOURCE_TOOL));
	json_set_str(o, "activity", activity_name(sv->verdict.activity));
	json_set_str(o, "detail", sv->verdict.detail);
	json_set_bool(o, "believed", true);
	json_set_str(o, "why", why);
	cJSON_AddItemToArray(json_get(out, "signals"), o);
	cJSON_DeleteItemFromObjectCaseSensitive(out, "explanation");
	json_set_str(out, "explanation", why);
}

/* detail: "" if there is none. */
static void set_subtask(struct supervisor *sv, const char *state,
			const char *detail)
{
	mem_set(&sv->state.subtask, state);
	mem_set(&sv->state.subtask_detail, *detail ? detail : NULL);
	publish_lasting(sv);
}

/* Asks the user. The rules are compared with text that the agent cannot choose:
 * "af_issues: create". */
static void ask_user(struct link *l, const cJSON *o)
{
	struct supervisor *sv = l->bridge->sv;
	struct approve_question q = {
	    .harness = sv->spec.harness ? sv->spec.harness : "",
	    .text = json_str_or(o, "what", ""),
	    .whole = true,
	    .dir = sv->spec.worktree,
	};

	consent_request(sv, l->reports, json_str_or(o, "text", ""),
			approve_rule_find(sv->spec.approve, &q));
}

static void on_line(struct link *l, const char *line, size_t len)
{
	struct supervisor *sv = l->bridge->sv;
	cJSON *o = json_parse_object(line, len, NULL);
	cJSON *kind = cJSON_DetachItemFromObjectCaseSensitive(o, "report");
	const char *event = cJSON_GetStringValue(kind);

	if (!event) {
		publish_log("afw-tools: %.*s", (int)len, line);
		cJSON_Delete(o);
	} else if (strcmp(event, "ask") == 0) {
		ask_user(l, o);
		cJSON_Delete(o);
	} else if (strcmp(event, "asked") == 0) {
		consent_withdraw(sv, l->reports);
		cJSON_Delete(o);
	} else {
		if (strcmp(event, "subtask") == 0) {
			set_subtask(sv, json_str(o, "state"),
				    json_str_or(o, "detail", ""));
			monitor_update(sv);
		}
		publish_event(sv, event, o);
	}
	cJSON_Delete(kind);
}

static void release_link(struct link *l)
{
	loop_io_remove(l->io);
	consent_withdraw(l->bridge->sv, l->reports);
	close(l->reports);
	buf_finish(&l->in);
	l->io = NULL;
	if (!l->helper)
		l->bridge = NULL;
}

static void on_report(void *ctx, int fd, short revents)
{
	struct link *l = ctx;
	ssize_t n = read(fd, buf_room(&l->in, 4096), 4096);
	char *end;

	if (n <= 0) {
		if (n == 0 || errno != EAGAIN)
			release_link(l);
		return;
	}
	l->in.len += (size_t)n;
	while ((end = memchr(l->in.data, '\n', l->in.len))) {
		size_t len = (size_t)(end - l->in.data);

		on_line(l, l->in.data, len);
		buf_drop(&l->in, len + 1);
	}
	if (l->in.len > LINE_MAX_)
		buf_clear(&l->in);
}

static void on_ended(void *ctx, const struct child_end *end)
{
	struct link *l = ctx;

	if (end->failed)
		publish_log("%s", end->failed);
	l->helper = NULL;
	if (!l->io)
		l->bridge = NULL;
}

/* Opens a FIFO of the user; refuses any other file of that name. Does not
 * block. */
static int open_fifo(int dir, const char *name, const char *suffix, int flags)
{
	char file[BRIDGE_NAME_LEN + 16];
	struct stat st;
	int fd;

	snprintf(file, sizeof file, "%s%s", name, suffix);
	fd = openat(dir, file, flags | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISFIFO(st.st_mode)))
		file_reset(&fd);
	return fd;
}

static int start_helper(struct bridge *b, struct link *l, int ask, int answer,
			struct err *err)
{
	_free_ char *program = program_find("afw-tools");
	_pipe_ int reports[2] = {-1, -1};
	struct child_start st = {
	    .spawn = {.argv = (char *[]){program, b->sv->dir, NULL},
		      .dir = "/",
		      .new_session = true},
	    .ended = on_ended,
	    .ctx = l,
	};

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, reports) < 0 ||
	    file_set_nonblock(reports[0]) < 0)
		return err_errno(err, "make a socket");
	st.spawn.fd[0] = ask;
	st.spawn.fd[1] = answer;
	st.spawn.fd[2] = reports[1];
	l->helper = child_start(b->sv->children, &st, err);
	if (!l->helper)
		return -1;
	l->bridge = b;
	l->reports = TAKE_FD(reports[0]);
	l->io = loop_io_add(b->sv->loop, l->reports, POLLIN, on_report, l);
	return 0;
}

static struct link *find_free_link(struct bridge *b)
{
	for (size_t i = 0; i < BRIDGES_MAX; i++)
		if (!b->links[i].bridge)
			return &b->links[i];
	return NULL;
}

void bridge_connect(struct supervisor *sv, const char *name)
{
	_close_ int dir = -1, ask = -1, answer = -1;
	struct err err = {0};
	struct link *l = find_free_link(sv->bridge);

	if (!random_is_hex(name, BRIDGE_NAME_LEN))
		return;
	dir = open(sv->home, FILE_DIR_FLAGS);
	ask = open_fifo(dir, name, ".ask", O_RDONLY);
	answer = open_fifo(dir, name, ".answer", O_WRONLY);
	if (ask >= 0 && answer >= 0) {
		if (!sv->spec.bridge)
			err_set(&err, ERR_FAILED,
				"this session has none (bridge in afw.ini)");
		else if (!l)
			err_set(&err, ERR_LIMIT, "%d bridges are open already",
				BRIDGES_MAX);
		else
			start_helper(sv->bridge, l, ask, answer, &err);
		if (err.kind && dprintf(answer, "-%s\n", err.what) <
				    0) /* the other side has given up */
			publish_log("bridge: %s", err.what);
	}
}

static int bridge_init(struct supervisor *sv, struct err *err)
{
	sv->bridge->sv = sv;
	return 0;
}

static void bridge_start(struct supervisor *sv)
{
	set_subtask(sv, NULL, "");
}

static void bridge_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	if (blocked_reason(sv)) /* it has its answer */
		set_subtask(sv, NULL, "");
}

static void bridge_end(struct supervisor *sv, const char *reason)
{
	for (size_t i = 0; i < BRIDGES_MAX; i++)
		if (sv->bridge->links[i].helper)
			child_hurry(sv->bridge->links[i].helper, END_MS);
}

static void bridge_finish(struct supervisor *sv)
{
	for (size_t i = 0; i < BRIDGES_MAX; i++) {
		struct link *l = &sv->bridge->links[i];

		if (l->bridge && l->io)
			release_link(l);
	}
}

const struct part bridge_part = {
    .own = PART_OWN(bridge),
    .init = bridge_init,
    .start = bridge_start,
    .refine = bridge_refine,
    .acted = bridge_acted,
    .end = bridge_end,
    .finish = bridge_finish,
};
