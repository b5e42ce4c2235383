/*
 * fuzz_limit.c - what is read of a limit's words, whatever they are: a time
 * from the minute of now on and within a year, and none without a reason; the
 * local zone stays the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/usage_limit.h"

#define MINUTE_MS 60000LL
#define YEAR_MS	  (367 * 24 * 60 * MINUTE_MS)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* An ordinary day, the last second of a year, a leap day, 1970. */
	static const int64_t nows[] = {1795875390000, 1798761599999,
				       1835395200000, 0};
	char *words = calloc(1, size + 1);

	setenv("TZ", "XXX-2", 1);
	tzset();
	if (size > 0)
		memcpy(words, data, size);
	for (size_t i = 0; i < sizeof nows / sizeof nows[0]; i++) {
		struct usage_limit l;
		bool any = usage_limit_read(words, nows[i], &l);

		must(any == (l.reason != LIMIT_NONE));
		must(usage_limit_name(l.reason)[0] != '\0' || !any);
		must(any || l.until == 0);
		must(l.until == 0 || (l.until + MINUTE_MS > nows[i] &&
				      l.until < nows[i] + YEAR_MS));
		must(timezone == -7200);
	}
	free(words);
	return 0;
}
