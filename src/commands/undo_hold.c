/* undo_hold.c - keeps a session as it is while its worktree is restored. */
#include "commands/undo_hold.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/cli/targets.h"
#include "session/disk/lock.h"
#include "session/live/changes.h"
#include "session/live/connection.h"

#define INTERRUPT_MS 30000 /* until an interrupted agent is idle */

void undo_hold_finish(struct undo_hold *h)
{
	client_destroy(h->client);
	h->client = NULL;
	file_reset(&h->lock);
}

static int hold_messages(struct undo_hold *h, const struct session *s,
			 struct err *err)
{
	_json_ cJSON *reply = NULL;

	if (!h->client)
		h->client = connect_session(s, err);
	if (h->client)
		reply = client_request(h->client, REQUEST_OF(HOLD), -1,
				       CONNECT_TIMEOUT_MS, err);
	return reply ? 0 : -1;
}

/* A supervisor publishes what is new before it answers: an agent that has just
 * begun to work does not look idle. */
int undo_hold(struct undo_hold *h, struct session *s, struct err *err)
{
	if (h->lock >= 0)
		return 0;
	if (session_reload(s, err) < 0)
		return -1;
	if (s->alive && hold_messages(h, s, err) < 0)
		return err_prefix(err, "undo '%s'", s->spec.name);
	if (s->alive && session_reload(s, err) < 0)
		return -1;
	if (!s->alive)
		h->lock = lock_acquire_soon(s->dir, err);
	return s->alive || h->lock >= 0
		   ? 0
		   : err_prefix(err, "undo '%s'", s->spec.name);
}

int undo_look(struct session *s, struct err *err)
{
	if (s->alive)
		cJSON_Delete(connect_request(s, REQUEST_OF(STATUS),
					     CONNECT_TIMEOUT_MS, NULL));
	return session_reload(s, err);
}

int undo_hold_interrupt(struct undo_hold *h, struct session *s, struct err *err)
{
	int64_t end = clock_mono_ms() + INTERRUPT_MS, left = INTERRUPT_MS;
	_json_ cJSON *reply = NULL;
	struct changes *watch;
	int rc = -1;

	if (!h->client && undo_hold(h, s, err) < 0)
		return -1;
	if (!s->alive)
		return 0;
	reply = client_request(h->client, REQUEST_OF(INTERRUPT), -1,
			       CONNECT_KEYS_MS, err);
	if (!reply)
		return -1;
	watch = changes_create();
	changes_add(watch, s->dir, CHANGES_SHOWN);
	while (left > 0 && undo_hold(h, s, err) == 0 &&
	       (rc = targets_check_idle(s, "undo", err)) < 0) {
		changes_wait(watch, left);
		left = end - clock_mono_ms();
	}
	changes_destroy(watch);
	return rc;
}

int undo_hold_fd(const struct undo_hold *h)
{
	return h->lock < 0 && h->client ? client_fd(h->client) : h->lock;
}
