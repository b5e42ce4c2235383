/* support_fuser.c - a fuser that is told what its signals say, and when. */
#include "support_fuser.h"

static bool dummy_hook(const char *event, const cJSON *payload,
		       struct reading *out)
{
	return false;
}

const struct adapter fuser_hooked = {
    .name = "hooked", .hook = dummy_hook, .quiet_start = true};
const struct adapter fuser_generic = {.name = "generic"};

struct fuser fuser_new(const struct adapter *adapter)
{
	return (struct fuser){.a = activity_create(adapter, 0), .now = 5000};
}

void fuser_say(struct fuser *f, enum source s, enum activity a)
{
	struct look look = {.reading = {.source = s, .activity = a}};

	if (s == SOURCE_SCREEN)
		activity_look(f->a, &look, f->now);
	else
		activity_reading(f->a, &look.reading, f->now);
}

void fuser_ends(struct fuser *f, enum source from)
{
	struct reading r = {
	    .source = from, .activity = COMPLETED, .turn_ended = true};

	activity_reading(f->a, &r, f->now);
}

enum activity fuser_at(struct fuser *f, int64_t ms)
{
	f->now += ms;
	activity_verdict(f->a, f->now, &f->v);
	return f->v.activity;
}

enum activity fuser_after(struct fuser *f, int64_t ms)
{
	for (int64_t end = f->now + ms; fuser_at(f, 0), f->now < end;) {
		int64_t step = f->v.next_ms > 0 ? f->v.next_ms : 1;

		if (f->v.next_ms < 0 || f->now + step > end)
			step = end - f->now;
		f->now += step;
	}
	return f->v.activity;
}
