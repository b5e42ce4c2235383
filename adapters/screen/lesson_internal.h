/* lesson_internal.h - what the files of a lesson share. */
#ifndef AFW_ADAPTERS_SCREEN_LESSON_INTERNAL_H
#define AFW_ADAPTERS_SCREEN_LESSON_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "adapters/screen/lesson.h"
#include "base/buf.h"

/* Adds a value under key, unless it is there. */
void lesson_add_value(cJSON *section, const char *key, const char *value);

/* Adds a pattern likewise; returns false if it is too long or matches any row.
 */
bool lesson_add_pattern(cJSON *section, const char *key,
			const struct buf *pattern);

/* Returns the first value under key, borrowed; NULL: there is none. */
const char *lesson_first_value(const cJSON *section, const char *key);

/* Returns the length of the sign before a text: of its first word, if that has
 * no letter and no digit; 0 if it is the whole text. */
size_t lesson_sign_length(const char *row, size_t from, size_t to);

/* Each adds what the lesson shows of its subject. The later ones look for the
 * composer in the section. */
void lesson_add_composer(const struct lesson *l, cJSON *section);
void lesson_add_prompt(const struct lesson *l, cJSON *section);
void lesson_add_answer(const struct lesson *l, cJSON *section);
void lesson_add_busy(const struct lesson *l, cJSON *section);
void lesson_add_idle(const struct lesson *l, cJSON *section);
void lesson_add_approval(const struct lesson *l, cJSON *section);

#endif
