/* sequence.h - carries out one complete sequence; inside src/screen only. */
#ifndef AFW_SCREEN_SEQUENCE_H
#define AFW_SCREEN_SEQUENCE_H

#include "screen/csi.h"
#include "screen/internal.h"

/*
 * sequence.c; true: hand the bytes on to clients, false: keep them back. raw
 * is the whole sequence, without controls in its midst.
 */
bool sequence_csi(struct screen *s, const char *raw, size_t len);
bool sequence_esc(struct screen *s, const char *raw, size_t len);

/* allow.c; false: it does not pass, s->instead does, if anything. */
bool allow_csi(struct screen *s, const struct csi *c);
bool allow_esc(struct screen *s, const char *raw, size_t len);

/* mode.c: private modes by their numbers. */
void mode_set(struct screen *s, int number, bool on);
int mode_get(const struct screen *s, int number); /* -1: none that is kept */
bool mode_passes(int number); /* to the user's own terminal */
void mode_reset(struct screen *s);
void mode_reset_soft(struct screen *s); /* DECSTR */

/* query.c */
void query_reply(struct screen *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void query_da1(struct screen *s);
bool query_csi(struct screen *s, const struct csi *c); /* true: was one */
void query_dcs(struct screen *s, const char *body, size_t len);

/* string.c: body is without introducer and terminator. */
bool string_apply(struct screen *s, char kind, const char *body, size_t len,
		  bool bel);

#endif
