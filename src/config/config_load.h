/*
 * config_load.h - the configuration while it is loaded. Inside config/ only;
 * all others use config.h.
 */
#ifndef AFW_CONFIG_CONFIG_LOAD_H
#define AFW_CONFIG_CONFIG_LOAD_H

#include <cjson/cJSON.h>

#include "config/config.h"
#include "config/expand.h"
#include "config/filetree.h"
#include "config/ini.h"

struct config {
	struct option_value *values; /* of each option; see config_value() */
	bool *known;		     /* whether that is read yet */
	char *origins[OPTION_COUNT]; /* NULL: default */
	cJSON *sections; /* {"harness": {"name": {"key": …}}, …} of the files */
	char *share_dir, *user_dir, *data_dir;
	char *af_dir;	    /* the repository's .af/, or NULL */
	struct filetree af; /* its files; empty unless all are trusted */
	const struct section_harness_keys *harness_keys;
	char *untrusted;
	struct strv removed; /* texts: options that there are no more */
	bool trusted;
};

/* Returns the defaults; reads nothing. A default stays a text in the table of
 * options until it is asked for: few of them are. */
struct config *config_create(const struct config_where *where);

/* The value in force. */
const struct option_value *config_value(const struct config *c,
					enum option_id id);

/* A file while it is read into c. */
struct config_file {
	struct config *c;
	const char *path;
	bool repository; /* it is in a repository's .af/ */
	const char
	    *harness; /* an adapter's file: the harness of all its keys */
	/* of a template: the values of ${AFW_...}; NULL: not expanded */
	const struct expand_values *values;
	cJSON *sections;   /* of this file alone, while it is read */
	bool names_branch; /* it has used ${AFW_BRANCH} already */
};

/* Reads the file at f->path; 0 if it does not exist. */
int config_load_file(struct config_file *f, enum ini_owner owner,
		     struct err *err);
/* The same for a text that was read already. */
int config_load_text(struct config_file *f, const struct buf *text,
		     struct err *err);
/* The same with afw.ini in the files of a repository's .af/. */
int config_load_ini(struct config *c, const struct filetree *af,
		    struct err *err);

/* expand_text() with these values. If they have no branch, it is made from c's
 * present branch_prefix. */
int config_expand(const struct config *c, const struct expand_values *values,
		  const char *text, bool words, const char *file,
		  struct buf *out, struct err *err);

/* Sets an option, or adds to a list; place is "FILE:LINE". */
int config_set_from(struct config *c, enum option_id id, const char *value,
		    const char *place, struct err *err);

#endif
