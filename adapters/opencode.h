/* opencode.h - between the files of OpenCode's adapter. */
#ifndef AFW_ADAPTERS_OPENCODE_H
#define AFW_ADAPTERS_OPENCODE_H

#include "adapters/adapter.h"

bool opencode_hook(const char *event, const cJSON *payload,
		   struct reading *out);
bool opencode_last_answer(const struct record *record, const char *told,
			  struct buf *out);

#endif
