/* notice.c - one table: what is told, and its words. */
#include "session/notice.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "session/word.h"

static const struct {
	const char *name, *words;
	enum word word;
} notices[NOTICE_COUNT] = {
    [NOTICE_NONE] = {"", "", WORD_COUNT},
    [NOTICE_WAITING] = {"waiting_for_input", "waits for you", WORD_WAITING},
    [NOTICE_COMPLETED] = {"completed", "is done", WORD_DONE},
    [NOTICE_ERROR] = {"error", "has failed", WORD_FAILED},
};

const char *notice_name(enum notice n)
{
	return n < NOTICE_COUNT ? notices[n].name : "";
}

int notice_parse(const char *name, enum notice *out)
{
	enum word word = WORD_COUNT;

	if (name && word_parse(name, &word) < 0)
		word = WORD_COUNT;
	for (int n = 0; name && n < NOTICE_COUNT; n++) {
		if (strcmp(name, notices[n].name) == 0 ||
		    (n != NOTICE_NONE && word == notices[n].word)) {
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
