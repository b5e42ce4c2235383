/* configuration_internal.h - what configuration*.c share. */
#ifndef AFW_CONFIG_CONFIGURATION_INTERNAL_H
#define AFW_CONFIG_CONFIGURATION_INTERNAL_H

#include <cjson/cJSON.h>

#include "config/configuration.h"

struct config {
	struct option_value values[OPTION_COUNT];
	char *origins[OPTION_COUNT]; /* NULL: default */
	cJSON *sections; /* {"harness": {"name": {"key": …}}, …} of the files */
	char *share_dir, *user_dir;
	const struct config_harness_keys *harness_keys;
	char *untrusted;
	bool trusted;
};

#endif
