/* test_typist.c - who may press keys, while others type. */
#include "supervisor/part.h"
#include "supervisor/sender/sender_internal.h"
#include "supervisor/sender/typist.h"
#include "support_unit.h"

static struct sender sender;
static struct supervisor sv = {.parts = session_parts, .sender = &sender};

static int setup(void **state)
{
	parts_create(&sv);
	return 0;
}

static int teardown(void **state)
{
	parts_destroy(&sv);
	return 0;
}

FIXTURE(setup, teardown)

/* who: the hands that may, in the order of enum hand. */
static void may_press(const char *who)
{
	for (enum hand hand = HAND_PERSON; hand <= HAND_ANSWER; hand++) {
		struct err err = {0};
		bool may = typist_check_turn(&sv, hand, &err) == 0;

		assert_int_equal(may, strchr(who, "PKMA"[hand]) != NULL);
		assert_int_equal(err.kind, may ? ERR_NONE : ERR_REFUSED);
	}
}

TEST(typist__a_person_waits_for_the_end_of_a_paste_alone)
{
	static const struct {
		enum step step;
		const char *who;
	} t[] = {
	    {STEP_WAIT, "PKMA"}, {STEP_PASTE, "M"}, {STEP_ECHO, "PM"},
	    {STEP_CHECK, "PM"},	 {STEP_LINE, "PM"}, {STEP_CONFIRM, "PKMA"},
	};

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		sender.step = t[i].step;
		may_press(t[i].who);
	}
}

TEST(typist__an_answer_is_typed_until_its_last_key)
{
	sender.step = STEP_CONFIRM;
	typist_set_answering(&sv, true);
	may_press("PA");
	typist_set_answering(&sv, false);
	may_press("PKMA");
}
