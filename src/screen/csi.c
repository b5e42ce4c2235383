/* csi.c - a CSI sequence is cut into leader, arguments and final byte. */
#include "screen/csi.h"

#include <string.h>

bool csi_parse(struct csi *c, const char *raw, size_t len)
{
	size_t i = 2;
	int inters = 0;

	/* Arguments after the last one are left unset: they are never read. */
	c->leader = 0;
	memset(c->inter, 0, sizeof(c->inter));
	c->final = raw[len - 1];
	c->n = 1;
	c->arg[0] = -1;
	c->sub[0] = false;
	if (raw[i] >= '<' && raw[i] <= '?')
		c->leader = raw[i++];
	for (; i < len - 1; i++) {
		char ch = raw[i];
		int *arg = c->n <= CSI_MAX_ARGS ? &c->arg[c->n - 1] : NULL;

		if (ch >= '0' && ch <= '9') {
			if (!arg)
				continue;
			*arg = (*arg < 0 ? 0 : *arg) * 10 + (ch - '0');
			if (*arg > CSI_MAX_VALUE)
				*arg = CSI_MAX_VALUE;
		} else if (ch == ';' || ch == ':') {
			if (c->n < CSI_MAX_ARGS) {
				c->arg[c->n] = -1;
				c->sub[c->n] = ch == ':';
			}
			if (c->n <= CSI_MAX_ARGS)
				c->n++;
		} else if (ch >= 0x20 && ch < 0x30) {
			if (inters < 2)
				c->inter[inters++] = ch;
		} else if (ch >= '<' && ch <= '?') {
			return false;
		}
	}
	c->cut = c->n > CSI_MAX_ARGS;
	if (c->cut)
		c->n = CSI_MAX_ARGS;
	return true;
}

int csi_arg(const struct csi *c, int i, int otherwise)
{
	return i < c->n && c->arg[i] >= 0 ? c->arg[i] : otherwise;
}
