/* trust_show.h - what is about to be trusted, shown before the question. */
#ifndef AFW_COMMANDS_TRUST_SHOW_H
#define AFW_COMMANDS_TRUST_SHOW_H

#include "config/trust_store.h"

/*
 * On standard error: all files by their hash (as sha256sum(1) prints them) and
 * name, with a mark where before, what was trusted until now, had another or
 * none; the texts of those that configure; and last the commands in them.
 */
void trust_show(const char *repository, const struct filetree *files,
		const struct trust *before);

#endif
