/* lesson.c - makes a section of the rows by which screens differ. */
#include "adapters/screen/lesson_internal.h"

#include <stdlib.h>

const char *const lesson_names[LESSON_STEPS] = {"empty", "draft", "message",
						"approval", "answer"};

cJSON *lesson_propose(const struct lesson *l)
{
	cJSON *section = cJSON_CreateObject();

	lesson_add_composer(l, section);
	lesson_add_prompt(l, section);
	lesson_add_answer(l, section);
	lesson_add_busy(l, section);
	lesson_add_idle(l, section);
	lesson_add_approval(l, section);
	return section;
}

void lesson_screen_finish(struct lesson_screen *s)
{
	strv_finish(&s->rows);
	strv_finish(&s->solid);
}

void lesson_finish(struct lesson *l)
{
	for (int k = 0; k < LESSON_STEPS; k++)
		lesson_screen_finish(&l->last[k]);
	for (size_t i = 0; i < l->nworking; i++)
		lesson_screen_finish(&l->working[i]);
	free(l->working);
	*l = (struct lesson){0};
}
