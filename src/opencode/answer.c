/* answer.c - parts of a message, an empty line between them. */
#include "opencode/answer.h"

#include <stdio.h>
#include <string.h>

#include "wire/bridge.h"

void answer_add(struct answer *a, const char *message, const char *part,
		const char *text)
{
	size_t len = strlen(text);

	if (strcmp(message, a->message) != 0) {
		buf_clear(&a->text);
		a->part_at = 0;
	} else if (strcmp(part, a->part) == 0) {
		a->text.len = a->part_at; /* the same one again */
	} else {
		if (a->text.len + 2 < BRIDGE_ANSWER_MAX)
			buf_adds(&a->text, "\n\n");
		a->part_at = a->text.len;
	}
	snprintf(a->message, IDS_SIZE, "%s", message);
	snprintf(a->part, IDS_SIZE, "%s", part);
	if (len > BRIDGE_ANSWER_MAX - a->text.len)
		len = BRIDGE_ANSWER_MAX - a->text.len;
	while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--; /* not a half character */
	buf_add(&a->text, text, len);
}

void answer_clear(struct answer *a)
{
	buf_clear(&a->text);
	a->message[0] = a->part[0] = '\0';
}

void answer_finish(struct answer *a)
{
	buf_finish(&a->text);
}
