/*
 * adapters_test.c - what afw makes of recorded terminals, with the user's
 * own rules.
 *
 * The screen model and what judges activity are the supervisor's, which afw
 * does not link: it reads the configuration and becomes the program that has
 * them.
 */
#include "commands/adapters_test.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/settings.h"
#include "config/config.h"
#include "session/session.h"
#include "wire/program.h"

static int add(cJSON *all, const struct config *c, const char *name,
	       struct err *err)
{
	cJSON *rules;

	if (cJSON_HasObjectItem(all, name))
		return 0;
	rules = config_harness(c, name, err);
	if (!rules)
		return -1;
	cJSON_AddItemToObject(all, name, rules);
	return 0;
}

static int all_rules(const struct config *c, cJSON *all, struct err *err)
{
	struct strv names = {0};
	int rc = 0;

	for (size_t i = 0; rc == 0 && adapters[i]; i++)
		rc = add(all, c, adapters[i]->name, err);
	config_harness_names(c, &names);
	for (size_t i = 0; rc == 0 && i < names.n; i++)
		rc = add(all, c, names.v[i], err);
	/* The demo agent's are in share/, and it is no adapter. */
	if (rc == 0)
		rc = add(all, c, "demo", err);
	strv_finish(&names);
	return rc;
}

/* The rules become the standard input. */
static int put_rules(struct err *err)
{
	char *repository = session_repository_here();
	struct config *c = NULL;
	cJSON *all = cJSON_CreateObject();
	struct buf text = {0};
	int fd = -1, rc = -1;

	if (settings_load(&c, repository, err) < 0 ||
	    all_rules(c, all, err) < 0)
		goto out;
	json_print(all, &text);
	fd = memfd_create("rules", MFD_CLOEXEC);
	if (fd < 0 || file_write_all(fd, text.data, text.len) < 0 ||
	    lseek(fd, 0, SEEK_SET) < 0 || dup2(fd, STDIN_FILENO) < 0)
		err_errno(err, "adapters test: hand the rules over");
	else
		rc = 0;
out:
	if (fd >= 0)
		close(fd);
	buf_finish(&text);
	cJSON_Delete(all);
	config_destroy(c);
	free(repository);
	return rc;
}

int adapters_test(const struct args *args, struct err *err)
{
	struct strv argv = {0};
	char *program;

	if (args->n < 2)
		return err_set(err, ERR_USAGE,
			       "adapters test: which recordings?");
	program = program_find("afw-supervisor");
	strv_add(&argv, program);
	strv_add(&argv, "replay");
	strv_add(&argv, args_has(args, "json") ? "json" : "lines");
	strv_add(&argv, args_has(args, "by") ? args_value(args, "by") : "all");
	for (size_t i = 1; i < args->n; i++)
		strv_add(&argv, args->positional[i]);
	if (put_rules(err) == 0) {
		execv(program, argv.v);
		err_errno(err, "adapters test: run %s", program);
	}
	strv_finish(&argv);
	free(program);
	return -1;
}
