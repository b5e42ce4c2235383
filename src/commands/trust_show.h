/* trust_show.h - shows what is about to be trusted, before the question. */
#ifndef AFW_COMMANDS_TRUST_SHOW_H
#define AFW_COMMANDS_TRUST_SHOW_H

#include "config/trust_store.h"

/*
 * Prints to standard error: all files by their hash (as sha256sum(1) prints
 * them) and name, marked if before, which was trusted until now, has another
 * hash or no such file; the texts of the files that configure; and last the
 * commands in them.
 */
void trust_show(const char *repository, const struct filetree *files,
		const struct trust *before);

#endif
