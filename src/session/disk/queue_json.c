/* queue_json.c - lists queued messages as `afw send --list --json` prints them.
 */
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "session/disk/queue.h"

#define LINE_SIZE 200

/* Writes the first line of the text that is not blank, safe to print. */
static void first_line(char out[LINE_SIZE], const char *text, size_t len)
{
	size_t from = 0, n = 0;

	while (from < len && strchr(" \t\n", text[from]))
		from++;
	while (from + n < len && text[from + n] != '\n')
		n++;
	utf8_printable(out, LINE_SIZE, text + from, n);
}

cJSON *queue_json(const struct queued *m)
{
	cJSON *o = cJSON_CreateObject();
	int64_t now = clock_wall_ms();
	char line[LINE_SIZE] = "";

	if (m->text)
		first_line(line, m->text, m->len);
	json_set_int(o, "message", m->id);
	json_set_bool(o, "typing", m->state == QUEUE_TYPING);
	json_set_int(o, "waited_ms",
		     m->at > 0 && m->at < now ? now - m->at : 0);
	json_set_int(o, "bytes", (int64_t)m->len);
	json_set_str(o, "first_line", line);
	return o;
}

void queue_json_all(const char *session_dir, cJSON *list, struct err *err)
{
	struct queue_entry v[QUEUE_LIST_MAX];
	size_t n = queue_list(session_dir, v, err);

	for (size_t i = 0; i < n; i++) {
		_queued_ struct queued m = {0};
		struct err why = {0};

		if (v[i].state == QUEUE_CANCELLED)
			continue;
		if (queue_read(session_dir, &v[i], &m, &why) == 0)
			cJSON_AddItemToArray(list, queue_json(&m));
		else if (why.kind != ERR_CONFLICT && err)
			*err = why;
	}
}
