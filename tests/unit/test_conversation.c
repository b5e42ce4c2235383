/* test_conversation.c - the answer of the turn that has ended, and of no other.
 */
#include "adapters/registry.h"
#include "base/clock.h"
#include "supervisor/monitor/conversation.h"
#include "supervisor/part.h"
#include "support_unit.h"

extern const struct part conversation_part;

static struct supervisor sv;

static int setup(void **state)
{
	sv = (struct supervisor){.parts = session_parts,
				 .adapter = &adapter_claude};
	parts_create(&sv);
	return 0;
}

static int teardown(void **state)
{
	conversation_part.finish(&sv);
	parts_destroy(&sv);
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

/* Claude Code tells by OSC 7501 that it is done before its hook has run, or
 * after it. */
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
