/* hook.h - helpers of the adapters for reading a hook's event. Pure. */
#ifndef AFW_ADAPTERS_HOOK_H
#define AFW_ADAPTERS_HOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "adapters/adapter.h"

/* Sets *out from the key of the rules that names the event (hook_prompt, …).
 * False: none does. */
bool hook_read(const struct rules *r, const char *event, struct reading *out);

/* Returns reading.call of a payload. Names as Claude Code has them: tool_name,
 * tool_input, tool_response or error (Codex 0.169, Gemini CLI 0.61 and Qwen
 * Code have the same). */
uint64_t hook_call(const cJSON *payload);

/* Appends the names of all events. */
void hook_names(const struct rules *r, struct strv *out);

/* Copies the first line of s that has text, printable. */
void hook_line(char *out, size_t size, const char *s);

/* The same for a text in payload; "" if there is none. */
void hook_copy(char *out, size_t size, const cJSON *payload, const char *key);

/* Sets the detail "before: what", or before alone if what is "". */
void hook_set_detail(struct reading *out, const char *before, const char *what);

/* Sets the detail "Bash: npm test" from the tool's name and its main input. */
void hook_tool(const char *before, const cJSON *payload, struct reading *out);

#endif
