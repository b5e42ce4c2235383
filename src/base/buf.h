/*
 * buf.h - a growing run of bytes. A zeroed struct buf is empty. data always
 * ends with a NUL that len does not include (data is NULL only until something
 * is added).
 */
#ifndef AFW_BASE_BUF_H
#define AFW_BASE_BUF_H

#include <stddef.h>

struct buf {
	char *data;
	size_t len;
	size_t cap;
};

void buf_finish(struct buf *b);
void buf_clear(struct buf *b); /* empties it, keeps its memory */
void buf_add(struct buf *b, const void *data, size_t len);
void buf_adds(struct buf *b, const char *s);
void buf_addc(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the end of the bytes, with room for at least room more. */
char *buf_room(struct buf *b, size_t room);

/* Drops the first n bytes. */
void buf_drop(struct buf *b, size_t n);

/* Returns the bytes, to be freed (never NULL, NUL-terminated); b is empty
 * again. */
char *buf_steal(struct buf *b);

#endif
