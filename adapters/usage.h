/*
 * usage.h - reads the tokens that a harness has used from its conversation's
 * file, which has a JSON object on each line. The keys usage_... of the
 * harness's section name the members (afw-adapters(5)).
 *
 * Pure: bytes in, sums out. The text is not trusted: a line with a number that
 * is not a count is left out, and no sum is above TOKENS_MAX.
 */
#ifndef AFW_ADAPTERS_USAGE_H
#define AFW_ADAPTERS_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "adapters/screen/rules.h"
#include "session/tokens.h"

#define USAGE_MODELS 8	/* in one sum; others are added to the last one */
#define USAGE_IDS    8	/* of a file's last messages */
#define USAGE_MODEL  64 /* bytes of a name */

/* The sums of each model; model "": unknown. Starts zeroed. */
struct usage_sums {
	struct {
		char model[USAGE_MODEL]; /* printable, one line */
		struct tokens tokens;
	} v[USAGE_MODELS];
	size_t n;
};

/* Adds u to the sum of model, any text. */
void usage_sums_add(struct usage_sums *s, const char *model,
		    const struct tokens *u);

/*
 * What was read of one file: where to continue, and the tokens of its last
 * messages, because a message may be written several times with growing
 * numbers. Starts zeroed.
 */
struct usage_file {
	uint64_t dev, ino;
	int64_t at;    /* bytes that were read */
	int64_t since; /* wall ms: older lines are not counted */
	char model[USAGE_MODEL];
	struct {
		uint64_t id; /* its hash */
		struct tokens tokens;
	} seen[USAGE_IDS];
	size_t next; /* the index in seen that is replaced next */
};

/* Returns whether a section names members with tokens. */
bool usage_known(const struct rules *r);

/* Reads whole lines of the file, and adds what is new in them to sums. */
void usage_read(const struct rules *r, struct usage_file *f, const char *text,
		size_t len, struct usage_sums *sums);

/* Convert it to an object, and back; usage_file_parse() returns false if o is
 * not such an object. */
cJSON *usage_file_json(const struct usage_file *f);
bool usage_file_parse(const cJSON *o, struct usage_file *f);

#endif
