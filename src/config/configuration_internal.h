/* configuration_internal.h - what configuration*.c share. */
#ifndef AFW_CONFIG_CONFIGURATION_INTERNAL_H
#define AFW_CONFIG_CONFIGURATION_INTERNAL_H

#include <cjson/cJSON.h>

#include "config/configuration.h"

struct config {
	struct option_value values[OPTION_COUNT];
	char *origins[OPTION_COUNT]; /* NULL: default */
	cJSON *sections; /* {"harness": {"name": {"key": …}}, …} of the files */
	char *share_dir, *user_dir, *data_dir;
	const struct config_harness_keys *harness_keys;
	char *untrusted;
	bool trusted;
};

/* Lays a file of the user's, or of afw's own, over what is there; one that is
 * not there says nothing. */
int config_lay(struct config *c, const char *path, bool ours, struct err *err);

#endif
