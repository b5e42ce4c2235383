/* opencode.h - shared by the files of OpenCode's adapter. */
#ifndef AFW_ADAPTERS_OPENCODE_OPENCODE_H
#define AFW_ADAPTERS_OPENCODE_OPENCODE_H

#include "adapters/adapter.h"

bool opencode_hook(const struct rules *r, const char *event,
		   const cJSON *payload, struct reading *out);
extern const struct record_kind opencode_record;

#endif
