/* err.c - errors as values: a kind, a sentence and a hint. */
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static void __attribute__((format(printf, 3, 0)))
put(char *dst, size_t size, const char *fmt, va_list ap)
{
	char raw[1024];

	vsnprintf(raw, sizeof raw, fmt, ap);
	utf8_printable(dst, size, raw, strlen(raw));
}

int err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	err->kind = kind;
	err->hint[0] = '\0';
	va_start(ap, fmt);
	put(err->what, sizeof err->what, fmt, ap);
	va_end(ap);
	return -1;
}

int err_errno(struct err *err, const char *fmt, ...)
{
	int saved = errno;
	char text[512];
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	err_set(err, ERR_FAILED, "%s: %s", text, strerror(saved));
	errno = saved;
	return -1;
}

int err_hint(struct err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	put(err->hint, sizeof err->hint, fmt, ap);
	va_end(ap);
	return -1;
}

void err_hint_line(struct err *err, const char *fmt, ...)
{
	size_t used = strlen(err->hint);
	char line[256];
	va_list ap;

	va_start(ap, fmt);
	put(line, sizeof line, fmt, ap);
	va_end(ap);
	if (used + strlen(line) + 2 <= sizeof err->hint)
		snprintf(err->hint + used, sizeof err->hint - used, "\n%s",
			 line);
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	char old[sizeof err->what], new[256];
	va_list ap;

	if (!err)
		return -1;
	memcpy(old, err->what, sizeof old);
	va_start(ap, fmt);
	put(new, sizeof new, fmt, ap);
	va_end(ap);
	snprintf(err->what, sizeof err->what, "%s: %.*s", new,
		 (int)(sizeof err->what - sizeof new - 3), old);
	return -1;
}

void err_clear(struct err *err)
{
	if (err)
		memset(err, 0, sizeof *err);
}
