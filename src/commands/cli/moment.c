/* moment.c - reads the ways to write a time in the past or in the future. */
#include "commands/cli/moment.h"

#include <stdbool.h>
#include <time.h>

#include "base/clock.h"

/* Returns the last time when the clock here showed "14:30", or the next one; -1
 * if text is no such time. */
static int64_t parse_hour(const char *text, int64_t now, bool next)
{
	time_t sec = now / 1000, at;
	struct tm tm;
	const char *end;

	if (!localtime_r(&sec, &tm))
		return -1;
	end = strptime(text, "%H:%M", &tm);
	if (!end || *end)
		return -1;
	tm.tm_sec = 0;
	tm.tm_isdst = -1;
	at = mktime(&tm);
	if (next ? at <= sec : at > sec) {
		tm.tm_mday += next ? 1 : -1;
		tm.tm_isdst = -1;
		at = mktime(&tm);
	}
	return (int64_t)at * 1000;
}

/* Returns -1 if text is no time. */
static int64_t parse(const char *text, int64_t now, bool future)
{
	int64_t ms = clock_duration_ms(text), at;

	if (ms >= 0)
		return future ? now + ms : now - ms;
	at = parse_hour(text, now, future);
	return at < 0 ? clock_parse(text) : at;
}

int64_t moment_past(const char *command, const char *text, int64_t now,
		    struct err *err)
{
	int64_t at = parse(text, now, false);

	if (at >= 0 && at <= now)
		return at;
	err_set(err, ERR_USAGE, "%s: '%.40s' is not a time in the past",
		command, text);
	return err_hint(err, "for example 30m, 2h, 3d (ago), 14:30, "
			     "2026-11-21T09:15:02Z");
}

int64_t moment_future(const char *command, const char *text, int64_t now,
		      struct err *err)
{
	int64_t at = parse(text, now, true);

	if (at > now)
		return at;
	err_set(err, ERR_USAGE, "%s: '%.40s' is not a time in the future",
		command, text);
	return err_hint(err, "for example 30m, 2h, 3d (from now), 14:30, "
			     "2026-11-21T09:15:02Z");
}
