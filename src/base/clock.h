/*
 * clock.h - time: monotonic for waiting, wall-clock for people only.
 *
 * Monotonic time means nothing after a reboot: it is never written to a file.
 */
#ifndef AFW_BASE_CLOCK_H
#define AFW_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

int64_t clock_mono_ms(void);
int64_t clock_wall_ms(void); /* since 1970, UTC */

/* "2026-11-21T09:15:02.123Z" (RFC 3339) */
#define CLOCK_RFC3339_SIZE 32
void clock_format(int64_t wall_ms, char out[CLOCK_RFC3339_SIZE]);

/* Writes the user's local time: "12:04" if it is of today, "11-21 12:04" if
 * not. */
#define CLOCK_LOCAL_SIZE 32
void clock_format_local(int64_t wall_ms, char out[CLOCK_LOCAL_SIZE]);

/* Parses such a time of RFC 3339; -1 if text is not one. */
int64_t clock_parse(const char *text);

/* Writes an age, "5s", "12m", "3h", "2d", in at most four columns. */
void clock_age(int64_t ms, char *out, size_t size);

/* Writes the time that is left, rounded up: 13 days and an hour are "14d". */
void clock_left(int64_t ms, char *out, size_t size);

/* Parses "500ms", "5s", "2m", "1h", or plain seconds, to ms; -1 for anything
 * else. */
int64_t clock_duration_ms(const char *text);

#endif
