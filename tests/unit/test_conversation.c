/* test_conversation.c - the answer of the turn that has ended, and of no other.
 */
#include "adapters/registry.h"
#include "base/clock.h"
#include "supervisor/monitor/conversation.h"
#include "supervisor/part.h"
#include "support_unit.h"

extern const struct part conversation_part, publish_part;

static struct supervisor sv;

static int setup(void **state)
{
	sv = (struct supervisor){.parts = session_parts,
				 .adapter = &adapter_claude,
				 .loop = loop_create()};
	parts_create(&sv);
	publish_part.init(&sv, NULL);
	return conversation_part.init(&sv, NULL);
}

static int teardown(void **state)
{
	conversation_part.finish(&sv);
	parts_destroy(&sv);
	loop_destroy(sv.loop);
	state_finish(&sv.state);
	return 0;
}

static void says(enum source source, bool ended, const char *answer)
{
	struct reading r = {
	    .source = source, .turn_started = !ended, .turn_ended = ended};

	snprintf(r.answer, sizeof r.answer, "%s", answer);
	conversation_part.reading(&sv, &r);
}

static void answer_is(int64_t asked_at, const char *want)
{
	struct buf out = {0};

	assert_int_equal(conversation_answer(&sv, asked_at, &out),
			 want != NULL);
	if (want)
		assert_string_equal(out.data, want);
	buf_finish(&out);
}

FIXTURE(setup, teardown)

/* Claude Code reports by OSC 7501 that it is done, before or after its hook has
 * run. */
TEST(conversation__an_end_without_an_answer_takes_none_away)
{
	says(SOURCE_HOOK, false, "");
	answer_is(0, NULL);
	says(SOURCE_HOOK, true, "yes");
	says(SOURCE_PROGRAM_STATUS, true, "");
	answer_is(0, "yes");
	says(SOURCE_HOOK, false, "");
	says(SOURCE_PROGRAM_STATUS, true, "");
	answer_is(0, NULL);
	says(SOURCE_HOOK, true, "no");
	answer_is(0, "no");
	says(SOURCE_HOOK, true, "");
	answer_is(0, NULL);
}

TEST(conversation__what_is_older_than_the_question_is_none)
{
	int64_t before = clock_wall_ms();

	says(SOURCE_HOOK, true, "yes");
	answer_is(before, "yes");
	answer_is(clock_wall_ms() + 1, NULL);
}

static void said_is(const char *want)
{
	assert_string_equal(sv.state.said ? sv.state.said : "", want);
}

TEST(conversation__last_words_stay_until_the_next_turn)
{
	struct reading idle = {.source = SOURCE_HOOK,
			       .activity = ACTIVITY_IDLE};
	struct reading error = {.source = SOURCE_PROGRAM_STATUS,
				.turn_ended = true,
				.failed = true,
				.detail = "no model"};

	said_is("");
	says(SOURCE_HOOK, true, "\n  It is done.\nIn three files.");
	said_is("It is done.");
	says(SOURCE_PROGRAM_STATUS, true, "Claude is waiting");
	conversation_part.reading(&sv, &idle);
	said_is("It is done.");
	says(SOURCE_HOOK, false, "");
	said_is("");
	conversation_part.reading(&sv, &error);
	said_is("no model");
}

TEST(conversation__without_hooks_osc_7501_has_the_words)
{
	struct reading r = {.source = SOURCE_PROGRAM_STATUS,
			    .activity = ACTIVITY_COMPLETED,
			    .turn_ended = true,
			    .detail = "Done: it."};

	sv.adapter = &adapter_generic;
	conversation_part.reading(&sv, &r);
	said_is("Done: it.");
	r = (struct reading){.source = SOURCE_PROGRAM_STATUS,
			     .activity = ACTIVITY_IDLE};
	conversation_part.reading(&sv, &r);
	said_is("Done: it.");
	r.activity = ACTIVITY_WORKING;
	conversation_part.reading(&sv, &r);
	said_is("");
}
