/* questions.c - permissions that are asked for, and questions of tools. */
#include "opencode/questions.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "opencode/talk.h"

static const cJSON *member(const cJSON *o, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(o, name);
}

/* "git push", "edit src/x.c", "Which of the two?" */
static void say(const cJSON *p, char *out, size_t size)
{
	const cJSON *question = cJSON_GetArrayItem(member(p, "questions"), 0);
	const cJSON *pattern = cJSON_GetArrayItem(member(p, "patterns"), 0);
	const char *text = json_str(question, "question");
	char words[2 * QUESTIONS_TEXT];

	if (!text)
		text = json_str(member(p, "metadata"), "command");
	if (!text) {
		snprintf(words, sizeof words, "%.*s %.*s", QUESTIONS_TEXT / 2,
			 json_str_or(p, "permission", "may it go on?"),
			 QUESTIONS_TEXT,
			 cJSON_IsString(pattern) ? pattern->valuestring : "");
		text = words;
	}
	utf8_printable(out, size, text, strlen(text));
}

static size_t find(const struct questions *q, const char *id)
{
	size_t i = 0;

	while (i < q->n && strcmp(q->v[i].id, id) != 0)
		i++;
	return i;
}

bool questions_has(const struct questions *q, const char *id)
{
	return find(q, id) < q->n;
}

void questions_put(struct questions *q, const struct question *one)
{
	/* One of so many: that it asks is what matters. */
	if (q->n < QUESTIONS_MAX && !questions_has(q, one->id))
		q->v[q->n++] = *one;
}

void questions_add(struct questions *q, const cJSON *p)
{
	const char *id = json_str(p, "id");
	struct question new;

	if (!talk_id_ok(id))
		return;
	snprintf(new.id, sizeof new.id, "%s", id);
	say(p, new.text, sizeof new.text);
	questions_put(q, &new);
}

bool questions_remove(struct questions *q, const char *id)
{
	size_t i = find(q, id);

	if (i == q->n)
		return false;
	q->n--;
	memmove(&q->v[i], &q->v[i + 1], (q->n - i) * sizeof q->v[0]);
	return true;
}
