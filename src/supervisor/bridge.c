/*
 * bridge.c - a child that talks to the harness, on the loop.
 *
 * What it says is checked as little as a hook's word: it is about a harness,
 * and a harness wrote it. It is no way to the host: texts are cut and made
 * printable where they are shown, and nothing of it becomes a path or a
 * command.
 */
#include "supervisor/bridge.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "supervisor/watch.h"
#include "wire/channel.h"
#include "wire/program.h"

#define DEATHS_MAX  5	   /* the last of them: then it is left dead */
#define AGAIN_MS    1000   /* times the deaths so far */
#define FORGIVE_MS  300000 /* it lived so long: the deaths before are old */
#define COMPLAIN_MS 60000  /* not up for so long: status says so */

struct bridge {
	struct supervisor *sv;
	char *program;
	cJSON *options;
	pid_t pid;
	int fd;
	struct channel *channel; /* NULL until it was started; may be over */
	struct loop_timer *again, *complain;
	int deaths;
	int64_t started_at; /* monotonic ms */
	bool up;
	bool interrupting; /* it was asked to, and has not answered */
	int64_t down_since;
	char why[160];
	char complaint[256]; /* what is in state.degraded, or "" */
};

pid_t bridge_pid(const struct bridge *b)
{
	return b ? b->pid : 0;
}

/* -- what a person is told --------------------------------------------------- */

static void uncomplain(struct bridge *b)
{
	struct strv *d = &b->sv->state.degraded;
	size_t to = 0;

	if (!b->complaint[0])
		return;
	for (size_t i = 0; i < d->n; i++) {
		if (strcmp(d->v[i], b->complaint) == 0)
			free(d->v[i]);
		else
			d->v[to++] = d->v[i];
	}
	d->n = to;
	d->v[to] = NULL;
	b->complaint[0] = '\0';
	supervisor_touch(b->sv);
}

static void complain(struct bridge *b)
{
	uncomplain(b);
	snprintf(b->complaint, sizeof b->complaint, "messages %s: %s",
		 b->deaths < DEATHS_MAX ? "wait, or are typed" : "are typed",
		 b->why);
	strv_add(&b->sv->state.degraded, b->complaint);
	supervisor_touch(b->sv);
}

static void on_complain(void *ctx)
{
	struct bridge *b = ctx;

	if (!b->up)
		complain(b);
}

static void set_state(struct bridge *b, bool up, const char *why)
{
	if (b->up && !up) {
		b->down_since = clock_mono_ms();
		loop_timer_set(b->complain, COMPLAIN_MS);
	}
	b->up = up;
	utf8_printable(b->why, sizeof b->why, why, strlen(why));
	if (up) {
		loop_timer_stop(b->complain);
		uncomplain(b);
	}
	loop_timer_set(b->sv->wake_timer, 0);
}

/* -- frames ------------------------------------------------------------------ */

static void close_socket(struct bridge *b)
{
	if (b->fd < 0)
		return;
	channel_stop(b->channel);
	close(b->fd);
	b->fd = -1;
}

/* The answer to what it was asked; one that was not is none. */
static void interrupted(struct bridge *b, bool ok)
{
	bool asked = b->interrupting;

	b->interrupting = false;
	if (asked && !ok)
		watch_interrupt_keys(b->sv);
}

/* It is of no use any more; its end is reaped later. */
static void lose(struct bridge *b, const char *why)
{
	struct reading r;
	cJSON *o;

	if (b->fd < 0)
		return;
	supervisor_log("%s: %s", b->program, why);
	close_socket(b);
	if (b->pid)
		kill(b->pid, SIGKILL);
	set_state(b, false, why);
	interrupted(b, false);
	o = cJSON_CreateObject();
	json_set_str(o, "activity", "");
	senses_told(&b->sv->senses, o, &r, clock_mono_ms());
	cJSON_Delete(o);
	sender_bridge_lost(b->sv->sender, why);
	watch_verdict(b->sv);
}

static int say(struct bridge *b, const cJSON *o, struct err *err)
{
	struct err why = {0};

	if (b->fd < 0)
		return err_set(err, ERR_FAILED, "the bridge is not there");
	if (channel_say(b->channel, o, &why) == 0)
		return 0;
	/* If it still lives it is of no use. What it has said is heard. */
	if (why.kind == ERR_FAILED && b->pid)
		kill(b->pid, SIGKILL);
	return err_set(err, why.kind, "the bridge: %s", why.what);
}

bool bridge_interrupt(struct bridge *b)
{
	cJSON *o;
	int rc;

	if (!b || !b->up)
		return false;
	o = cJSON_CreateObject();
	json_set_str(o, "op", "interrupt");
	rc = say(b, o, NULL);
	cJSON_Delete(o);
	b->interrupting |= rc == 0;
	return rc == 0;
}

static void on_frame(void *ctx, const cJSON *o)
{
	struct bridge *b = ctx;
	const char *event = json_str_or(o, "event", "");

	if (strcmp(event, "state") == 0)
		set_state(b, json_bool(o, "up", false),
			  json_str_or(o, "why", ""));
	else if (strcmp(event, "told") == 0)
		watch_told(b->sv, o);
	else if (strcmp(event, "interrupted") == 0)
		interrupted(b, json_bool(o, "ok", false));
	else if (strcmp(event, "sent") == 0) {
		const char *detail = json_str_or(o, "detail", "");
		char text[SEND_DETAIL];

		utf8_printable(text, sizeof text, detail, strlen(detail));
		sender_posted(b->sv->sender, json_int(o, "id", 0),
			      json_str_or(o, "receipt", ""), text);
	}
}

static void on_ended(void *ctx, const char *why)
{
	lose(ctx, why);
}

/* -- life -------------------------------------------------------------------- */

static int start(struct bridge *b, struct err *err)
{
	char *path = program_find(b->program);
	char *argv[] = {path, NULL};
	struct channel_owner owner = {.ctx = b,
				      .frame = on_frame,
				      .ended = on_ended,
				      .pace = WATCH_PACE};
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		free(path);
		return err_errno(err, "make a socket for %s", b->program);
	}
	b->pid = spawn_start(
	    &(struct spawn){.argv = argv,
			    .fd = {pair[1], pair[1], STDERR_FILENO},
			    .new_session = true},
	    err);
	free(path);
	close(pair[1]);
	if (b->pid < 0) {
		b->pid = 0;
		close(pair[0]);
		return -1;
	}
	b->started_at = clock_mono_ms();
	b->fd = pair[0];
	channel_destroy(b->channel); /* of the one before */
	b->channel = channel_create(b->sv->loop, b->fd, &owner);
	return 0;
}

static void start_and_begin(struct bridge *b)
{
	struct err err = {0};
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "op", "begin");
	json_set_int(o, "pid", b->sv->pid);
	cJSON_AddItemReferenceToObject(o, "options", b->options);
	/* One that does not listen has died by now: it is reaped. */
	if (start(b, &err) < 0 ||
	    (say(b, o, &err) < 0 && err.kind != ERR_FAILED)) {
		supervisor_log("%s", err.what);
		set_state(b, false, err.what);
		activity_no_events(b->sv->activity);
		complain(b);
	}
	cJSON_Delete(o);
}

static void on_again(void *ctx)
{
	struct bridge *b = ctx;

	/* It may have to take up another conversation than at the start. */
	if (b->sv->state.conversation) {
		cJSON_DeleteItemFromObject(b->options, "conversation");
		json_set_str(b->options, "conversation",
			     b->sv->state.conversation);
	}
	if (b->sv->terminal && !b->sv->exited && b->sv->ending == ENDING_NONE)
		start_and_begin(b);
}

bool bridge_reaped(struct bridge *b, pid_t pid)
{
	if (!b || pid != b->pid)
		return false;
	b->pid = 0;
	if (b->fd >= 0)
		channel_drain(b->channel);
	lose(b, "it ended");
	if (clock_mono_ms() - b->started_at > FORGIVE_MS)
		b->deaths = 0;
	if (++b->deaths < DEATHS_MAX) {
		loop_timer_set(b->again, (int64_t)AGAIN_MS * b->deaths);
		return true;
	}
	activity_no_events(b->sv->activity);
	complain(b);
	return true;
}

struct bridge *bridge_create(struct supervisor *sv, const char *program,
			     cJSON *options)
{
	struct bridge *b = mem_alloc(sizeof *b);

	b->sv = sv;
	b->program = mem_strdup(program);
	b->options = options;
	b->fd = -1;
	b->again = loop_timer_add(sv->loop, on_again, b);
	b->complain = loop_timer_add(sv->loop, on_complain, b);
	b->down_since = clock_mono_ms();
	snprintf(b->why, sizeof b->why, "its server is not there yet");
	loop_timer_set(b->complain, COMPLAIN_MS);
	start_and_begin(b);
	return b;
}

void bridge_destroy(struct bridge *b)
{
	if (!b)
		return;
	close_socket(b);
	channel_destroy(b->channel);
	if (b->pid) {
		kill(b->pid, SIGKILL);
		while (waitpid(b->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	loop_timer_remove(b->again);
	loop_timer_remove(b->complain);
	cJSON_Delete(b->options);
	free(b->program);
	free(b);
}

/* -- for the sender ---------------------------------------------------------- */

bool bridge_state(const struct bridge *b, struct sender_bridge *out)
{
	if (!b)
		return false;
	*out = (struct sender_bridge){.up = b->up,
				      .gone = !b->up && b->deaths >= DEATHS_MAX,
				      .down_since = b->down_since,
				      .why = b->why};
	return true;
}

int bridge_post(struct bridge *b, int64_t id, const char *text,
		const char *mode, struct err *err)
{
	cJSON *o = cJSON_CreateObject();
	int rc;

	json_set_str(o, "op", "send");
	json_set_int(o, "id", id);
	json_set_str(o, "text", text);
	json_set_str(o, "mode", mode);
	rc = say(b, o, err);
	cJSON_Delete(o);
	return rc;
}
