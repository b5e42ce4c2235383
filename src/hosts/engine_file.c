/* engine_file.c - reads the file of an engine. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/words.h"
#include "config/config.h"
#include "config/ini.h"
#include "config/section.h"
#include "hosts/engine.h"
#include "wire/program.h"

const char *const engine_keys[] = {
    [ENGINE_UP] = "up",
    [ENGINE_PROXY] = "proxy",
    [ENGINE_DOWN] = "down",
    [ENGINE_STATE] = "state",
};

static int on_entry(void *ctx, const struct ini_entry *entry, struct err *err)
{
	struct engine *e = ctx;

	if (entry->section[0])
		return err_set(err, ERR_FAILED, "no section is allowed here");
	if (strcmp(entry->key, "user") == 0) {
		mem_set(&e->user, entry->value);
		return 0;
	}
	for (int i = 0; i < ENGINE_COMMANDS; i++)
		if (strcmp(entry->key, engine_keys[i]) == 0) {
			strv_finish(&e->commands[i]);
			return words_split(entry->value, &e->commands[i], err);
		}
	return err_set(err, ERR_FAILED,
		       "unknown key '%s': there are up, proxy, down, state "
		       "and user",
		       entry->key);
}

/* Sets *found; an engine of the user replaces ours. */
static int load_file(struct engine *e, const char *path, bool *found,
		     struct err *err)
{
	_buf_ struct buf text = {0};

	if (ini_load(path, INI_OURS, &text, found, err) < 0)
		return -1;
	return *found
		   ? ini_parse_text(path, text.data, text.len, on_entry, e, err)
		   : 0;
}

int engine_read(struct engine *e, struct err *err)
{
	_free_ char *name = mem_printf("hosts/%s.ini", e->kind);
	_free_ char *ours = program_share(name), *file = config_user_file();
	const char *end = file ? strrchr(file, '/') : NULL;
	_free_ char *own =
	    end ? mem_printf("%.*s/%s", (int)(end - file), file, name) : NULL;
	bool found = false;

	if (section_check_name(e->kind))
		return err_set(err, ERR_FAILED, "the engine '%s': %s", e->kind,
			       section_check_name(e->kind));
	if (own && load_file(e, own, &found, err) < 0)
		return -1;
	if (!found && load_file(e, ours, &found, err) < 0)
		return -1;
	if (!found)
		return err_set(err, ERR_FAILED,
			       "there is no engine '%s': neither %s nor %s",
			       e->kind, own ? own : name, ours);
	for (int i = 0; i < ENGINE_COMMANDS; i++)
		if (!e->commands[i].n)
			return err_set(err, ERR_FAILED,
				       "the engine '%s' has no '%s'", e->kind,
				       engine_keys[i]);
	return 0;
}
