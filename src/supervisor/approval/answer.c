/*
 * answer.c - checks the screen, presses a key, and waits until the approval is
 * gone.
 *
 * Some harnesses drop keys directly after a dialog has appeared, so the dialog
 * must have been up for a moment. A key that was dropped all the same is not
 * pressed again: the approval stays, and the receipt says so.
 */
#include "supervisor/approval/answer.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/keyname.h"
#include "supervisor/approval/consent.h"
#include "supervisor/harness/harness.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/sender/typist.h"

#define SETTLE_MS  600	/* it must be up this long before the first key */
#define COMING_MS  2000 /* a question that hooks report is drawn by then */
#define KEY_MS	   250	/* between two keys */
#define WHOLE_MS   20	/* for the rest of a screen that is being drawn */
#define TIMEOUT_MS 8000 /* in all, if the client sets no other */

static void reset_answer(struct supervisor *sv)
{
	*sv->answer = (struct answer){0};
	sv->question.by_rule = false;
	typist_set_answering(sv, false);
}

/* Ends the answer and reports the result to the history and to the client that
 * waits. */
static void reply(struct supervisor *sv, const char *receipt,
		  const char *detail)
{
	struct answer *w = sv->answer;
	bool answered = strcmp(receipt, "answered") == 0;
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "question_id", w->id);
	json_set_str(o, "question", w->question);
	json_set_str(o, "answer", w->approve ? "approve" : "deny");
	json_set_str(o, "rule", w->peer ? NULL : w->rule);
	json_set_str(o, "receipt", receipt);
	json_set_str(o, "detail", detail);
	publish_event(sv, "answer", cJSON_Duplicate(o, 1));
	json_set_int(o, "code", answered ? ERR_NONE : ERR_UNCONFIRMED);
	/* A client that reads the state after this reply must see that the
	 * approval is gone. */
	publish_now(sv);
	if (w->peer)
		peer_reply(w->peer, w->seq, o);
	else
		cJSON_Delete(o);
	reset_answer(sv);
}

/* Adds how to answer it by keys to err. */
static int hint_keys(const struct supervisor *sv, struct err *err)
{
	const char *keys = sv->observer.shown.dialog.keys;

	return err_hint(err,
			"`afw attach %s`, or `afw send %s --keys KEY` answers "
			"it%s%s",
			sv->spec.name, sv->spec.name, keys[0] ? ": " : "",
			keys);
}

/* Fails with err if the answer cannot be given now. */
static int check_question(struct supervisor *sv, const char *id,
			  struct err *err)
{
	const struct question *q = &sv->question;

	if (q->up && id[0] && strcmp(q->id, id) != 0)
		return err_set(err, ERR_CONFLICT,
			       "another approval is on its screen: %s (%s)",
			       q->id, q->approval.question);
	if (q->up)
		return 0;
	if (!sv->observer.shown.reading.question) {
		err_set(err, ERR_CONFLICT, "no approval is on its screen");
		return err_hint(err, "`afw status %s` says what it does",
				sv->spec.name);
	}
	err_set(err, ERR_REFUSED,
		"what it asks is not an approval that afw knows: %s",
		sv->observer.shown.reading.detail);
	if (strcmp(sv->observer.shown.reading.detail, READING_TRUST) == 0)
		return err_hint(err,
				"`afw attach %s` answers it, `afw trust` at "
				"every later start",
				sv->spec.name);
	return hint_keys(sv, err);
}

/* Sets *keys to the keys that answer the approval; fails if it has none. */
static int choose_keys(struct supervisor *sv, bool approve, const char **keys,
		       struct err *err)
{
	const struct approval *a = &sv->question.approval;

	*keys = approve ? a->approve : a->deny;
	if (*keys[0] == '\0') {
		err_set(err, ERR_REFUSED,
			"its menu shows no option to %s that afw knows",
			approve ? "allow this once" : "deny");
		return hint_keys(sv, err);
	}
	if (approve && !a->marked)
		return err_set(err, ERR_REFUSED,
			       "its menu has selected another option than to "
			       "allow this once");
	if (harness_unread(sv))
		return err_set(err, ERR_REFUSED,
			       "it does not read what is typed");
	return 0;
}

/* Makes the shown approval the answered one. */
static int set_question(struct supervisor *sv, struct answer *w,
			struct err *err)
{
	const char *keys;

	if (choose_keys(sv, w->approve, &keys, err) < 0)
		return -1;
	memcpy(w->id, sv->question.id, sizeof w->id);
	snprintf(w->question, sizeof w->question, "%s",
		 sv->question.approval.question);
	snprintf(w->keys, sizeof w->keys, "%s", keys);
	w->next_at = sv->question.since + SETTLE_MS;
	return 0;
}

/* Returns whether hooks report a new question (not one that has just gone) that
 * is not drawn yet. */
static bool is_coming(const struct supervisor *sv)
{
	return !sv->observer.shown.reading.question && sv->verdict.question &&
	       sv->verdict.source != SOURCE_SCREEN &&
	       sv->verdict.since > sv->question.gone_at;
}

/* Returns the keys that are not pressed yet. */
static const char *keys_left(const struct answer *w)
{
	return w->keys + w->at + strspn(w->keys + w->at, " \t");
}

/* Presses the next remaining key. The screen has just been checked. */
static int answer_press(struct supervisor *sv, struct err *err)
{
	const struct screen_modes *m = screen_modes(sv->observer.screen);
	struct answer *w = sv->answer;
	const char *key = keys_left(w);
	char name[RULES_ANSWER_MAX];
	_buf_ struct buf bytes = {0};

	snprintf(name, sizeof name, "%.*s", (int)strcspn(key, " \t"), key);
	if (keyname_type(name, m->app_cursor, m->kitty_flags != 0, &bytes,
			 err) < 0 ||
	    typist_press(sv, HAND_ANSWER, &bytes, err) < 0)
		return -1;
	w->at = (size_t)(key - w->keys) + strlen(name);
	w->pause = rules_pause(keys_left(w));
	if (w->pause > 0)
		w->at = (size_t)(keys_left(w) - w->keys) +
			strcspn(keys_left(w), " \t");
	w->pressed = *keys_left(w) == '\0';
	typist_set_answering(sv, !w->pressed);
	return 0;
}

static void give_up(struct supervisor *sv, const struct err *err)
{
	struct answer *w = sv->answer;

	if (w->at > 0 || !w->peer) {
		reply(sv, w->at > 0 ? "unconfirmed" : "refused", err->what);
		return;
	}
	peer_reply_error(w->peer, w->seq, err);
	reset_answer(sv);
}

/* Returns whether the screen shows the dialog that the first key has opened. */
static bool in_next_dialog(struct supervisor *sv)
{
	struct screen_view v;

	observer_view(&sv->observer, &v);
	return sv->observer.shown.reading.question &&
	       rules_find(sv->rules, "deny_dialog", v.rows, 0, (int)v.nrows,
			  NULL, 0) >= 0;
}

/* Checks that the screen, which was read just now, shows the same question.
 * Returns 1 if it is not complete yet, its marker has not moved yet, or the
 * dialog that its first key opens is not shown yet. */
static int check_screen(struct supervisor *sv, struct err *err)
{
	const struct answer *w = sv->answer;
	bool moves = sv->question.approval.moves;
	const char *keys;

	if (!observer_is_whole(&sv->observer, clock_mono_ms()))
		return 1;
	if (w->at > 0 && !w->approve && rules_has(sv->rules, "deny_dialog"))
		return in_next_dialog(sv) ? 0 : 1;
	if (check_question(sv, w->id, err) < 0 ||
	    choose_keys(sv, w->approve, &keys, err) < 0)
		return -1;
	if (strcmp(keys, moves ? keys_left(w) : w->keys) == 0)
		return 0;
	if (moves && w->at > 0)
		return 1;
	return err_set(err, ERR_CONFLICT, "its menu has changed");
}

/* Goes on at that time, or at the deadline if that is earlier or at is
 * negative. */
static void continue_at(struct supervisor *sv, int64_t at)
{
	const struct answer *w = sv->answer;

	if (at < 0 || at > w->deadline)
		at = w->deadline;
	typist_later(sv, at - clock_mono_ms());
}

/* Presses the next key if it is due; fails if no more key can be pressed.
 * Returns 1 if the screen must be read first. After the client's deadline no
 * key is pressed. */
static int press_next(struct supervisor *sv, int64_t now, bool fresh,
		      struct err *err)
{
	struct answer *w = sv->answer;
	int seen;

	if (now >= w->deadline)
		return err_set(err, ERR_TIMEOUT,
			       "the time was over before %s was pressed",
			       w->at > 0 ? "its last key" : "a key");
	if (w->id[0] == '\0' && !(now < w->next_at && is_coming(sv)) &&
	    (check_question(sv, "", err) < 0 || set_question(sv, w, err) < 0))
		return -1;
	if (now < w->next_at)
		return 0;
	if (!fresh)
		return 1;
	seen = check_screen(sv, err);
	if (seen < 0 || (seen == 0 && answer_press(sv, err) < 0))
		return -1;
	w->next_at = clock_mono_ms() + (seen > 0       ? WHOLE_MS
					: w->pause > 0 ? w->pause
						       : KEY_MS);
	return 0;
}

/* All keys are pressed: checks whether the approval is gone. */
static void check_gone(struct supervisor *sv, int64_t now)
{
	const struct answer *w = sv->answer;
	int64_t again;

	if (question_is_gone(&sv->question, w->id, now, &again))
		reply(sv, "answered", "");
	else if (now >= w->deadline)
		reply(sv, "unconfirmed",
		      "its keys were pressed, and the approval is still there");
	else
		continue_at(sv, again);
}

static bool answer_type(struct supervisor *sv, bool fresh)
{
	const struct answer *w = sv->answer;
	int64_t now = clock_mono_ms();
	struct err err = {0};
	int next;

	if (!w->busy)
		return false;
	if (w->pressed) {
		check_gone(sv, now);
		return false;
	}
	next = press_next(sv, now, fresh, &err);
	if (next < 0)
		give_up(sv, &err);
	else if (next == 0)
		continue_at(sv, w->next_at);
	return next > 0;
}

static void answer_verdict(struct supervisor *sv, const struct verdict *was)
{
	const struct answer *w = sv->answer;

	if (w->busy && w->pressed)
		check_gone(sv, clock_mono_ms());
	else if (w->busy && w->id[0] == '\0' && !is_coming(sv))
		typist_later(sv, 0);
}

static void answer_untaken(struct supervisor *sv, size_t len, const char *why,
			   bool maybe)
{
	struct err err = {0};

	if (!sv->answer->busy || sv->answer->at == 0)
		return;
	err_set(&err, ERR_FAILED, "%s: %s", why,
		maybe ? "it is unknown whether its key was pressed"
		      : "its key was not pressed");
	give_up(sv, &err);
}

static void answer_end(struct supervisor *sv, const char *reason)
{
	struct err err = {0};

	if (!sv->answer->busy)
		return;
	err_set(&err, ERR_NOT_RUNNING, "%s", reason);
	give_up(sv, &err);
}

static void answer_closed(struct supervisor *sv, struct peer *p)
{
	if (sv->answer->busy && sv->answer->peer == p)
		reset_answer(sv);
}

static void answer_finish(struct supervisor *sv)
{
	reset_answer(sv);
}

/* Checks whether the answer may begin now, and starts it. */
static int begin_answer(struct supervisor *sv, struct answer *w,
			int64_t timeout_ms, struct err *err)
{
	int64_t now;

	if (sv->answer->busy)
		return err_set(err, ERR_REFUSED,
			       "another answer is being typed right now");
	if (typist_check_turn(sv, HAND_ANSWER, err) < 0)
		return -1;
	monitor_refresh(sv);
	now = clock_mono_ms();
	if (!sv->terminal)
		return err_set(err, ERR_NOT_RUNNING, "the agent has ended");
	if (w->id[0] == '\0' && is_coming(sv))
		w->next_at = now + COMING_MS;
	else if (check_question(sv, w->id, err) < 0 ||
		 set_question(sv, w, err) < 0)
		return -1;
	w->busy = true;
	w->deadline = now + timeout_ms;
	*sv->answer = *w;
	typist_set_answering(sv, true);
	sv->question.by_rule = !w->peer;
	typist_later(sv, 0);
	return 0;
}

int answer_by_rule(struct supervisor *sv, const char *rule, bool approve,
		   struct err *err)
{
	struct answer w = {.approve = approve};

	snprintf(w.rule, sizeof w.rule, "%s", rule);
	memcpy(w.id, sv->question.id, sizeof w.id);
	return begin_answer(sv, &w, TIMEOUT_MS, err);
}

/*
 * The request "answer": replies when the approval is gone, or at its deadline.
 * Returns -1 if nothing was typed:
 *   ERR_CONFLICT  no approval is up, or not the approval with that id
 *   ERR_REFUSED   afw does not know the question or its menu; a message or
 *                 another answer is being typed; the harness does not read
 *   ERR_TIMEOUT   later, as a reply: the deadline came before a key was due
 */
static int on_answer(struct peer *p, struct request *rq, struct err *err)
{
	const struct answer_request *r = &rq->answer;
	const char *id = r->question_id ? r->question_id : "";
	struct answer w = {.peer = p,
			   .seq = rq->seq,
			   .approve = strcmp(r->answer, "approve") == 0};
	cJSON *asked;

	asked = consent_answer(p->sv, id, w.approve);
	if (asked) {
		json_set_int(asked, "code", ERR_NONE);
		peer_reply(p, rq->seq, asked);
		return 0;
	}
	/* An id that is too long cannot be an approval's; it must not be cut to
	 * match one. */
	snprintf(w.id, sizeof w.id, "%s", strlen(id) < sizeof w.id ? id : "?");
	return begin_answer(
	    p->sv, &w, r->timeout_ms > 0 ? r->timeout_ms : TIMEOUT_MS, err);
}

static const struct request_handler requests[] = {{REQUEST_ANSWER, on_answer},
						  {0}};

const struct part answer_part = {
    .own = PART_OWN(answer),
    .requests = requests,
    .type = answer_type,
    .verdict = answer_verdict,
    .untaken = answer_untaken,
    .end = answer_end,
    .closed = answer_closed,
    .finish = answer_finish,
};
