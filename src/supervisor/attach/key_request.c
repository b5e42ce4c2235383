/*
 * key_request.c - presses the keys that a client asks for. If the backend
 * reports whether the terminal took them (tmux), the reply waits for that:
 * ERR_FAILED means that nothing was pressed, ERR_UNCONFIRMED that it is
 * unknown.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/keyname.h"
#include "supervisor/harness/harness.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/typed_keys.h"
#include "wire/frame.h"

/* A request whose bytes have not all been taken. */
struct pressed {
	struct pressed *next;
	struct peer *peer;
	int64_t seq;
	uint64_t upto; /* of sv->written */
	bool interrupt;
};

struct keys {
	struct pressed *first;
};

/* -- the wait ---------------------------------------------------------------
 */

static void reply_when_taken(struct peer *p, int64_t seq, bool interrupt)
{
	struct supervisor *sv = p->sv;
	struct pressed *w, **at = &sv->keys->first;

	if (!harness_write_is_open(sv)) {
		peer_reply(p, seq, NULL);
		return;
	}
	while (*at)
		at = &(*at)->next;
	*at = w = mem_alloc(sizeof *w);
	*w = (struct pressed){
	    .peer = p, .seq = seq, .upto = sv->written, .interrupt = interrupt};
}

static struct pressed *pop_first(struct supervisor *sv)
{
	struct pressed *w = sv->keys->first;

	if (w)
		sv->keys->first = w->next;
	return w;
}

static void taken(struct supervisor *sv)
{
	while (sv->keys->first &&
	       sv->keys->first->upto <= sv->written - sv->input.len) {
		struct pressed *w = pop_first(sv);

		if (!w->peer->dead)
			peer_reply(w->peer, w->seq, NULL);
		free(w);
	}
}

static void refuse_all(struct supervisor *sv, const struct err *err)
{
	struct pressed *w;

	while ((w = pop_first(sv))) {
		if (w->interrupt && err->kind == ERR_FAILED)
			monitor_not_interrupted(sv);
		if (!w->peer->dead)
			peer_reply_error(w->peer, w->seq, err);
		free(w);
	}
}

static void untaken(struct supervisor *sv, size_t len, const char *why,
		    bool maybe)
{
	struct err err = {0};

	if (maybe)
		err_set(&err, ERR_UNCONFIRMED,
			"%s: it is unknown whether it was pressed", why);
	else
		err_set(&err, ERR_FAILED, "%s: nothing was pressed", why);
	refuse_all(sv, &err);
}

static void end(struct supervisor *sv, const char *reason)
{
	struct err err = {0};

	err_set(&err, ERR_NOT_RUNNING, "%s", reason);
	refuse_all(sv, &err);
}

static void drop_requests(struct supervisor *sv, struct peer *p)
{
	struct pressed **at = &sv->keys->first;

	while (*at) {
		struct pressed *w = *at;

		if (w->peer != p) {
			at = &w->next;
			continue;
		}
		*at = w->next;
		free(w);
	}
}

/* -- the requests ------------------------------------------------------------
 */

/* Appends keys, by name or text, in the form that the terminal's modes ask
 * for. */
static int encode_keys(struct supervisor *sv, const cJSON *names,
		       struct buf *out, struct err *err)
{
	const struct screen_modes *m = screen_modes(sv->screen);
	const cJSON *name;

	cJSON_ArrayForEach (name, names) {
		if (!cJSON_IsString(name))
			return err_set(err, ERR_USAGE,
				       "keys: names are strings");
		if (keyname_type(name->valuestring, m->app_cursor,
				 m->kitty_flags != 0, out, err) < 0)
			return -1;
	}
	return 0;
}

static int on_keys(struct peer *p, const cJSON *rq, int64_t seq,
		   struct err *err)
{
	const cJSON *names = cJSON_GetObjectItemCaseSensitive(rq, "names");
	struct buf keys = {0};
	int rc = 0;

	if (names)
		rc = encode_keys(p->sv, names, &keys, err);
	else if (frame_decode_bytes(json_str_or(rq, "data", ""), &keys) < 0)
		rc = err_set(err, ERR_USAGE, "keys: data is not encoded bytes");
	if (rc == 0 && (names ? sender_is_typing(p->sv->sender)
			      : sender_holds_keys(p->sv->sender)))
		rc = err_set(err, ERR_REFUSED,
			     "a message is being typed right now");
	if (rc == 0)
		rc = harness_type(p->sv, &keys, err);
	if (rc == 0) {
		monitor_acted(
		    p->sv, ACT_TYPED,
		    typed_keys_find(keys.data ? keys.data : "", keys.len));
		reply_when_taken(p, seq, false);
	}
	buf_finish(&keys);
	return rc;
}

static int on_interrupt(struct peer *p, const cJSON *rq, int64_t seq,
			struct err *err)
{
	if (monitor_interrupt(p->sv, err) < 0)
		return -1;
	reply_when_taken(p, seq, true);
	return 0;
}

static const struct request requests[] = {
    {"interrupt", REQUEST_USER | REQUEST_RUNNING, on_interrupt},
    {"keys", REQUEST_USER | REQUEST_RUNNING, on_keys},
    {0},
};

const struct part keys_part = {
    .requests = requests,
    .own = PART_OWN(keys),
    .taken = taken,
    .untaken = untaken,
    .end = end,
    .closed = drop_requests,
};
