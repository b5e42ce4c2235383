/* usage_limit.c - reads what an agent says of a limit. */
#include "adapters/usage_limit.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"

#define SECOND 1000LL
#define MINUTE (60 * SECOND)
#define DAY    (24 * 60 * MINUTE)
#define MOST   (366 * DAY) /* more is no limit that anybody waits for */

#define ZONES "/usr/share/zoneinfo/"
#define ZONE_CHARS                                                             \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-_/"

static const char *const names[] = {
    [LIMIT_NONE] = "",
    [LIMIT_USAGE] = "usage limit",
    [LIMIT_WEEKLY] = "weekly limit",
    [LIMIT_MODEL] = "limit of the model",
    [LIMIT_CREDIT] = "no credit left",
    [LIMIT_RATE] = "too many requests",
    [LIMIT_BUSY] = "server overloaded",
    [LIMIT_CONTEXT] = "context full",
    [LIMIT_LOGIN] = "login needed",
};

/* The first that is in the text counts. */
static const struct {
	const char *part;
	enum usage_limit_reason reason;
} parts[] = {
    {"(not your usage limit)", LIMIT_RATE},
    {"rate limit", LIMIT_RATE},
    {"weekly limit", LIMIT_WEEKLY},
    {"limit reached for ", LIMIT_MODEL},
    {"usage limit", LIMIT_USAGE},
    {"hit your 5-hour limit", LIMIT_USAGE},
    {"hit your session limit", LIMIT_USAGE},
    {"hit your limit", LIMIT_USAGE},
    {"hit your ", LIMIT_MODEL}, /* "You've hit your Opus limit" */
    {"credit balance", LIMIT_CREDIT},
    {"quota", LIMIT_CREDIT},
    {"overloaded", LIMIT_BUSY},
    {"at capacity", LIMIT_BUSY},
    {"server is busy", LIMIT_BUSY},
    {"too many requests", LIMIT_RATE},
    {"(429)", LIMIT_RATE},
    {"prompt is too long", LIMIT_CONTEXT},
    {"context window", LIMIT_CONTEXT},
    {"please run /login", LIMIT_LOGIN},
    {"401 unauthorized", LIMIT_LOGIN},
    {"api key not valid", LIMIT_LOGIN},
    {"incorrect api key", LIMIT_LOGIN},
    {"authentication failed", LIMIT_LOGIN}, /* Copilot */
    {"invalid authentication credential", LIMIT_LOGIN},
    {NULL, LIMIT_NONE},
};

const char *usage_limit_name(enum usage_limit_reason r)
{
	return names[r];
}

/* -- durations ------------------------------------------------------------ */

/* Reads digits; *s is behind them. Returns -1 if there are none, or more than
 * any time has. */
static int64_t read_number(const char **s)
{
	const char *from = *s;
	int64_t n = 0;

	for (; isdigit((unsigned char)**s); (*s)++)
		n = *s - from < 9 ? n * 10 + (**s - '0') : -1;
	return *s > from && *s - from <= 9 ? n : -1;
}

/* "7260s", "2h 5m", "5 days 2 hours", "34.5s". Returns ms; 0 for anything
 * else. */
static int64_t read_duration(const char *s)
{
	static const struct {
		char unit;
		int64_t ms;
	} units[] = {
	    {'s', SECOND}, {'m', MINUTE}, {'h', 60 * MINUTE}, {'d', DAY}};
	int64_t sum = 0;

	for (;;) {
		int64_t n;
		size_t i = 0;

		s += strspn(s, " ,");
		n = read_number(&s);
		if (n < 0)
			return sum;
		if (*s == '.')
			s += 1 + strspn(s + 1, "0123456789");
		s += strspn(s, " ");
		while (i < 4 && tolower((unsigned char)*s) != units[i].unit)
			i++;
		if (i == 4)
			return sum;
		sum += n * units[i].ms;
		while (isalpha((unsigned char)*s))
			s++;
	}
}

/* -- times ---------------------------------------------------------------- */

struct moment {
	int hour, minute;
	int month, day, year; /* month: 0 to 11; -1: not said. year: 0 */
	char zone[40];	      /* "": the local one */
};

/* "Feb 28th, 2026 " before the time; leaves *s where it is if there is none. */
static void read_date(const char **s, struct moment *m)
{
	static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";
	const char *at = *s;
	int64_t day, year;

	for (m->month = 11; m->month >= 0; m->month--)
		if (strncasecmp(at, months + 3L * m->month, 3) == 0)
			break;
	if (m->month < 0)
		return;
	while (isalpha((unsigned char)*at))
		at++;
	at += strspn(at, " ");
	day = read_number(&at);
	at += strspn(at, "dhnrst, ");
	year = strspn(at, "0123456789") == 4 ? read_number(&at) : 0;
	at += strspn(at, ", ");
	if (strncasecmp(at, "at ", 3) == 0)
		at += 3;
	if (day < 1 || day > 31) {
		m->month = -1;
		return;
	}
	m->day = (int)day;
	m->year = (int)year;
	*s = at;
}

/* " (Europe/Berlin)": a zone of this system. */
static void read_zone(const char *s, struct moment *m)
{
	size_t len = strncmp(s, " (", 2) == 0 ? strcspn(s + 2, ")") : 0;
	char path[sizeof ZONES + sizeof m->zone];

	if (len == 0 || len >= sizeof m->zone || s[2] == '/' || s[2] == '.' ||
	    strspn(s + 2, ZONE_CHARS) != len)
		return;
	snprintf(path, sizeof path, ZONES "%.*s", (int)len, s + 2);
	if (access(path, F_OK) == 0 || strncmp(s + 2, "UTC)", 4) == 0)
		memcpy(m->zone, s + 2, len);
}

/* "4:17pm", "4 PM", "16:40", and the zone after it. */
static bool read_moment(const char *s, struct moment *m)
{
	int64_t hour, minute = 0;
	bool colon, half;

	*m = (struct moment){0};
	read_date(&s, m);
	hour = read_number(&s);
	colon = *s == ':';
	if (colon) {
		s++;
		minute = read_number(&s);
	}
	s += strspn(s, " ");
	half = strncasecmp(s, "am", 2) == 0 || strncasecmp(s, "pm", 2) == 0;
	if (hour < 0 || minute < 0 || minute > 59 || (!colon && !half) ||
	    hour > (half ? 12 : 23) || (half && hour == 0))
		return false;
	if (half)
		hour = hour % 12 + (tolower((unsigned char)*s) == 'p' ? 12 : 0);
	m->hour = (int)hour;
	m->minute = (int)minute;
	read_zone(s + (half ? 2 : 0), m);
	return true;
}

/* Returns that moment as wall ms: the next one from the minute of now on. */
static int64_t next_local_moment(const struct moment *m, int64_t now)
{
	time_t t = (time_t)(now / SECOND);
	struct tm tm;
	int64_t at = 0;

	for (int later = 0; later < 2; later++) {
		localtime_r(&t, &tm);
		tm.tm_hour = m->hour;
		tm.tm_min = m->minute;
		tm.tm_sec = 0;
		tm.tm_isdst = -1;
		if (m->month < 0) {
			tm.tm_mday += later;
		} else {
			tm.tm_mon = m->month;
			tm.tm_mday = m->day;
			tm.tm_year =
			    m->year ? m->year - 1900 : tm.tm_year + later;
		}
		at = (int64_t)mktime(&tm) * SECOND;
		if (at + MINUTE > now || m->year)
			break;
	}
	return at + MINUTE > now && at - now < MOST ? at : 0;
}

/* The same in its zone. libc knows only one at a time. */
static int64_t next_moment(const struct moment *m, int64_t now)
{
	_free_ char *local = getenv("TZ") ? mem_strdup(getenv("TZ")) : NULL;
	int64_t at;

	if (!m->zone[0])
		return next_local_moment(m, now);
	setenv("TZ", m->zone, 1);
	tzset();
	at = next_local_moment(m, now);
	if (local)
		setenv("TZ", local, 1);
	else
		unsetenv("TZ");
	tzset();
	return at;
}

/* Returns what follows the first of these words, or NULL. */
static const char *behind(const char *text, const char *const *words)
{
	for (; *words; words++) {
		const char *at = strcasestr(text, *words);

		if (at)
			return at + strlen(*words);
	}
	return NULL;
}

static int64_t read_until(const char *text, int64_t now)
{
	static const char *const in[] = {"resets in ", "reset in ", "again in ",
					 "retrying in ", NULL};
	static const char *const at[] = {"resets at ", "resets ", "again at ",
					 "automatically at ", NULL};
	const char *s = behind(text, in);
	int64_t ms = s ? read_duration(s) : 0;
	struct moment m;

	if (ms > 0 && ms < MOST)
		return now + ms;
	s = behind(text, at);
	return s && read_moment(s, &m) ? next_moment(&m, now) : 0;
}

bool usage_limit_read(const char *words, int64_t now, struct usage_limit *out)
{
	size_t i = 0;

	*out = (struct usage_limit){0};
	while (parts[i].part && !strcasestr(words, parts[i].part))
		i++;
	out->reason = parts[i].reason;
	if (out->reason != LIMIT_NONE)
		out->until = read_until(words, now);
	return out->reason != LIMIT_NONE;
}
