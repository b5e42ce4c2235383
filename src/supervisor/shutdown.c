/*
 * shutdown.c - what a signal to the supervisor means.
 *
 * When the machine goes down, init tells all processes to end, in no order,
 * and kills what is left. The harness is told too, and may be gone, with
 * whatever exit code, before the supervisor has seen its own signal: that
 * looks like an end by itself. Nobody is to wait for such a signal, so the
 * end is written down and the lock released at once; only the process stays
 * for a moment, and corrects the state where a signal comes and nobody has
 * written it since.
 */
#include "supervisor/shutdown.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/tree.h"
#include "session/disk/event_log.h"
#include "session/disk/lock.h"
#include "supervisor/harness/harness.h"
#include "supervisor/start.h"

void shutdown_words(int signo, char *out, size_t size)
{
	snprintf(out, size, "lost: its supervisor was told to end (signal %d)",
		 signo);
}

void shutdown_signal(struct supervisor *sv, int signo, int word)
{
	bool late = sv->left_at && clock_mono_ms() - sv->left_at > SHUTDOWN_MS;
	enum ending why = word == TREE_STOP_WORD ? ENDING_PARENT
			  : late		 ? ENDING_STOP
						 : ENDING_DOWN;
	char words[128];

	shutdown_words(signo, words, sizeof words);
	sv->state.lost |= sv->starting;
	if (start_cancel(sv, words, 0))
		return;
	if (why == ENDING_DOWN)
		sv->down_signal = signo;
	harness_stop(sv, why, sv->spec.stop_timeout_ms);
}

/* No move of the table of phases: it never was what was written. */
static void correct(struct supervisor *sv)
{
	struct err err = {0};
	int lock = lock_take(sv->dir, &err);
	struct state now;
	char words[128];
	cJSON *o;

	if (lock < 0)
		return;
	if (state_load(&now, sv->dir, &err) < 0 || now.rev != sv->state.rev ||
	    phase_is_live(now.phase))
		goto out;
	shutdown_words(sv->down_signal, words, sizeof words);
	now.phase = PHASE_ERROR;
	now.lost = true;
	state_set(&now.error_reason, words);
	if (state_save(&now, sv->dir, true, &err) < 0)
		goto out;
	o = cJSON_CreateObject();
	json_set_str(o, "phase", phase_name(now.phase));
	json_set_str(o, "reason", words);
	events_append(sv->dir, "phase", o, &err);
out:
	if (err.what[0])
		supervisor_log("%s", err.what);
	state_finish(&now);
	close(lock);
}

/* The next signal within ms, or 0; one from a parent is none. */
static int next_signal(int64_t ms)
{
	int64_t end = clock_mono_ms() + ms;
	siginfo_t si;
	sigset_t set;
	int signo;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	do {
		int64_t left = end - clock_mono_ms();
		struct timespec ts = {0};

		if (left > 0)
			ts =
			    (struct timespec){.tv_sec = left / 1000,
					      .tv_nsec = left % 1000 * 1000000};
		signo = sigtimedwait(&set, &si, &ts);
	} while (signo < 0 && errno == EINTR);
	if (signo < 0 ||
	    (si.si_code == SI_QUEUE && si.si_value.sival_int == TREE_STOP_WORD))
		return 0;
	return signo;
}

void shutdown_wait(struct supervisor *sv)
{
	bool parent = sv->ending == ENDING_PARENT;

	if (!sv->exited || sv->lost || (sv->ending != ENDING_NONE && !parent))
		return;
	if (!sv->down_signal)
		sv->down_signal = next_signal(parent ? 0 : SHUTDOWN_MS);
	if (!sv->down_signal)
		return;
	correct(sv);
	raise(SIGTERM); /* for who waits after us */
}
