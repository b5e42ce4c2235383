/* respec.c - changes a specification under the lock of all names, and has the
 * supervisor read it. */
#include "session/live/respec.h"

#include "base/cleanup.h"
#include "session/disk/lock.h"
#include "session/live/connection.h"
#include "session/live/limit.h"

static int save(const struct session *s, respec_fn *change, const void *ctx,
		struct err *err)
{
	/* The specification in a list is incomplete. */
	_spec_ struct spec now = {0};

	if (spec_load(&now, s->dir, err) < 0 || change(&now, s, ctx, err) < 0)
		return -1;
	return spec_save(&now, s->dir, true, err);
}

static int tell(const struct session *s, struct client *c, respec_fn *change,
		const void *ctx, struct err *err)
{
	_spec_ struct spec before = {0};
	_json_ cJSON *reply = NULL;

	if (spec_load(&before, s->dir, err) < 0 ||
	    save(s, change, ctx, err) < 0)
		return -1;
	reply =
	    client_request(c, REQUEST_OF(RENAME), -1, CONNECT_TIMEOUT_MS, err);
	/* A session that has just ended need not be informed. */
	if (reply || err->kind == ERR_NOT_RUNNING)
		return 0;
	/* Its supervisor is of an older afw, or does not answer. */
	spec_save(&before, s->dir, true, NULL);
	return -1;
}

static int change_running(const struct session *s, respec_fn *change,
			  const void *ctx, struct err *err)
{
	_client_ struct client *c = connect_session(s, err);

	if (c)
		return tell(s, c, change, ctx, err);
	/* afw new is still writing it. */
	if (err->kind == ERR_NOT_RUNNING)
		err->kind = ERR_CONFLICT;
	return -1;
}

int respec(struct session *s, respec_fn *change, const void *ctx,
	   struct err *err)
{
	_close_ int names = limit_lock(err), lock = -1;

	if (names < 0)
		return -1;
	session_wait_settled(s);
	if (s->alive)
		return change_running(s, change, ctx, err);
	lock = lock_acquire_soon(s->dir, err);
	return lock < 0 ? -1 : save(s, change, ctx, err);
}
