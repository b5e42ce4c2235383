/* notice.c - one table: what is told, and its words. */
#include "session/notice.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static const struct {
	const char *name, *words;
} notices[NOTICE_COUNT] = {
    [NOTICE_NONE] = {"", ""},
    [NOTICE_WAITING] = {"waiting_for_input", "waits for you"},
    [NOTICE_COMPLETED] = {"completed", "is done"},
    [NOTICE_ERROR] = {"error", "has failed"},
};

const char *notice_name(enum notice n)
{
	return n < NOTICE_COUNT ? notices[n].name : "";
}

int notice_parse(const char *name, enum notice *out)
{
	for (int n = 0; name && n < NOTICE_COUNT; n++) {
		if (strcmp(name, notices[n].name) == 0) {
			*out = (enum notice)n;
			return 0;
		}
	}
	return -1;
}

void notice_title(enum notice n, const char *session, char *out, size_t size)
{
	char raw[256];

	snprintf(raw, sizeof raw, "%.160s %s", session,
		 n < NOTICE_COUNT ? notices[n].words : "");
	utf8_printable(out, size, raw, strlen(raw));
}
