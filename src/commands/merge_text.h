/* merge_text.h - conflicts as afw-worktree tells them, as lines. */
#ifndef AFW_COMMANDS_MERGE_TEXT_H
#define AFW_COMMANDS_MERGE_TEXT_H

#include <cjson/cJSON.h>

/* "INDENT path: both changed it, lines 4-6", one for each. */
void merge_text_conflicts(const cJSON *conflicts, const char *indent);

#endif
