/* config_example.c - the tables of options and sections as a file, all its
 * lines being comments. */
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "config/section.h"

#define COLUMNS 76
#define KEYS                                                                   \
	"Keys of the dashboard, as C-x, M-x, F2, PageUp; several have blanks " \
	"between them, an empty value disables it. `afw config -v` shows "     \
	"what each does. Not in a repository's .af/afw.ini."

/* text as comment lines. */
static void comment(struct buf *out, const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column > 0 && column + 1 + len > COLUMNS) {
			buf_addc(out, '\n');
			column = 0;
		}
		buf_adds(out, column ? " " : "# ");
		column += (column ? 1 : 2) + len;
		buf_add(out, text, len);
		text += len;
		text += *text == ' ';
	}
	buf_addc(out, '\n');
}

/* Options of [keys], whose names say enough. */
static bool is_key(const struct option *o)
{
	return strncmp(o->name, "keys.", 5) == 0;
}

static void explain(struct buf *out, const struct option *o)
{
	comment(out, o->help);
	if (o->choices) {
		buf_adds(out, "# One of:");
		for (const char *const *c = o->choices; *c; c++)
			buf_addf(out, "%s %s", c == o->choices ? "" : ",", *c);
		buf_adds(out, ".\n");
	}
	if (!o->repository)
		comment(out, "Not in a repository's .af/afw.ini.");
}

static void option(struct buf *out, const struct option *o)
{
	const char *dot = strchr(o->name, '.');
	const char *value = o->value ? o->value : o->choices[0];

	if (!is_key(o))
		explain(out, o);
	buf_addf(out, "#%s =%s%s\n", dot ? dot + 1 : o->name,
		 value[0] ? " " : "", value);
}

static void named_section(struct buf *out, const struct section_kind *kind)
{
	buf_addc(out, '\n');
	comment(out, kind->help);
	buf_addf(out, "#[%s.NAME]\n", kind->name);
	for (const struct option *key = kind->keys; key && key->name; key++)
		option(out, key);
}

void config_example(struct buf *out)
{
	char section[32] = "";

	buf_adds(out,
		 "# afw.ini - the default values of all options. Copy it to\n"
		 "# ~/.config/afw/afw.ini and remove the # where you want "
		 "another value.\n"
		 "# A repository may have its own file, .af/afw.ini, which is "
		 "used after\n"
		 "# `afw trust`. See afw.ini(5); `afw config` shows the values "
		 "in force.\n"
		 "#\n"
		 "# A comment has a line of its own. A value continues in the "
		 "next line if\n"
		 "# that is indented. copy and link collect the values of "
		 "several lines and\n"
		 "# files; an empty value empties them. Durations: 500ms, 30s, "
		 "10m, 2h. Sizes:\n"
		 "# 512K, 8M, 1G.\n");
	for (int i = 0; i < OPTION_COUNT; i++) {
		const char *dot = strchr(options[i].name, '.');
		size_t len = dot ? (size_t)(dot - options[i].name) : 0;

		if (dot && (strlen(section) != len ||
			    strncmp(section, options[i].name, len) != 0)) {
			snprintf(section, sizeof section, "%.*s", (int)len,
				 options[i].name);
			buf_addf(out, "\n[%s]\n", section);
			if (is_key(&options[i]))
				comment(out, KEYS);
		}
		buf_adds(out, is_key(&options[i]) ? "" : "\n");
		option(out, &options[i]);
	}
	buf_adds(out,
		 "\n# An agent of your own, and settings of those that afw "
		 "knows:\n"
		 "# afw-adapters(5) has all keys.\n"
		 "#[harness.aider]\n"
		 "#command = aider --no-auto-commits\n");
	for (const struct section_kind *k = section_kinds; k->name; k++)
		named_section(out, k);
}
