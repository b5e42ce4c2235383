/* test_door.c - hooks that come faster than any harness works. */
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "supervisor/door/door.h"
#include "supervisor/part.h"

extern const struct part door_part;
#include "support_scratch.h"
#include "support_unit.h"

#define DEADLINE_MS 90000
#define HOOKS	    260

static int heard;

static bool on_hook(const struct rules *rules, const char *event,
		    const cJSON *payload, struct reading *r)
{
	heard += strcmp(event, "Stop") == 0;
	return false;
}

FIXTURE(scratch_make, scratch_remove)

TEST(door__hooks_that_are_too_many_wait)
{
	static const struct adapter adapter = {.name = "fake", .hook = on_hook};
	struct supervisor sv = {
	    .parts = session_parts, .home = scratch, .adapter = &adapter};
	int64_t start = clock_mono_ms(), at;
	struct buf lines = {0};
	struct err err = {0};
	int fd;

	sv.loop = loop_create();
	sv.terminal = (struct terminal *)&sv; /* there is one */
	sv.observer.adapter = &adapter;
	parts_create(&sv);
	assert_int_equal(door_part.init(&sv, &err), 0);
	for (int i = 0; i < HOOKS; i++)
		buf_adds(&lines, "{\"hook\":\"Stop\"}\n");
	fd = open(sv.door_path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, lines.data, lines.len), lines.len);
	at = clock_mono_ms();
	loop_once(sv.loop, 0);
	/* more are due where this stood still */
	assert_in_range(heard, 1,
			clock_mono_ms() - at < 100 ? HOOKS - 50 : HOOKS);
	while (heard < HOOKS) { /* none is lost */
		assert_true(clock_mono_ms() < start + DEADLINE_MS);
		loop_once(sv.loop, 100);
	}
	assert_true(clock_mono_ms() >= start + 1000);
	close(fd);
	buf_finish(&lines);
	door_part.finish(&sv);
	parts_destroy(&sv);
	loop_destroy(sv.loop);
}
