/* support_fuser.c - a fuser that gets its signals and its time from the test.
 */
#include "support_fuser.h"

static bool dummy_hook(const struct rules *rules, const char *event,
		       const cJSON *payload, struct reading *out)
{
	return false;
}

const struct adapter fuser_hooked = {
    .name = "hooked", .hook = dummy_hook, .quiet_start = true};
const struct adapter fuser_generic = {.name = "generic"};

struct fuser fuser;

void fuser_start(const struct adapter *adapter)
{
	activity_destroy(fuser.a);
	fuser =
	    (struct fuser){.a = activity_create(adapter, NULL), .now = 5000};
}

int fuser_begin(void **state)
{
	fuser_start(&fuser_hooked);
	return 0;
}

int fuser_end(void **state)
{
	activity_destroy(fuser.a);
	fuser.a = NULL;
	return 0;
}

void fuser_say(enum source s, enum activity a)
{
	struct screen_state look = {.reading = {.source = s, .activity = a}};

	if (s == SOURCE_SCREEN)
		activity_screen(fuser.a, &look, fuser.now);
	else
		activity_reading(fuser.a, &look.reading, fuser.now);
}

void fuser_ends(enum source from)
{
	struct reading r = {
	    .source = from, .activity = COMPLETED, .turn_ended = true};

	activity_reading(fuser.a, &r, fuser.now);
}

enum activity fuser_at(int64_t ms)
{
	fuser.now += ms;
	activity_verdict(fuser.a, fuser.now, &fuser.v);
	return fuser.v.activity;
}

enum activity fuser_after(int64_t ms)
{
	for (int64_t end = fuser.now + ms; fuser_at(0), fuser.now < end;) {
		int64_t step = fuser.v.next_ms > 0 ? fuser.v.next_ms : 1;

		if (fuser.v.next_ms < 0 || fuser.now + step > end)
			step = end - fuser.now;
		fuser.now += step;
	}
	return fuser.v.activity;
}
