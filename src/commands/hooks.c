/* hooks.c - reports the names of hooks that afw does not run. */
#include "commands/hooks.h"

#include "base/cleanup.h"
#include "commands/cli/output.h"

void hooks_print_not_run(const cJSON *o, const char *hint)
{
	_strv_ struct strv names = {0};
	_buf_ struct buf text = {0};

	json_strv(o, "hooks_not_run", &names);
	for (size_t i = 0; i < names.n; i++)
		buf_addf(&text, "%s%s", i ? ", " : "", names.v[i]);
	if (text.len)
		output_hint("hooks not run: %s%s", text.data, hint);
}
