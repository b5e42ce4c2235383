/* recorder.c - writes the session's transcript (session/disk/transcript.h). */

#include "base/clock.h"
#include "base/json.h"
#include "session/disk/transcript.h"
#include "supervisor/typed_keys.h"
#include "supervisor/part.h"

/* Output is written out this long after the first unwritten byte, or sooner
 * together with an update of the screen, for which the process is awake
 * anyway. */
#define QUIET_MS 300
#define AWAKE_MS 100

struct recorder {
	struct transcript *transcript;
	struct loop_timer *quiet;
	int64_t since; /* monotonic ms: of the first byte not written out */
	bool told;     /* the failure was reported */
};

/* Records an event; takes o over. */
static void record_event(struct supervisor *sv, const char *name, cJSON *o)
{
	struct buf text = {0};

	json_set_str(o, "event", name);
	json_print(o, &text);
	cJSON_Delete(o);
	if (sv->spec.record)
		transcript_event(sv->recorder->transcript, text.data);
	buf_finish(&text);
}

static void record_signal(struct supervisor *sv, const char *name,
			  const cJSON *o)
{
	record_event(sv, name, cJSON_Duplicate(o, 1));
}

static void on_quiet(void *ctx)
{
	struct supervisor *sv = ctx;
	struct recorder *r = sv->recorder;
	const char *why;

	transcript_flush(r->transcript);
	why = transcript_failed(r->transcript);
	if (!why || r->told)
		return;
	r->told = true;
	publish_degraded(sv, "%s", why);
}

static void recorder_start(struct supervisor *sv)
{
	struct recorder *r = sv->recorder;
	struct err err = {0};

	r->quiet = loop_timer_add(sv->loop, on_quiet, sv);
	r->transcript = transcript_open(sv->dir, sv->spec.cols, sv->spec.rows,
					TRANSCRIPT_BYTES, &err);
	if (!r->transcript)
		publish_degraded(sv, "%s", err.what);
	if (!sv->spec.record)
		return;
	transcript_exact(r->transcript);
	record_event(sv, "started", cJSON_CreateObject());
}

static void recorder_output(struct supervisor *sv, const char *data, size_t len)
{
	transcript_output(sv->recorder->transcript, data, len);
	if (loop_timer_active(sv->recorder->quiet))
		return;
	loop_timer_set(sv->recorder->quiet, QUIET_MS);
	sv->recorder->since = clock_mono_ms();
}

static void recorder_screen_read(struct supervisor *sv)
{
	struct recorder *r = sv->recorder;

	if (!loop_timer_active(r->quiet) ||
	    clock_mono_ms() - r->since < AWAKE_MS)
		return;
	loop_timer_stop(r->quiet);
	on_quiet(sv);
}

static void recorder_verdict(struct supervisor *sv, const struct verdict *was)
{
	enum activity now = sv->verdict.activity;

	if (now != was->activity)
		transcript_marker(sv->recorder->transcript, activity_name(now));
}

/* Records the kind, not the keys themselves: they may be a password. */
static void recorder_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	static const char *const names[] = {
	    [ACT_TYPED] = "typed",
	    [ACT_INTERRUPT] = "interrupt",
	    [ACT_SENT] = "sent",
	    [ACT_SETTLED] = "settled",
	};
	cJSON *o = cJSON_CreateObject();

	if (what == ACT_TYPED) {
		json_set_bool(o, "interrupt", keys & TYPED_INTERRUPT);
		json_set_bool(o, "enter", keys & TYPED_ENTER);
	}
	record_event(sv, names[what], o);
}

static void recorder_resize(struct supervisor *sv, int cols, int rows)
{
	transcript_resize(sv->recorder->transcript, cols, rows);
}

static void recorder_end(struct supervisor *sv, const char *reason)
{
	transcript_flush(sv->recorder->transcript);
	loop_timer_stop(sv->recorder->quiet);
}

static void recorder_finish(struct supervisor *sv)
{
	transcript_close(sv->recorder->transcript);
}

const struct part recorder_part = {
    .own = PART_OWN(recorder),
    .start = recorder_start,
    .output = recorder_output,
    .signal = record_signal,
    .screen_read = recorder_screen_read,
    .verdict = recorder_verdict,
    .acted = recorder_acted,
    .resize = recorder_resize,
    .end = recorder_end,
    .finish = recorder_finish,
};
