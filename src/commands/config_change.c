/* config_change.c - afw config set, unset and edit: a file of the
 * configuration is changed, and checked before that. */
#include "commands/config_change.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "commands/cli/editor.h"
#include "commands/cli/output.h"
#include "commands/launch/settings.h"
#include "config/ini.h"
#include "config/ini_edit.h"

/* What is changed, and for which repository (NULL: the user's). */
struct change {
	struct config_edit edit;
	char *repository;
	bool was_trusted;
};

static void finish(struct change *c)
{
	config_edit_finish(&c->edit);
	free(c->repository);
}

static int begin(struct change *c, const struct args *args, struct err *err)
{
	struct config *now = NULL;

	*c = (struct change){0};
	if (args_has(args, "repo")) {
		c->repository = session_checkout_here();
		if (!c->repository)
			return err_set(err, ERR_FAILED,
				       "config --repo: this is not in a git "
				       "repository");
		/* Where it is broken, it is not in force. */
		c->was_trusted =
		    settings_load(&now, c->repository, NULL) == 0 &&
		    config_repository_trusted(now) && !config_untrusted(now);
		config_destroy(now);
	}
	return config_edit_begin(&c->edit, c->repository, err);
}

/* What the user has just changed is as untrusted as what others have. */
static void say_trust(const struct change *c)
{
	struct err note = {0};

	if (!c->repository)
		return;
	err_set(&note, ERR_NONE,
		c->was_trusted
		    ? "%s: it was trusted as it was, and is not in force now"
		    : "%s: it is not in force before it is trusted",
		c->edit.path);
	err_hint(&note, "`afw trust` shows and trusts it");
	output_warning(&note);
}

/* -- set, unset ------------------------------------------------------------ */

/* Before the file is looked at: a value's mistake has no line there. */
static int check_value(const struct change *c, const struct config_name *name,
		       const char *value, struct err *err)
{
	struct option_value v = {0};
	int rc = 0;

	if (c->repository && !name->option->repository)
		return err_set(err, ERR_FAILED,
			       "'%s' is for the user to choose: not in a "
			       "repository's file",
			       name->option->name);
	if (value)
		rc = option_parse(name->option, value, &v, err);
	option_value_finish(&v);
	return rc;
}

/* Where another file has the last word. */
static void say_overruled(const struct change *c, const char *name)
{
	struct config_setting s = {0};
	struct config *now = NULL;

	if (c->repository || settings_load_here(&now, NULL) < 0)
		return;
	if (config_get(now, name, &s, NULL) == 0 &&
	    strncmp(s.origin, c->edit.path, strlen(c->edit.path)) != 0)
		output_warn("%s: what %s says counts more here", name,
			    s.origin);
	config_setting_finish(&s);
	config_destroy(now);
}

static int change(const struct args *args, const char *value, struct err *err)
{
	const char *text;
	struct config_name name = {0};
	struct change c = {0};
	struct buf out = {0};
	int rc = config_name_parse(args->positional[0], &name, err);

	if (rc == 0)
		rc = begin(&c, args, err);
	if (rc == 0)
		rc = check_value(&c, &name, value, err);
	if (rc == 0) {
		struct ini_change what = {
		    .section = name.section,
		    .key = name.key,
		    .value = value,
		    .adds_up = name.option->type == OPTION_LIST,
		};

		text = c.edit.text.data ? c.edit.text.data : "";
		rc = ini_edit(c.edit.path, text, c.edit.text.len, &what, &out,
			      err);
	}
	if (rc == 0)
		rc = settings_commit(&c.edit, NULL, &out, err);
	if (rc == 0) {
		say_trust(&c);
		if (value)
			say_overruled(&c, args->positional[0]);
	} else {
		err_prefix(err, "config %s", args->verb->name);
	}
	config_name_finish(&name);
	buf_finish(&out);
	finish(&c);
	return rc;
}

int config_change_set(const struct args *args, struct err *err)
{
	return change(args, args->positional[1], err);
}

int config_change_unset(const struct args *args, struct err *err)
{
	return change(args, NULL, err);
}

/* -- edit ------------------------------------------------------------------ */

/* Nothing of what was written is lost: where it cannot be taken over, the
 * copy stays. */
static int edit_copy(const struct change *c, const char *copy,
		     const struct buf *start, struct err *err)
{
	const char *const files[] = {copy, NULL};
	struct buf text = {0};
	bool found = false, same;
	int rc = editor_run(files, false, err);

	if (ini_load(copy, INI_ANY, &text, &found, rc == 0 ? err : NULL) < 0)
		rc = -1;
	else if (rc == 0 && !found)
		rc = err_set(err, ERR_FAILED, "the editor left no file %s",
			     copy);
	same =
	    !found ||
	    (text.len == start->len &&
	     (text.len == 0 || memcmp(text.data, start->data, text.len) == 0));
	if (rc == 0 && !same)
		rc = settings_commit(&c->edit, copy, &text, err);
	if (rc < 0 && !same)
		err_hint(err, "%s is as it was; your text is kept in %s",
			 c->edit.path, copy);
	else
		unlink(copy);
	if (rc == 0 && same)
		output_line(stderr, "afw: %s: nothing was changed",
			    c->edit.path);
	else if (rc == 0)
		say_trust(c);
	buf_finish(&text);
	return rc;
}

int config_change_edit(const struct args *args, struct err *err)
{
	struct buf start = {0};
	struct change c;
	char *copy = NULL;
	int rc = begin(&c, args, err);

	/* A new one begins with what there is to say. */
	if (rc == 0 && c.edit.found)
		buf_add(&start, c.edit.text.data, c.edit.text.len);
	else if (rc == 0)
		rc = settings_read_example(&start, err);
	if (rc == 0) {
		copy = file_temporary(start.data, start.len, ".ini", err);
		rc = copy ? edit_copy(&c, copy, &start, err) : -1;
	}
	if (rc < 0)
		err_prefix(err, "config edit");
	free(copy);
	buf_finish(&start);
	finish(&c);
	return rc;
}
