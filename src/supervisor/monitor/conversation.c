/* conversation.c - its id and its last message, from hooks and files. */
#include "supervisor/monitor/conversation.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "supervisor/monitor/watch.h"
#include "supervisor/part.h"

#define COST_MAX INT64_C(1000000000000) /* of a turn: a million dollars */

struct conversation {
	char *answer; /* how its last message begins; or NULL */
	bool cut;     /* there is more of that */
	int64_t at;   /* wall ms: a hook told that */
	bool unanswered;
};

static void keep_conversation(struct supervisor *sv, const char *id)
{
	if (!adapter_conversation_ok(id) ||
	    (sv->state.conversation && strcmp(sv->state.conversation, id) == 0))
		return;
	state_set(&sv->state.conversation, id);
	supervisor_publish(sv, true);
}

/* Keeps the id and, as hooks tell it, how the last message of the turn begins.
 */
static void reading(struct supervisor *sv, const struct reading *r)
{
	struct conversation *c = sv->conversation;

	keep_conversation(sv, r->conversation);
	/* OSC 7501 tells an end, too, and never an answer. */
	if (r->source == SOURCE_PROGRAM_STATUS ||
	    (!r->turn_started && !r->turn_ended))
		return;
	state_set(&c->answer, r->turn_ended && r->answer[0] ? r->answer : NULL);
	c->at = clock_wall_ms();
	c->cut = r->turn_ended && r->answer_cut;
	c->unanswered = r->unanswered;
	if (r->cost_micro > 0 && r->cost_micro <= COST_MAX) {
		sv->state.cost_micro += r->cost_micro;
		supervisor_touch(sv);
	}
}

bool conversation_answer(struct supervisor *sv, int64_t asked_at,
			 struct buf *out)
{
	const struct conversation *c = sv->conversation;
	const char *told = "";
	const struct record record = {.dir = sv->record_dir,
				      .conversation = sv->state.conversation,
				      .asked_at = asked_at};

	if (c->unanswered)
		return false; /* what the files have is older */
	if (c->answer && c->at >= asked_at)
		told = c->answer;
	return adapter_last_answer(sv->adapter, &record, told, c->cut, out);
}

bool conversation_unanswered(const struct supervisor *sv)
{
	return sv->conversation->unanswered;
}

static void finish(struct supervisor *sv)
{
	free(sv->conversation->answer);
}

const struct part conversation_part = {
    .own = PART_OWN(conversation),
    .reading = reading,
    .finish = finish,
};
