/* answer.h - the texts of the last message of a turn that has any. */
#ifndef AFW_OPENCODE_ANSWER_H
#define AFW_OPENCODE_ANSWER_H

#include "base/buf.h"
#include "opencode/ids.h"

/* A zeroed one is empty. At most BRIDGE_ANSWER_MAX bytes. */
struct answer {
	struct buf text;
	char message[IDS_SIZE], part[IDS_SIZE]; /* of the last text */
	size_t part_at;				/* where that begins */
};

/* A text that is whole. The same part again replaces it, another message
 * begins anew. */
void answer_add(struct answer *a, const char *message, const char *part,
		const char *text);
void answer_clear(struct answer *a);
void answer_finish(struct answer *a);

#endif
