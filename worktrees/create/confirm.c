/*
 * confirm.c - a worktree that nobody has recorded is taken back.
 *
 * It was a worktree like any other for a moment: a person may have found it
 * and begun to work there. (No harness can: the session's lock is held, also
 * by us, until we are gone.) So it goes as what `afw new` takes back itself
 * does, by the request "sweep": only where all in it is somewhere else, too.
 */
#include "worktrees/create/confirm.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/random.h"
#include "worktrees/git/branch.h"
#include "worktrees/worktree.h"

#define CONFIRM_MS 60000 /* for afw to write one file */
#define LOOK_MS	   100	 /* a signal that came just before poll is seen then */
#define ID_LEN	   32

int confirm_wait(struct create *c, struct err *err)
{
	int64_t most = json_int(c->req, "confirm_timeout_ms", CONFIRM_MS);
	int64_t end = clock_mono_ms() + most, left;
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	char word;
	int n;

	if (!json_bool(c->req, "confirm", false))
		return 0;
	do {
		if (output_signal())
			return output_go_on(c->out, err);
		left = end - clock_mono_ms();
		n = poll(&p, 1,
			 left < 0	  ? 0
			 : left < LOOK_MS ? (int)left
					  : LOOK_MS);
	} while ((n == 0 && left > 0) || (n < 0 && errno == EINTR));
	if (n > 0 && read(p.fd, &word, 1) == 1 && word == '\n')
		return 0;
	return err_set(err, ERR_FAILED, "nobody has recorded the worktree %s%s",
		       c->place.path, n == 0 ? " in time" : "");
}

void confirm_take_back(struct create *c, struct err *err)
{
	cJSON *rq = cJSON_CreateObject(), *answer = cJSON_CreateObject();
	char id[ID_LEN + 1]; /* of no session: the name while it is deleted */
	struct err sub;
	bool gone;

	random_hex(id, ID_LEN);
	json_set_str(rq, "id", id);
	json_set_str(rq, "repository", c->repo.path);
	json_set_str(rq, "worktree", c->place.path);
	json_set_str(rq, "worktree_id", c->place.id);
	json_set_u64(rq, "ino", c->st.st_ino);
	json_set_bool(rq, "in_place", true);
	json_set_bool(rq, "delete_ignored", true);
	gone = worktree_sweep(c->out, rq, answer, &sub) == 0 &&
	       json_bool(answer, "purged", false);
	/* A branch that has moved on stays, with its commits. */
	if (gone && c->made_ref)
		branch_delete_ref(c->repo.main, c->ref, &c->base.commit);
	if (!gone)
		err_hint(err, "it has changed since it was made, so it stays: "
			      "look at it; `git worktree remove` takes it "
			      "away");
	cJSON_Delete(rq);
	cJSON_Delete(answer);
}
