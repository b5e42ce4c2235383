/* send_words.h - which words of afw send are sessions, and which are the text.
 */
#ifndef AFW_COMMANDS_SEND_WORDS_H
#define AFW_COMMANDS_SEND_WORDS_H

#include "base/buf.h"
#include "commands/command.h"

struct send_words {
	/* number of positionals that are names; 0: all sessions, or the only
	 * one here */
	size_t names;
	const char *text, *file; /* given as an option; borrowed */
};

/* True if the sessions are given by --all or --group, not by name. */
bool send_words_for_many(const struct args *args);

/* Fills w. ERR_USAGE if the words can mean both, or neither. */
int send_words_split(const struct args *args, struct send_words *w,
		     struct err *err);

/* Appends the words that are the text, with spaces; none if it is given as an
 * option. ERR_USAGE if an option is between them: it may be a part of it. */
int send_words_join(const struct args *args, const struct send_words *w,
		    struct buf *text, struct err *err);

#endif
