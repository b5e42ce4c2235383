/* tokens.h - how many tokens were used, and what they cost. */
#ifndef AFW_SESSION_TOKENS_H
#define AFW_SESSION_TOKENS_H

#include <stdint.h>

#include <cjson/cJSON.h>

#define TOKENS_MAX                                                             \
	INT64_C(1000000000000000) /* or 1e-6 dollars: the largest sum */

/* Tokens by their kind of price: input is without the tokens that were read
 * from the cache or written to it. */
struct tokens {
	int64_t input, output, cache_read, cache_write;
	int64_t cost_micro; /* in 1e-6 US dollars; 0: unknown */
};

/* Adds more to sum, up to TOKENS_MAX. */
void tokens_add(struct tokens *sum, const struct tokens *more);

/* Returns the number of all tokens. */
int64_t tokens_count(const struct tokens *t);

/* Sets tokens_input, tokens_output, tokens_cache_read, tokens_cache_write and
 * cost_usd in o; an unknown number is null. */
void tokens_set_json(cJSON *o, const struct tokens *t);

/* Reads them; a member that is missing, or not a count, is 0. */
void tokens_read_json(const cJSON *o, struct tokens *t);

/*
 * Returns what t costs by a table of prices, in 1e-6 US dollars; 0 if it has no
 * price for the model. prices: an array, whose first fitting object is used:
 * "model", a pattern as of fnmatch(3), and "input", "output", "cache_read" and
 * "cache_write", in 1e-6 US dollars for a million tokens (config/prices.h).
 */
int64_t tokens_price(const struct tokens *t, const cJSON *prices,
		     const char *model);

/* Writes "0", "980", "35k", "1.2M": in at most five columns. */
#define TOKENS_TEXT 24
void tokens_text(int64_t n, char out[TOKENS_TEXT]);

/* Writes "$1.25"; "-" for 0, which is unknown. */
void tokens_text_cost(int64_t cost_micro, char out[TOKENS_TEXT]);

#endif
