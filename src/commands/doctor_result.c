/* doctor_result.c - one result of `afw doctor`. */
#include <stdarg.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "commands/doctor.h"

int doctor_add(struct survey *s, const char *check, int level, const char *hint,
	       const char *fmt, ...)
{
	_free_ char *text = NULL;
	struct finding *f;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	f = finding_add(s, "check", NULL, NULL, "%s", text ? text : "");
	f->level = level;
	f->name = mem_strdup(check);
	if (level != OK && hint && hint[0])
		f->hint = mem_strdup(hint);
	return 0;
}
