/* past.c - reads the ways to write a time in the past. */
#include "commands/cli/past.h"

#include <time.h>

#include "base/clock.h"

/* Returns the last time when the clock here showed "14:30"; -1 if text is no
 * such time. */
static int64_t parse_hour(const char *text, int64_t now)
{
	time_t sec = now / 1000;
	struct tm tm;
	const char *end;

	if (!localtime_r(&sec, &tm))
		return -1;
	end = strptime(text, "%H:%M", &tm);
	if (!end || *end)
		return -1;
	tm.tm_sec = 0;
	tm.tm_isdst = -1;
	if (mktime(&tm) > sec) {
		tm.tm_mday--;
		tm.tm_isdst = -1;
	}
	return (int64_t)mktime(&tm) * 1000;
}

int64_t past_read(const char *command, const char *text, int64_t now,
		  struct err *err)
{
	int64_t ago = clock_duration_ms(text), at;

	at = ago >= 0 ? now - ago : parse_hour(text, now);
	if (at < 0)
		at = clock_parse(text);
	if (at >= 0 && at <= now)
		return at;
	err_set(err, ERR_USAGE, "%s: '%.40s' is not a time in the past",
		command, text);
	return err_hint(err, "for example 30m, 2h, 3d (ago), 14:30, "
			     "2026-11-21T09:15:02Z");
}
