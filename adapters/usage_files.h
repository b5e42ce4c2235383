/* usage_files.h - finds the files in which a harness stores its conversations
 * and the tokens that it has used. */
#ifndef AFW_ADAPTERS_USAGE_FILES_H
#define AFW_ADAPTERS_USAGE_FILES_H

#include "adapters/adapter_type.h"
#include "adapters/record.h"

/*
 * Sets kind to the way in which the files of a section (conversation_file) are
 * stored; returns false if the section names no files. kind borrows from r;
 * *dir_len: the length of the directory at the start of conversation_file,
 * without "/" at its end.
 */
bool section_record(const struct rules *r, struct record_kind *kind,
		    size_t *dir_len);

/* A conversation, and where its agent ran; all borrowed. */
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
