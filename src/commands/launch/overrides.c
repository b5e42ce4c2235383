/* overrides.c - options of one session, set on its command line. */
#include "commands/launch/overrides.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/nearest.h"
#include "commands/command.h"
#include "sandbox/podman.h"

#define OPTION_FLAG "option" /* -o KEY=VALUE */

static const struct {
	const char *flag;
	enum option_id id;
} container_flags[] = {
    {"image", OPTION_IMAGE},
    {"network", OPTION_NETWORK},
    {"memory", OPTION_SANDBOX_MEMORY},
    {"cpus", OPTION_SANDBOX_CPUS},
};

#define FLAGS (sizeof container_flags / sizeof container_flags[0])

/* Returns the flag that was given; NULL: none. */
static const char *find_flag(const struct args *args)
{
	for (size_t i = 0; i < FLAGS; i++)
		if (args_has(args, container_flags[i].flag))
			return container_flags[i].flag;
	return NULL;
}

bool overrides_given(const struct args *args)
{
	return args_has(args, OPTION_FLAG) || find_flag(args);
}

static int refuse_key(const char *key, struct err *err)
{
	const char *names[OPTION_COUNT + 1] = {NULL};
	size_t n = 0;

	if (option_find(key) >= 0) {
		err_set(err, ERR_USAGE,
			"-o %s: it is not an option of one session", key);
		return err_hint(
		    err, "`afw config set %s VALUE` sets it for all", key);
	}
	for (int i = 0; i < OPTION_COUNT; i++)
		if (options[i].session)
			names[n++] = options[i].name;
	err_set(err, ERR_USAGE, "-o %.60s: there is no such option", key);
	if (option_removed(key))
		return err_hint(err, "it was removed: %s", option_removed(key));
	if (nearest_hint(err, key, names))
		return -1;
	return err_hint(err, "afw.ini(5) lists them");
}

/* Finds the option of a key. exists: the session exists already. */
static const struct option *find_option(const char *key, bool exists,
					struct err *err)
{
	int id = option_find(key);

	if (id < 0 || !options[id].session) {
		refuse_key(key, err);
		return NULL;
	}
	if (exists && options[id].at_creation) {
		err_set(err, ERR_USAGE,
			"-o %s: it is read when a session is made", key);
		return NULL;
	}
	return &options[id];
}

static int set_override(struct strv *overrides, const struct option *o,
			const char *value, struct err *err)
{
	CLEANUP(option_value_finish) struct option_value v = {0};

	if (option_parse(o, value, &v, err) < 0) {
		err->kind = ERR_USAGE;
		return -1;
	}
	env_set(overrides, o->name, value);
	return 0;
}

/* Reads the flag of one option; a list's values are added up. */
static int read_flag(const struct args *args, const char *flag,
		     const struct option *o, struct strv *overrides,
		     struct err *err)
{
	_buf_ struct buf all = {0};
	const char *value;
	size_t i = 0;

	while ((value = args_next(args, flag, &i))) {
		if (o->type != OPTION_LIST)
			buf_clear(&all);
		buf_addf(&all, "%s%s", all.len ? " " : "", value);
	}
	return all.data ? set_override(overrides, o, all.data, err) : 0;
}

int overrides_read(const struct args *args, bool exists, struct strv *overrides,
		   struct err *err)
{
	const char *text;
	size_t i = 0;

	while ((text = args_next(args, OPTION_FLAG, &i))) {
		size_t len = strcspn(text, "=");
		_free_ char *key = mem_strndup(text, len);
		const struct option *o;

		if (exists && !text[len]) {
			env_apply(overrides, key);
			continue;
		}
		o = find_option(key, exists, err);
		if (!o)
			return -1;
		if (!text[len])
			return err_set(err, ERR_USAGE,
				       "-o %s: =VALUE is "
				       "missing",
				       key);
		if (set_override(overrides, o, text + len + 1, err) < 0)
			return -1;
	}
	for (i = 0; i < FLAGS; i++)
		if (read_flag(args, container_flags[i].flag,
			      &options[container_flags[i].id], overrides,
			      err) < 0)
			return -1;
	return 0;
}

int overrides_check(const struct args *args, const char *sandbox,
		    struct err *err)
{
	const char *flag = find_flag(args);

	if (!flag || strcmp(sandbox, sandbox_podman.name) == 0)
		return 0;
	return err_set(err, ERR_USAGE,
		       "--%s is for sandbox podman; this "
		       "session has sandbox %s",
		       flag, sandbox);
}

int overrides_lay(struct config *c, const struct strv *overrides,
		  struct err *err)
{
	for (size_t i = 0; i < overrides->n; i++) {
		const char *text = overrides->v[i];
		size_t len = strcspn(text, "=");
		_free_ char *key = mem_strndup(text, len);
		int id = option_find(key);

		/* A session of an earlier version may have it. */
		if (option_removed(key))
			continue;
		if (id < 0)
			return refuse_key(key, err);
		if (config_set(c, (enum option_id)id, text + len + 1, err) < 0)
			return -1;
	}
	return 0;
}
