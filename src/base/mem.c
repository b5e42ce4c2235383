/* mem.c - allocation that never returns NULL, and lists of strings. */
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void (*on_abort)(void);

void mem_on_abort(void (*restore)(void))
{
	on_abort = restore;
}

static _Noreturn void out_of_memory(void)
{
	static const char text[] = "afw: out of memory\n";

	if (on_abort)
		on_abort();
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		_exit(1);
	abort();
}

void *mem_alloc(size_t n)
{
	void *p = calloc(1, n ? n : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *mem_realloc(void *p, size_t n)
{
	p = realloc(p, n ? n : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *mem_grow(void *p, size_t n, size_t size)
{
	/* 0, 1, 2, 4, 8 …: twice as many */
	return n & (n - 1) ? p : mem_realloc(p, (n ? 2 * n : 1) * size);
}

char *mem_strndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = mem_alloc(len + 1);

	memcpy(p, s, len);
	return p;
}

char *mem_strdup(const char *s)
{
	return s ? mem_strndup(s, strlen(s)) : NULL;
}

static char *__attribute__((format(printf, 1, 0)))
vprintf_new(const char *fmt, va_list ap)
{
	char *p;

	if (vasprintf(&p, fmt, ap) < 0)
		out_of_memory();
	return p;
}

void mem_set(char **member, const char *value)
{
	char *copy = mem_strdup(value);

	free(*member);
	*member = copy;
}

char *mem_printf(const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = vprintf_new(fmt, ap);
	va_end(ap);
	return p;
}

void strv_take(struct strv *sv, char *s)
{
	sv->v = mem_realloc(sv->v, (sv->n + 2) * sizeof *sv->v);
	sv->v[sv->n++] = s;
	sv->v[sv->n] = NULL;
}

void strv_add(struct strv *sv, const char *s)
{
	strv_take(sv, mem_strdup(s));
}

void strv_addf(struct strv *sv, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strv_take(sv, vprintf_new(fmt, ap));
	va_end(ap);
}

void strv_copy(struct strv *dst, const struct strv *src)
{
	for (size_t i = 0; i < src->n; i++)
		strv_add(dst, src->v[i]);
}

bool strv_has(const struct strv *sv, const char *s)
{
	for (size_t i = 0; i < sv->n; i++)
		if (strcmp(sv->v[i], s) == 0)
			return true;
	return false;
}

void strv_drop(struct strv *sv, const char *s)
{
	for (size_t i = 0; i < sv->n; i++) {
		char *found = sv->v[i];

		if (strcmp(found, s) != 0)
			continue;
		memmove(sv->v + i, sv->v + i + 1,
			(sv->n-- - i) * sizeof *sv->v);
		free(found);
		return;
	}
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct strv *sv)
{
	if (sv->n)
		qsort(sv->v, sv->n, sizeof *sv->v, compare);
}

void strv_finish(struct strv *sv)
{
	for (size_t i = 0; i < sv->n; i++) {
		explicit_bzero(sv->v[i], strlen(sv->v[i]));
		free(sv->v[i]);
	}
	free(sv->v);
	*sv = (struct strv){0};
}
