/* clock.c - time in milliseconds. */
#include "base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t now_ms(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int64_t clock_mono_ms(void)
{
	return now_ms(CLOCK_MONOTONIC);
}

int64_t clock_wall_ms(void)
{
	return now_ms(CLOCK_REALTIME);
}

void clock_format(int64_t wall_ms, char out[CLOCK_RFC3339_SIZE])
{
	time_t sec = wall_ms / 1000;
	struct tm tm;
	char day[24];

	if (!gmtime_r(&sec, &tm) ||
	    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		snprintf(day, sizeof day, "1970-01-01T00:00:00");
	snprintf(out, CLOCK_RFC3339_SIZE, "%s.%03dZ", day,
		 (int)(wall_ms % 1000));
}

void clock_format_local(int64_t wall_ms, char out[CLOCK_LOCAL_SIZE])
{
	time_t sec = wall_ms / 1000, now = time(NULL);
	struct tm tm, today;

	out[0] = '\0';
	if (!localtime_r(&sec, &tm) || !localtime_r(&now, &today))
		return;
	strftime(out, CLOCK_LOCAL_SIZE,
		 tm.tm_yday == today.tm_yday && tm.tm_year == today.tm_year
		     ? "%H:%M"
		     : "%m-%d %H:%M",
		 &tm);
}

int64_t clock_parse(const char *text)
{
	struct tm tm = {0};
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	int ms = 0;

	if (!end)
		return -1;
	if (*end == '.') {
		int scale = 100;

		for (end++; isdigit((unsigned char)*end); end++) {
			ms += (*end - '0') * scale;
			scale /= 10;
		}
	}
	if (strcmp(end, "Z") != 0)
		return -1;
	return (int64_t)timegm(&tm) * 1000 + ms;
}

void clock_age(int64_t ms, char *out, size_t size)
{
	long long s = ms < 0 ? 0 : ms / 1000;

	if (s < 60)
		snprintf(out, size, "%llds", s);
	else if (s < 3600)
		snprintf(out, size, "%lldm", s / 60);
	else if (s < 48 * 3600)
		snprintf(out, size, "%lldh", s / 3600);
	else
		snprintf(out, size, "%lldd", s / 86400);
}

void clock_left(int64_t ms, char *out, size_t size)
{
	int64_t unit = ms < 60000	    ? 1000
		       : ms < 3600000	    ? 60000
		       : ms < 48 * 3600000L ? 3600000
					    : 86400000;

	clock_age(ms > 0 ? (ms + unit - 1) / unit * unit : 0, out, size);
}

int64_t clock_duration_ms(const char *text)
{
	static const struct {
		const char *unit;
		int64_t ms;
	} units[] = {
	    {"ms", 1},	  {"s", 1000},	  {"", 1000},
	    {"m", 60000}, {"h", 3600000}, {"d", 86400000},
	};
	char *end;
	long long n;

	if (!isdigit((unsigned char)text[0]))
		return -1;
	errno = 0;
	n = strtoll(text, &end, 10);
	if (errno || n > 100LL * 365 * 86400)
		return -1;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (strcmp(end, units[i].unit) == 0)
			return n * units[i].ms;
	return -1;
}
