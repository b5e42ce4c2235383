/* conversation.c - the conversation's id and last message, from hooks and
 * files. */
#include "supervisor/monitor/conversation.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/hook.h"
#include "base/clock.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"

#define AGAIN_MS 200  /* its files may be written after the hook, … */
#define FILES_MS 3000 /* … by up to this long */

struct conversation {
	char *answer;		  /* the start of its last message; or NULL */
	bool cut;		  /* the message is longer */
	int64_t at;		  /* wall ms: when a hook reported it */
	bool unanswered, told;	  /* a hook reported one */
	int64_t began_at;	  /* wall ms: its turn, as a hook reported */
	struct loop_timer *files; /* searches the files for the message */
	int64_t files_until;	  /* monotonic ms */
};

static void set_conversation(struct supervisor *sv, const char *id)
{
	if (!record_id_ok(id) ||
	    (sv->state.conversation && strcmp(sv->state.conversation, id) == 0))
		return;
	mem_set(&sv->state.conversation, id);
	publish_state(sv, true);
}

static void set_last_message(struct supervisor *sv, const char *text)
{
	char line[READING_TEXT];

	hook_line(line, sizeof line, text);
	loop_timer_stop(sv->conversation->files);
	mem_set(&sv->state.said, line[0] ? line : NULL);
	publish_soon(sv);
}

static void on_files(void *ctx)
{
	struct supervisor *sv = ctx;
	struct conversation *c = sv->conversation;
	struct buf answer = {0};

	if (conversation_answer(sv, c->began_at, &answer))
		set_last_message(sv, answer.data);
	else if (clock_mono_ms() < c->files_until)
		loop_timer_set(c->files, AGAIN_MS);
	buf_finish(&answer);
}

/*
 * Keeps the agent's last message, from the end of its turn until the next turn
 * begins. For a harness with hooks, OSC 7501 is used only for errors.
 */
static void update_last_message(struct supervisor *sv, const struct reading *r)
{
	bool hooks = sv->adapter->hook && r->source != SOURCE_HOOK;
	const char *text = r->answer[0] ? r->answer : r->detail;

	if (r->turn_started || (!hooks && r->source == SOURCE_PROGRAM_STATUS &&
				r->activity == ACTIVITY_WORKING))
		set_last_message(sv, "");
	if (!r->turn_ended || (hooks && !r->failed))
		return;
	if (text[0])
		set_last_message(sv, text);
	else if (r->source == SOURCE_HOOK && sv->adapter->record) {
		sv->conversation->files_until = clock_mono_ms() + FILES_MS;
		loop_timer_set(sv->conversation->files, 0);
	}
}

/* Keeps the id and, as hooks report it, the start of the turn's last
 * message. */
static void conversation_reading(struct supervisor *sv, const struct reading *r)
{
	struct conversation *c = sv->conversation;

	set_conversation(sv, r->conversation);
	update_last_message(sv, r);
	/* If the agent has hooks, OSC 7501 reports the end of a turn, but no
	 * answer. */
	if ((r->source == SOURCE_PROGRAM_STATUS &&
	     (sv->adapter->hook || !r->answer[0])) ||
	    (!r->turn_started && !r->turn_ended))
		return;
	mem_set(&c->answer, r->turn_ended && r->answer[0] ? r->answer : NULL);
	c->at = clock_wall_ms();
	if (r->turn_started)
		c->began_at = c->at;
	c->cut = r->turn_ended && r->answer_cut;
	c->unanswered = r->unanswered;
	c->told = c->answer != NULL;
}

/* At the end of a turn whose message no hook reports, the screen has it. */
static void conversation_verdict(struct supervisor *sv,
				 const struct verdict *was)
{
	struct conversation *c = sv->conversation;
	bool ended = !activity_is_idle(was->activity);
	_buf_ struct buf text = {0};
	struct screen_view v;

	if (!rules_has(sv->rules, "answer") || c->told || !sv->terminal ||
	    !activity_is_idle(sv->verdict.activity))
		return;
	observer_view(&sv->observer, &v);
	rules_answer(sv->rules, &v, &text);
	if (!ended &&
	    (text.len == 0 || (c->answer && strcmp(c->answer, text.data) == 0)))
		return;
	mem_set(&c->answer, text.len ? text.data : NULL);
	c->at = clock_wall_ms();
	set_last_message(sv, text.len ? text.data : "");
}

bool conversation_answer(struct supervisor *sv, int64_t asked_at,
			 struct buf *out)
{
	const struct conversation *c = sv->conversation;
	const char *told = "";
	const struct record record = {.dir = harness_record_dir(sv),
				      .conversation = sv->state.conversation,
				      .asked_at = asked_at};

	if (c->unanswered)
		return false; /* the message in the files is older */
	if (c->answer && c->at >= asked_at)
		told = c->answer;
	return adapter_last_answer(sv->adapter, &record, told, c->cut, out);
}

bool conversation_unanswered(const struct supervisor *sv)
{
	return sv->conversation->unanswered;
}

static int conversation_init(struct supervisor *sv, struct err *err)
{
	sv->conversation->files = loop_timer_add(sv->loop, on_files, sv);
	return 0;
}

static void conversation_end(struct supervisor *sv, const char *reason)
{
	loop_timer_stop(sv->conversation->files);
}

static void conversation_finish(struct supervisor *sv)
{
	loop_timer_remove(sv->conversation->files);
	free(sv->conversation->answer);
}

const struct part conversation_part = {
    .own = PART_OWN(conversation),
    .init = conversation_init,
    .reading = conversation_reading,
    .verdict = conversation_verdict,
    .end = conversation_end,
    .finish = conversation_finish,
};
