/* ready.c - parses the condition for when a program is ready. */
#include "base/ready.h"

#include <stdbool.h>
#include <string.h>

#include "base/clock.h"

#define DELAY_MAX_MS INT64_C(3600000)

/* Skips prefix at *s. */
static bool skip_prefix(const char **s, const char *prefix)
{
	size_t len = strlen(prefix);

	if (strncmp(*s, prefix, len) != 0)
		return false;
	*s += len;
	return true;
}

/* Parses a port, only digits up to end; 0 if it is invalid. */
static int port(const char *s, const char *end)
{
	long n = 0;

	for (; s < end && *s >= '0' && *s <= '9' && n < 65536; s++)
		n = n * 10 + (*s - '0');
	return s == end && n > 0 && n < 65536 ? (int)n : 0;
}

/* Parses it; "http:http://HOST…" and "http://HOST…" are the same. */
static const char *parse_http(const char *s, struct ready *out)
{
	const char *end;

	skip_prefix(&s, "http:");
	if (!skip_prefix(&s, "//localhost") && !skip_prefix(&s, "//127.0.0.1"))
		return "only http://localhost and http://127.0.0.1 are allowed";
	end = s + strcspn(s, "/");
	out->how = READY_HTTP;
	out->port = s == end ? 80 : *s == ':' ? port(s + 1, end) : 0;
	out->what = *end ? end : "/";
	if (!out->port)
		return "a port is a number from 1 to 65535";
	return strpbrk(out->what, " \t\r\n#") ? "a URL has no blanks and no #"
					      : NULL;
}

const char *ready_parse(const char *text, struct ready *out)
{
	const char *s = text;

	*out = (struct ready){0};
	if (!*text)
		return NULL;
	if (skip_prefix(&s, "tcp:")) {
		out->how = READY_TCP;
		out->port = port(s, s + strlen(s));
		return out->port ? NULL : "a port is a number from 1 to 65535";
	}
	if (skip_prefix(&s, "http:"))
		return parse_http(s, out);
	if (skip_prefix(&s, "delay:")) {
		out->how = READY_DELAY;
		out->delay_ms = clock_duration_ms(s);
		return out->delay_ms >= 0 && out->delay_ms <= DELAY_MAX_MS
			   ? NULL
			   : "a delay is such as 500ms or 5s, at most 1h";
	}
	if (skip_prefix(&s, "log:")) {
		out->how = READY_LOG;
		out->what = s;
		return *s && strlen(s) < READY_LOG_MAX
			   ? NULL
			   : "the text to wait for is 1 to 200 bytes";
	}
	return "it is tcp:PORT, http://localhost:PORT/PATH, delay:5s or "
	       "log:TEXT";
}
