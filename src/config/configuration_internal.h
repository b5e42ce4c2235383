/* configuration_internal.h - what configuration*.c share. */
#ifndef AFW_CONFIG_CONFIGURATION_INTERNAL_H
#define AFW_CONFIG_CONFIGURATION_INTERNAL_H

#include <cjson/cJSON.h>

#include "config/configuration.h"
#include "config/inifile.h"

struct config {
	struct option_value values[OPTION_COUNT];
	char *origins[OPTION_COUNT]; /* NULL: default */
	cJSON *sections; /* {"harness": {"name": {"key": …}}, …} of the files */
	char *share_dir, *user_dir, *data_dir;
	const struct config_harness_keys *harness_keys;
	char *untrusted;
	bool trusted;
};

/* One file being read, and laid over c. */
struct config_file {
	struct config *c;
	const char *path;
	bool repository;     /* it is a repository's .af/afw.ini */
	const char *harness; /* an adapter's file: all is about this one */
	cJSON *sections;     /* of this file alone, while it is read */
};

/* One that is not there says nothing. */
int config_file_load(struct config_file *f, enum inifile_owner owner,
		     struct err *err);
int config_file_text(struct config_file *f, const char *text, size_t len,
		     struct err *err);

/* Lays a file of the user's, or of afw's own, over what is there; one that is
 * not there says nothing. */
int config_lay(struct config *c, const char *path, bool ours, struct err *err);

/* Lays what place ("FILE:LINE") says over what an option is. */
int config_put(struct config *c, enum option_id id, const char *value,
	       const char *place, struct err *err);

/* All sections of that kind, or the one of that name; NULL: there is none. */
const cJSON *config_named(const struct config *c, const char *kind,
			  const char *name);

#endif
