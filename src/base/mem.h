/*
 * mem.h - allocates memory, or ends the program.
 *
 * Out of memory aborts with one line on stderr, after the hook that
 * restores the terminal. All results are freed with free().
 */
#ifndef AFW_BASE_MEM_H
#define AFW_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>

void *mem_alloc(size_t n); /* zeroed */
void *mem_realloc(void *p, size_t n);
/* Returns p with room for one more than its n elements; only this function may
 * grow p. */
void *mem_grow(void *p, size_t n, size_t size);
char *mem_strdup(const char *s); /* NULL returns NULL */
char *mem_strndup(const char *s, size_t n);
/* Sets *member, an owned string, to a copy of value, which may be NULL. */
void mem_set(char **member, const char *value);
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Called before the abort; the dashboard and attach set it. May be NULL. */
void mem_on_abort(void (*restore)(void));

/*
 * A NULL-terminated list of strings that owns them. A zeroed one is empty;
 * v is NULL until something was added.
 */
struct strv {
	char **v;
	size_t n;
};

void strv_add(struct strv *sv, const char *s); /* copies s */
void strv_take(struct strv *sv, char *s);      /* owns s from now on */
void strv_addf(struct strv *sv, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void strv_copy(struct strv *dst, const struct strv *src);
bool strv_has(const struct strv *sv, const char *s);
void strv_drop(struct strv *sv, const char *s); /* the first one equal to s */
void strv_sort(struct strv *sv);		/* by strcmp(3) */
void strv_finish(struct strv *sv);		/* wipes: some hold secrets */

#endif
