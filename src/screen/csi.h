/* csi.h - a CSI sequence in its parts; inside src/screen only. */
#ifndef AFW_SCREEN_CSI_H
#define AFW_SCREEN_CSI_H

#include <stdbool.h>
#include <stddef.h>

#define CSI_MAX_ARGS  32
#define CSI_MAX_VALUE 65535

struct csi {
	char leader; /* one of < = > ? or 0 */
	char inter[3];
	char final;
	int n;			/* at least 1 */
	bool cut;		/* there are more */
	int arg[CSI_MAX_ARGS];	/* -1: not given */
	bool sub[CSI_MAX_ARGS]; /* came after a colon */
};

/*
 * raw is ESC [ ... final, with at least these three bytes and without control
 * bytes inside. False if a byte is where none is allowed.
 */
bool csi_parse(struct csi *c, const char *raw, size_t len);

/* Argument i, or otherwise if it was not given. */
int csi_arg(const struct csi *c, int i, int otherwise);

#endif
