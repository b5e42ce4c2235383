/* usage_files.h - where a harness stores its conversations, and with them the
 * tokens that it has used. */
#ifndef AFW_ADAPTERS_USAGE_FILES_H
#define AFW_ADAPTERS_USAGE_FILES_H

#include "adapters/adapter_type.h"
#include "adapters/record.h"

/*
 * Sets how the files are stored that a section names (conversation_file); false
 * if it names none. kind borrows from r; *dir_len: the length of the directory
 * at the start of conversation_file, without "/" at its end.
 */
bool section_record(const struct rules *r, struct record_kind *kind,
		    size_t *dir_len);

/* The conversation, and where it ran; all borrowed. */
struct usage_place {
	const char *dir;	  /* launch.record_dir; NULL: unknown */
	const char *conversation; /* its id; NULL: unknown */
	const char *cwd;
	int64_t since; /* wall ms: when the session was made */
};

/* Calls each with each file of the conversation that is there, as
 * record_each(). */
void usage_each_file(const struct adapter *a, const struct rules *r,
		     const struct usage_place *place, record_file *each,
		     void *ctx);

#endif
