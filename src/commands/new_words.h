/* new_words.h - reads the words of afw new: a name, a task, or both. */
#ifndef AFW_COMMANDS_NEW_WORDS_H
#define AFW_COMMANDS_NEW_WORDS_H

#include "commands/command.h"
#include "commands/launch/plan.h"

struct new_words {
	struct args args; /* with exactly one word, the name */
	struct plan read; /* by plan_read() */
	char *name;	  /* made from the task; or NULL */
};

/* Fills w, to be finished in every case, from the command line args, which w
 * borrows. Reads the task, also from standard input. ERR_USAGE. */
int new_words_read(struct new_words *w, const struct args *args,
		   struct err *err);
void new_words_finish(struct new_words *w);

#endif
