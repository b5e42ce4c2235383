/* buf.c - a growing run of bytes. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void buf_finish(struct buf *b)
{
	free(b->data);
	*b = (struct buf){0};
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

char *buf_room(struct buf *b, size_t room)
{
	size_t need = b->len + room + 1;

	if (need > b->cap) {
		b->cap = need > 2 * b->cap ? need : 2 * b->cap;
		if (b->cap < 64)
			b->cap = 64;
		b->data = mem_realloc(b->data, b->cap);
	}
	/* A caller that then reads nothing into it has an empty string. */
	b->data[b->len] = '\0';
	return b->data + b->len;
}

void buf_add(struct buf *b, const void *data, size_t len)
{
	char *to = buf_room(b, len);

	if (len)
		memcpy(to, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	buf_room(b, (size_t)n);
	va_start(ap, fmt);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}

void buf_drop(struct buf *b, size_t n)
{
	if (n > b->len)
		n = b->len;
	if (n == 0)
		return;
	memmove(b->data, b->data + n, b->len - n + 1);
	b->len -= n;
}

char *buf_steal(struct buf *b)
{
	char *p;

	buf_room(b, 0);
	p = b->data;
	*b = (struct buf){0};
	return p;
}
