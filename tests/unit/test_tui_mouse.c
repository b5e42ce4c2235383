/* test_tui_mouse.c - what terminals report of the mouse. */
#include "tui/term/mouse.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "tui/child/job.h"
#include "tui/widgets/rows.h"
#include "support_scratch.h"
#include "support_unit.h"

FIXTURE(scratch_make, scratch_remove)

/* The last event that text makes; what -1: none. */
static struct mouse read_event(struct mouse_report *r, bool old,
			       const char *text)
{
	struct mouse m, last = {.what = (enum mouse_what) - 1};

	mouse_report_begin(r, old);
	for (; *text && r->reads; text++)
		if (mouse_report_add(r, (unsigned char)*text, &m))
			last = m;
	assert_false(r->reads);
	return last;
}

static void expect_event(struct mouse_report *r, const char *text, int what)
{
	struct mouse m = read_event(r, false, text);

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

	expect_event(&r, "0;200;5M", MOUSE_PRESS);
	expect_event(&r, "32;200;5M", MOUSE_DRAG);
	expect_event(&r, "0;200;5m", MOUSE_RELEASE);
	expect_event(&r, "64;200;5M", MOUSE_UP);
	expect_event(&r, "65;200;5M", MOUSE_DOWN);
}

TEST(mouse__two_clicks_in_one_place_are_a_double)
{
	struct mouse_report r = {0};

	expect_event(&r, "0;200;5M", MOUSE_PRESS);
	expect_event(&r, "0;200;5m", MOUSE_RELEASE);
	expect_event(&r, "0;200;5M", MOUSE_PRESS);
	expect_event(&r, "0;200;5m", MOUSE_DOUBLE);
	expect_event(&r, "0;200;5M", MOUSE_PRESS);
	expect_event(&r, "0;200;5m", MOUSE_RELEASE);
	read_event(&r, false, "0;2;5M");
	read_event(&r, false, "0;2;5m");
	expect_event(&r, "0;200;5M", MOUSE_PRESS);
	expect_event(&r, "0;200;5m", MOUSE_RELEASE);
}

static uint64_t lists;
static size_t acts;

static uint64_t version(const struct tui *t)
{
	return lists;
}

static void add(struct rows *l, const cJSON *o)
{
	rows_add(l, json_str(o, "key"));
}

/* What the command prints from now on, read. */
static void list(struct tui *t, struct view *v, const char *text)
{
	assert_int_equal(
	    file_replace(AT_FDCWD, "rows", text, strlen(text), false, NULL), 0);
	lists++;
	v->ops->changed(t, v);
	while (((struct rows *)v)->list.runs) {
		jobs_reap(t->jobs);
		poll(NULL, 0, 1);
	}
}

static void act_on(struct tui *t, struct view *v, uint32_t pressed)
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
	static const struct view_key keys[] = {{"Enter", "", NULL, act_on},
					       {0}};
	static const struct rows_kind kind = {.words = {"-c", "cat rows"},
					      .version = version,
					      .add = add,
					      .act = ACT_QUEUE,
					      .keys = keys};
	char shell[] = "/bin/sh";
	struct tui t = {.loop = loop_create(), .afw = shell};
	struct view *v;

	assert_int_equal(chdir(scratch), 0);
	t.jobs = jobs_create(t.loop, &t);
	t.draw = loop_timer_add(t.loop, NULL, NULL);
	v = rows_view(&t, &kind);
	list(&t, v, "[{\"key\":\"one\"},{\"key\":\"two\"}]");
	((struct rows *)v)->shown = 2;
	click_twice(v);
	assert_int_equal(acts, 1);
	list(&t, v, "[{\"key\":\"newcomer\"},{\"key\":\"one\"}]");
	click_twice(v);
	assert_int_equal(acts, 1);
	assert_string_equal(((struct rows *)v)->key, "newcomer");
	v->ops->destroy(v);
	jobs_destroy(t.jobs);
	loop_timer_remove(t.draw);
	loop_destroy(t.loop);
	assert_int_equal(chdir("/"), 0);
}

TEST(mouse__others_say_nothing)
{
	struct mouse_report r = {0};

	expect_event(&r, "1;200;5M", -1);
	expect_event(&r, "2;200;5m", -1);
	expect_event(&r, "35;200;5M", -1);
	expect_event(&r, "16;200;5M", -1);
	expect_event(&r, "66;200;5M", -1);
	expect_event(&r, "0;0;0M", -1);
	expect_event(&r, "0;;M", -1);
	expect_event(&r, "99999999999;1;1M", -1);
	expect_event(&r, "1;1;1;1M", -1);
	expect_event(&r, "q", -1);
}

TEST(mouse__the_old_form)
{
	struct mouse_report r = {0};
	struct mouse m = read_event(&r, true, " A%");

	assert_int_equal(m.what, MOUSE_PRESS);
	assert_int_equal(m.row, 4);
	assert_int_equal(m.col, 32);
	assert_int_equal(read_event(&r, true, "#A%").what, MOUSE_RELEASE);
	assert_int_equal(read_event(&r, true, "`A%").what, MOUSE_UP);
	assert_int_equal((int)read_event(&r, true, "\x01\x01\x01").what, -1);
}
