/*
 * harness_report.c - reports the end of the harness: to people in words, to
 * programs by the state, its phase and the event agent:exit.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "sandbox/sandbox.h"
#include "supervisor/harness/harness.h"
#include "supervisor/harness/harness_internal.h"
#include "supervisor/part.h"
#include "wire/protocol.h"

static bool was_requested(const struct harness_end *e)
{
	return e->why == ENDING_STOP || e->why == ENDING_SUSPEND ||
	       e->why == ENDING_PARENT;
}

void harness_lost_reason(int signo, char *out, size_t size)
{
	snprintf(out, size, "lost: its supervisor was ended (signal %d)",
		 signo);
}

static void format_reason(struct supervisor *sv, char *out, size_t size)
{
	const struct harness_end *e = sv->end;
	int st = e->wait_status;

	if (was_requested(e))
		snprintf(out, size, "%s%s",
			 e->why == ENDING_SUSPEND ? "suspended" : "stopped",
			 WIFSIGNALED(st) && WTERMSIG(st) == SIGKILL
			     ? " (killed)"
			     : "");
	else if (e->lost)
		snprintf(out, size, "lost: %s", e->lost);
	else if (e->why == ENDING_DOWN)
		harness_lost_reason(e->down_signal, out, size);
	else if (WIFSIGNALED(st))
		snprintf(out, size, "%s was killed by signal %d (%s)",
			 adapter_display_name(sv->adapter, &sv->spec),
			 WTERMSIG(st), strsignal(WTERMSIG(st)));
	else
		snprintf(out, size, "%s exited with code %d",
			 adapter_display_name(sv->adapter, &sv->spec),
			 WEXITSTATUS(st));
}

/* Appends what the sandbox knows about the end. */
static void add_sandbox_reason(struct supervisor *sv, char *words, size_t size)
{
	const struct harness_end *e = sv->end;
	const struct sandbox *tier = sandbox_find(sv->spec.sandbox);
	size_t len = strlen(words);
	int st = e->wait_status;
	char *more;

	if (!tier || !tier->ended || !sv->state.sandbox)
		return;
	more = tier->ended(sv->state.sandbox,
			   WIFEXITED(st) ? WEXITSTATUS(st) : -1);
	if (more && !was_requested(e))
		snprintf(words + len, size - len, ": %s", more);
	free(more);
}

void harness_end_words(struct supervisor *sv, char *out, size_t size)
{
	format_reason(sv, out, size);
	add_sandbox_reason(sv, out, size);
}

void harness_report_unstarted(struct supervisor *sv)
{
	char text[4096], words[512], last[300];
	size_t len, room = sizeof text;
	ssize_t n;

	/* A terminal may give a line at a time. */
	while (room > 0 &&
	       (n = sv->backend->read(sv->harness->pending,
				      text + sizeof text - room, room)) > 0)
		room -= (size_t)n;
	harness_end_words(sv, words, sizeof words);
	len = strlen(words);
	utf8_last_line(last, sizeof last, text, sizeof text - room);
	if (last[0])
		snprintf(words + len, sizeof words - len, ": %s", last);
	sv->backend->destroy(sv->harness->pending);
	sv->harness->pending = NULL;
	sv->pid = 0;
	PARTS(unstarted, sv, words); /* may watch it */
	file_reset(&sv->harness->release_fd);
}

void harness_publish_end(struct supervisor *sv, const char *words)
{
	struct state *state = &sv->state;
	const struct harness_end *e = sv->end;
	bool lost = e->lost || e->why == ENDING_DOWN;
	cJSON *o = cJSON_CreateObject();

	state->pid = 0;
	state->ended_at = clock_wall_ms();
	if (WIFSIGNALED(e->wait_status))
		state->signal = WTERMSIG(e->wait_status);
	else
		state->exit_code = WEXITSTATUS(e->wait_status);
	protocol_set_end(o, e->wait_status);
	if (was_requested(e))
		json_set_bool(o, "asked", true);
	publish_event(sv, "agent:exit", o);
	state->supervisor_pid = 0;
	if (state->phase == PHASE_STOPPING) {
		publish_phase(sv, PHASE_STOPPED, words);
	} else if (e->why == ENDING_SUSPEND) {
		publish_phase(sv, PHASE_SUSPENDED, words);
	} else if (e->wait_status != 0 || lost) {
		state->lost = lost;
		publish_phase(sv, PHASE_ERROR, words);
	} else {
		publish_phase(sv, PHASE_STOPPING, words);
		publish_phase(sv, PHASE_STOPPED, words);
	}
}
