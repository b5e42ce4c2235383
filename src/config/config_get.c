/* config_get.c - what is in force, and who said so. */
#include <stdlib.h>

#include "base/spawn.h"
#include "base/words.h"
#include "config/config_load.h"

const char *config_str(const struct config *c, enum option_id id)
{
	return c->values[id].string;
}

bool config_bool(const struct config *c, enum option_id id)
{
	return c->values[id].number != 0;
}

int64_t config_int(const struct config *c, enum option_id id)
{
	return c->values[id].number;
}

const struct strv *config_list(const struct config *c, enum option_id id)
{
	return &c->values[id].list;
}

int config_editor(const struct strv *option, struct strv *argv, struct err *err)
{
	static const char *const names[] = {"VISUAL", "EDITOR"};
	char *debian;
	const char *editor;

	if (option && option->n) {
		strv_copy(argv, option);
		return 0;
	}
	debian = spawn_find("editor");
	editor = debian ? "editor" : "vi";
	free(debian);
	for (size_t i = 2; i-- > 0;) {
		const char *said = getenv(names[i]);

		if (said && *said)
			editor = said;
	}
	if (words_split(editor, argv, err) < 0)
		return -1;
	return argv->n ? 0
		       : err_set(err, ERR_USAGE, "the editor's name is empty");
}

char *config_text(const struct config *c, enum option_id id)
{
	return option_format(&options[id], &c->values[id]);
}

const char *config_origin(const struct config *c, enum option_id id)
{
	return c->origins[id] ? c->origins[id] : "default";
}

int config_set(struct config *c, enum option_id id, const char *text,
	       struct err *err)
{
	struct option_value v = {0};

	if (option_parse(&options[id], text, &v, err) < 0) {
		if (err)
			err->kind = ERR_USAGE;
		return -1;
	}
	option_value_finish(&c->values[id]);
	c->values[id] = v;
	free(c->origins[id]);
	c->origins[id] = mem_strdup("command line");
	return 0;
}

const char *config_untrusted(const struct config *c)
{
	return c->untrusted;
}

bool config_repository_trusted(const struct config *c)
{
	return c->trusted;
}
