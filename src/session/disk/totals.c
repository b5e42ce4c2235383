/* totals.c - adds up a session's history. */
#include "session/disk/totals.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "session/disk/event_log.h"
#include "session/disk/follow.h"

static void end_work(struct totals *h, int64_t at)
{
	if (h->works_since && at > h->works_since)
		h->worked_ms += at - h->works_since;
	h->works_since = 0;
}

bool totals_is_end(const char *activity)
{
	return strcmp(activity, "completed") == 0 ||
	       strcmp(activity, "failed") == 0;
}

static void add_activity(struct totals *h, const char *activity, int64_t at)
{
	end_work(h, at);
	if (strcmp(activity, "working") == 0)
		h->works_since = at;
	h->turns += totals_is_end(activity);
}

static int add_event(void *ctx, const char *line, size_t len)
{
	struct totals *h = ctx;
	_json_ cJSON *o = json_parse_object(line, len, NULL);
	const char *event = json_str_or(o, "event", "");
	int64_t at = clock_parse(json_str_or(o, "at", ""));

	if (at < h->from || at < 0)
		return 0;
	h->events++;
	if (strcmp(event, "activity") == 0) {
		add_activity(h, json_str_or(o, "activity", ""), at);
	} else if (strcmp(event, "check") == 0) {
		h->checks++;
		h->passed += strcmp(json_str_or(o, "state", ""), "passed") == 0;
	} else if (strcmp(event, "landed") == 0) {
		h->landed++;
	} else if (strcmp(event, "undo") == 0) {
		h->undone++;
	} else if (strcmp(event, "redo") == 0) {
		h->undone -= h->undone > 0;
	} else if (strcmp(event, "limited:over") == 0) {
		h->continued +=
		    strcmp(json_str_or(o, "limited_by", ""), "you") != 0;
	} else if (strcmp(event, "agent:exit") == 0) {
		end_work(h, at);
		h->exited = !json_bool(o, "asked", false) &&
			    json_int(o, "code", -1) == 0;
	} else if (strcmp(event, "agent:started") == 0) {
		/* Its supervisor was killed before: when is not known. */
		end_work(h, h->last);
		h->exited = false;
	}
	h->last = at;
	return 0;
}

int totals_read(struct totals *h, const char *session_dir, int64_t from)
{
	struct follow file;
	int failed;

	*h = (struct totals){.from = from};
	follow_open(&file, session_dir, EVENTS_FILE);
	follow_next(&file, add_event, h);
	failed = file.failed;
	follow_close(&file);
	return failed;
}

int64_t totals_worked_ms(const struct totals *h, bool alive)
{
	struct totals sum = *h;

	end_work(&sum, alive ? clock_wall_ms() : h->last);
	return sum.worked_ms;
}
