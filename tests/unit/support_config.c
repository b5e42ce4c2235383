/* support_config.c - configuration files in a directory of the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "config/trust_store.h"
#include "support_config.h"
#include "support_scratch.h"

struct config_where conf_where;
struct err conf_err;

static bool harness_key(size_t i, struct section_harness_key *out)
{
	static const struct section_harness_key keys[] = {
	    {"command", false, true},
	    {"like", false, false},
	    {"waiting", true, false},
	    {"busy", true, false},
	};

	if (i >= sizeof keys / sizeof keys[0])
		return false;
	*out = keys[i];
	return true;
}

static int harness_check(const char *key, const char *value, struct err *e)
{
	if (strchr(value, '('))
		return err_set(e, ERR_FAILED, "%s: '%s': bad", key, value);
	return 0;
}

static const struct section_harness_keys harness_keys = {
    .at = harness_key,
    .check = harness_check,
};

const char *conf_at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", scratch, name);
	return path;
}

void conf_put_bytes(const char *name, const void *data, size_t len)
{
	char *path = mem_strdup(conf_at(name));
	int fd;

	for (char *s = path + strlen(scratch) + 1; (s = strchr(s, '/')); s++) {
		*s = '\0';
		mkdir(path, 0700);
		*s = '/';
	}
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, data, len), 0);
	close(fd);
	free(path);
}

void conf_put(const char *name, const char *text)
{
	conf_put_bytes(name, text, strlen(text));
}

int conf_setup(void **state)
{
	static char data[256], repo[256], share[256];

	assert_int_equal(scratch_make(state), 0);
	snprintf(data, sizeof data, "%s/data", scratch);
	snprintf(repo, sizeof repo, "%s/repo", scratch);
	snprintf(share, sizeof share, "%s/share", scratch);
	setenv("XDG_CONFIG_HOME", conf_at("config"), 1);
	conf_where = (struct config_where){
	    .data_dir = data,
	    .repository = repo,
	    .share_dir = share,
	    .harness_keys = &harness_keys,
	};
	memset(&conf_err, 0, sizeof conf_err);
	return 0;
}

int conf_teardown(void **state)
{
	return scratch_remove(state);
}

struct config *conf_load(void)
{
	struct config *c;

	if (config_load(&c, &conf_where, &conf_err) < 0)
		fail_msg("%s", conf_err.what);
	return c;
}

void conf_trust(const char *text)
{
	struct filetree files;

	conf_put(CONF_REPO, text);
	assert_int_equal(trust_read(conf_where.repository, &files, &conf_err),
			 0);
	assert_int_equal(trust_grant(conf_where.data_dir, conf_where.repository,
				     &files, &conf_err),
			 0);
	filetree_finish(&files);
}
