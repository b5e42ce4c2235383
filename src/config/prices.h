/*
 * prices.h - what a million tokens of each model cost: share/prices.ini, and
 * prices.ini beside the user's afw.ini, whose prices come first.
 *
 * A section is a pattern for models, "[claude-opus-5-5*]"; the first section of
 * a file that fits is used. Its keys: input, output, cache_read, cache_write,
 * in US dollars; cache_read and cache_write are the price of input if they are
 * missing. Above the first section, date is the day on which the prices were
 * looked up.
 */
#ifndef AFW_CONFIG_PRICES_H
#define AFW_CONFIG_PRICES_H

#include <cjson/cJSON.h>

#include "base/err.h"

/*
 * Returns the prices as tokens_price() takes them (session/tokens.h), to be
 * deleted; an empty array without files. NULL with err ("FILE:LINE: ...") if a
 * file has nonsense. share_dir: the directory of afw's own file; may be NULL.
 */
cJSON *prices_load(const char *share_dir, struct err *err);

#endif
