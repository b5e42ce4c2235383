/*
 * session.c - sessions as a reader sees them.
 *
 * A reader checks three things: what was asked (spec), what the last writer
 * stored (state), and whether a writer is running (lock). Only all three are
 * reliable: a live phase with a free lock is a lost session, whatever the state
 * says.
 */
#include "session/session.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "base/version.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "session/disk/event_log.h"
#include "session/disk/groups.h"
#include "session/disk/lock.h"
#include "session/disk/queue.h"
#include "wire/client.h"

#define SETTLE_MS      5000
#define SETTLE_POLL_MS 5
#define ASK_MS	       500

void session_finish(struct session *s)
{
	free(s->dir);
	free(s->host);
	s->dir = s->host = NULL;
	cJSON_Delete(s->json);
	s->json = NULL;
	spec_finish(&s->spec);
	state_finish(&s->state);
	strv_finish(&s->groups);
}

static void mark_broken(struct session *s, const char *id,
			const struct err *err)
{
	s->broken = true;
	memcpy(s->spec.id, id, SPEC_ID_LEN + 1);
	if (!s->spec.name)
		s->spec.name = mem_strndup(id, 8);
	s->state.phase = PHASE_ERROR;
	s->state.activity = ACTIVITY_NONE;
	mem_set(&s->state.error_reason, err->what);
}

static bool should_be_alive(const struct state *st)
{
	return phase_is_live(st->phase) || st->waits;
}

static void mark_lost(struct session *s)
{
	char text[160];

	snprintf(
	    text, sizeof text, "lost: %s while the session was %s%s",
	    state_is_of_earlier_boot(&s->state) ? "the machine was restarted"
						: "its supervisor has ended",
	    s->state.waits ? "waiting" : phase_name(s->state.phase),
	    /* a state without a boot id, from an older afw */
	    s->state.boot_id ? "" : " (killed, or the machine was restarted)");
	s->lost = s->state.phase != PHASE_STOPPING;
	s->state.phase = PHASE_ERROR;
	s->state.activity = ACTIVITY_NONE;
	s->state.pid = 0;
	s->state.supervisor_pid = 0;
	mem_set(&s->state.error_reason, text);
	mem_set(&s->state.detail, NULL);
}

/* Handles a state that could not be read; why: errno. The file may not exist
 * yet. */
static void set_no_state(struct session *s, const char *id, int why,
			 const struct err *err)
{
	s->newer = why == EPROTONOSUPPORT;
	if (why != ENOENT)
		mark_broken(s, id, err);
	else
		s->state.phase = PHASE_PROVISIONING;
}

/* Reads the state of a running session from its supervisor: its place on the
 * board is damaged, and written again when somebody connects, or is written by
 * another version of afw. */
static void ask_supervisor(struct session *s)
{
	_free_ char *path = file_join(s->dir, "control");
	struct err err;
	_client_ struct client *c = client_open(path, ASK_MS, &err);
	_json_ cJSON *reply = NULL;

	if (c)
		reply = client_request(c, REQUEST_OF(STATUS), -1, ASK_MS, &err);
	if (reply)
		fields_read(state_fields, FIELD_JSON, &s->state, reply, &err);
}

void session_read(struct session *s, const char *id, char *dir)
{
	struct err err = {0}, unlocked = {0};
	int held;

	*s = (struct session){.dir = dir};
	state_init(&s->state);
	if (spec_load(&s->spec, dir, &err) < 0) {
		s->newer = errno == EPROTONOSUPPORT;
		s->damaged = errno == EINVAL || errno == ENOENT;
		mark_broken(s, id, &err);
		return;
	}
	/* A copied directory: its socket and lock would belong to another
	 * session. */
	if (strcmp(s->spec.id, id) != 0) {
		err_set(&err, ERR_FAILED,
			"read %s/spec.json: it belongs to session %.8s", dir,
			s->spec.id);
		spec_finish(&s->spec);
		s->damaged = true;
		mark_broken(s, id, &err);
		return;
	}
	spec_read_head(&s->spec);
	groups_load(dir, &s->groups);
	/* Reads the lock first: a supervisor that exits between the two reads
	 * has then already written its state. */
	held = lock_check(dir, &unlocked);
	s->alive = held > 0;
	if (state_load(&s->state, dir, &err) < 0)
		set_no_state(s, id, errno, &err);
	else if (held < 0)
		mark_broken(s, id, &unlocked);
	if (s->alive && !s->broken && phase_is_live(s->state.phase) &&
	    s->state.slot < 0)
		ask_supervisor(s);
	s->lost = s->state.lost && s->state.phase == PHASE_ERROR;
	if (!s->broken && !s->alive && should_be_alive(&s->state)) {
		/* It may have ended properly between the two reads. */
		state_finish(&s->state);
		if (state_load(&s->state, dir, &err) < 0)
			set_no_state(s, id, errno, &err);
		if (should_be_alive(&s->state))
			mark_lost(s);
	}
	/* Without a supervisor, no other process counts the messages that are
	 * queued. */
	if (!s->alive || s->state.waits)
		s->state.queued = (int64_t)queue_count(dir);
}

int session_load(struct session *s, const char *id, struct err *err)
{
	char *dir;

	if (!random_is_hex(id, SPEC_ID_LEN))
		return err_set(err, ERR_NO_SESSION, "no session '%.64s'", id);
	dir = dirs_session(id, err);
	if (!dir)
		return -1;
	session_read(s, id, dir);
	return 0;
}

int session_reload(struct session *s, struct err *err)
{
	struct session now;

	if (session_load(&now, s->spec.id, err) < 0)
		return -1;
	session_finish(s);
	*s = now;
	return 0;
}

bool session_was_removed(const struct session *s)
{
	return (s->broken || s->state.phase == PHASE_PROVISIONING) &&
	       access(s->dir, F_OK) < 0 && errno == ENOENT;
}

void session_wait_settled(struct session *s)
{
	int64_t from = clock_mono_ms();
	struct session now;
	bool seen = false; /* a supervisor, which may exit meanwhile */

	while (s->alive && !s->broken) {
		bool supervised = board_is_held(s->dir);
		bool rests = !phase_is_live(s->state.phase);
		int64_t limit;

		seen |= supervised;
		limit = seen ? SETTLE_MS : LOCK_SOON_MS;
		if ((supervised && !rests) || clock_mono_ms() - from >= limit)
			return;
		poll(NULL, 0, SETTLE_POLL_MS);
		if (session_load(&now, s->spec.id, NULL) < 0)
			return;
		/* It was removed meanwhile: keep what was last read. */
		if (session_was_removed(&now)) {
			session_finish(&now);
			return;
		}
		session_finish(s);
		*s = now;
	}
}

enum word session_urgency(const struct session *s)
{
	return word_of(s->state.phase, s->state.activity);
}

const char *session_status_word(const struct session *s)
{
	return word_name(session_urgency(s));
}

int64_t session_since(const struct session *s)
{
	const struct state *st = &s->state;

	if (st->phase == PHASE_RUNNING && st->activity_since > 0)
		return st->activity_since;
	if (!phase_is_live(st->phase) && st->ended_at > 0)
		return st->ended_at;
	return st->updated_at > 0 ? st->updated_at : s->spec.created_at;
}

bool session_is_outdated(const struct session *s)
{
	const char *version = s->state.supervisor_version;

	return s->alive && phase_is_live(s->state.phase) &&
	       s->state.supervisor_pid && !s->state.waits &&
	       (!version || strcmp(version, AFW_VERSION) != 0);
}

bool session_is_interrupted(const struct session *s)
{
	return s->state.phase == PHASE_RUNNING &&
	       s->state.activity == ACTIVITY_IDLE && s->state.detail &&
	       strcmp(s->state.detail, "interrupted") == 0;
}

char *session_reason(const struct session *s)
{
	const char *reason = s->state.error_reason;
	size_t len = s->dir ? strlen(s->dir) : 0;
	const char *at = reason && len ? strstr(reason, s->dir) : NULL;

	if (!at || at[len] != '/')
		return mem_strdup(reason ? reason : "");
	return mem_printf("%.*s%s", (int)(at - reason), reason, at + len + 1);
}

bool session_is_here(const struct session *s, const char *here)
{
	return here && !s->host && s->spec.repository &&
	       strcmp(here, s->spec.repository) == 0;
}

/* -- record a lost session ------------------------------------------------- */

static void add_phase_event(const struct session *s)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "phase", phase_name(PHASE_ERROR));
	json_set_str(o, "reason", s->state.error_reason);
	events_append(s->dir, "phase", o, NULL);
}

int session_record_lost(const struct session *s, bool resumable,
			struct err *err)
{
	_state_ struct state state = {0};
	bool was_live;
	int rc = 0;

	if (state_load(&state, s->dir, err) < 0)
		return -1;
	was_live = phase_is_live(state.phase);
	if (was_live ||
	    (state.phase == PHASE_ERROR && state.lost != resumable)) {
		if (was_live)
			mem_set(&state.error_reason, s->state.error_reason);
		state.phase = PHASE_ERROR;
		state.lost = resumable;
		state.activity = ACTIVITY_NONE;
		state.pid = state.supervisor_pid = 0;
		mem_set(&state.detail, NULL);
		rc = state_save(&state, s->dir, true, err) < 0 ? -1 : 1;
	}
	if (rc > 0 && was_live)
		add_phase_event(s);
	return rc;
}
