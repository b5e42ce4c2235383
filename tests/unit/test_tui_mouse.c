/* test_tui_mouse.c - what terminals report of the mouse. */
#include "tui/term/mouse.h"
#include "tui/widgets/listing.h"
#include "support_unit.h"

/* The last event that text makes; what -1: none. */
static struct mouse take(struct mouse_report *r, bool old, const char *text)
{
	struct mouse m, last = {.what = (enum mouse_what)-1};

	mouse_report_begin(r, old);
	for (; *text && r->reads; text++)
		if (mouse_report_take(r, (unsigned char)*text, &m))
			last = m;
	assert_false(r->reads);
	return last;
}

static void is(struct mouse_report *r, const char *text, int what)
{
	struct mouse m = take(r, false, text);

	assert_int_equal((int)m.what, what);
	if (what >= 0) {
		assert_int_equal(m.row, 4);
		assert_int_equal(m.col, 199);
		m = mouse_unpack(mouse_pack(&m));
		assert_int_equal((int)m.what, what);
		assert_int_equal(m.row, 4);
		assert_int_equal(m.col, 199);
	}
}

TEST(mouse__reports_are_understood)
{
	struct mouse_report r = {0};

	is(&r, "0;200;5M", MOUSE_PRESS);
	is(&r, "32;200;5M", MOUSE_DRAG);
	is(&r, "0;200;5m", MOUSE_RELEASE);
	is(&r, "64;200;5M", MOUSE_UP);
	is(&r, "65;200;5M", MOUSE_DOWN);
}

TEST(mouse__two_clicks_in_one_place_are_a_double)
{
	struct mouse_report r = {0};

	is(&r, "0;200;5M", MOUSE_PRESS);
	is(&r, "0;200;5m", MOUSE_RELEASE);
	is(&r, "0;200;5M", MOUSE_PRESS);
	is(&r, "0;200;5m", MOUSE_DOUBLE);
	is(&r, "0;200;5M", MOUSE_PRESS);
	is(&r, "0;200;5m", MOUSE_RELEASE);
	take(&r, false, "0;2;5M");
	take(&r, false, "0;2;5m");
	is(&r, "0;200;5M", MOUSE_PRESS);
	is(&r, "0;200;5m", MOUSE_RELEASE);
}

static const char *const *there;
static size_t acts;

static void fill(struct listing *l)
{
	for (size_t i = 0; i < 2; i++)
		listing_add(l, there[i]);
}

static void act_on(struct listing *l, const struct row_text *w, uint32_t key)
{
	acts++;
}

static void click_twice(struct view *v)
{
	v->ops->mouse(NULL, v, &(struct mouse){MOUSE_PRESS, 0, 0});
	v->ops->mouse(NULL, v, &(struct mouse){MOUSE_DOUBLE, 0, 0});
}

TEST(mouse__what_comes_between_two_clicks_was_not_clicked_twice)
{
	static const struct listing_kind kind = {
	    .fill = fill, .act = ACT_INBOX, .act_on = act_on};
	static const char *const before[] = {"one", "two"};
	static const char *const after[] = {"newcomer", "one"};
	struct view *v;

	there = before;
	v = listing_view(NULL, &kind);
	((struct listing *)v)->shown = 2;
	click_twice(v);
	assert_int_equal(acts, 1);
	there = after;
	v->ops->changed(NULL, v);
	click_twice(v);
	assert_int_equal(acts, 1);
	assert_string_equal(((struct listing *)v)->key, "newcomer");
	v->ops->destroy(v);
}

TEST(mouse__others_say_nothing)
{
	struct mouse_report r = {0};

	is(&r, "1;200;5M", -1);
	is(&r, "2;200;5m", -1);
	is(&r, "35;200;5M", -1);
	is(&r, "16;200;5M", -1);
	is(&r, "66;200;5M", -1);
	is(&r, "0;0;0M", -1);
	is(&r, "0;;M", -1);
	is(&r, "99999999999;1;1M", -1);
	is(&r, "1;1;1;1M", -1);
	is(&r, "q", -1);
}

TEST(mouse__the_old_form)
{
	struct mouse_report r = {0};
	struct mouse m = take(&r, true, " A%");

	assert_int_equal(m.what, MOUSE_PRESS);
	assert_int_equal(m.row, 4);
	assert_int_equal(m.col, 32);
	assert_int_equal(take(&r, true, "#A%").what, MOUSE_RELEASE);
	assert_int_equal(take(&r, true, "`A%").what, MOUSE_UP);
	assert_int_equal((int)take(&r, true, "\x01\x01\x01").what, -1);
}
