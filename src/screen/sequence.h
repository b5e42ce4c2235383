/* sequence.h - what becomes of one whole sequence; inside src/screen only. */
#ifndef AFW_SCREEN_SEQUENCE_H
#define AFW_SCREEN_SEQUENCE_H

#include "screen/internal.h"

#define CSI_MAX_ARGS  32
#define CSI_MAX_VALUE 65535

struct csi {
	char leader; /* one of < = > ? or 0 */
	char inter[3];
	char final;
	int n;			/* at least 1 */
	bool cut;		/* there are more */
	int arg[CSI_MAX_ARGS];	/* -1: not given */
	bool sub[CSI_MAX_ARGS]; /* came behind a colon */
};

/*
 * sequence.c; true: hand the bytes on to clients, false: keep them back. raw
 * is the whole sequence, without controls in its midst.
 */
bool sequence_csi(struct screen *s, const char *raw, size_t len);
bool sequence_esc(struct screen *s, const char *raw, size_t len);
void sequence_reset_modes(struct screen *s);
int csi_arg(const struct csi *c, int i, int otherwise);

/* allow.c; false: it does not pass, s->instead does, if anything. */
bool allow_csi(struct screen *s, const struct csi *c);
bool allow_esc(struct screen *s, const char *raw, size_t len);

/* mode.c: private modes by their numbers. */
void mode_set(struct screen *s, int number, bool on);
int mode_get(const struct screen *s, int number); /* -1: none that is kept */
bool mode_passes(int number); /* to the user's own terminal */

/* query.c */
void query_reply(struct screen *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void query_da1(struct screen *s);
bool query_csi(struct screen *s, const struct csi *c); /* true: was one */
void query_dcs(struct screen *s, const char *body, size_t len);

/* string.c: body is without introducer and terminator. */
bool string_done(struct screen *s, char kind, const char *body, size_t len,
		 bool bel);

#endif
