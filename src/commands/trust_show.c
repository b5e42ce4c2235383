/* trust_show.c - shows what is about to be trusted, before the question. */
#include "commands/trust_show.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "commands/cli/output.h"
#include "config/ini.h"
#include "config/template.h"

/* Prints each line made safe; prints consecutive empty lines as one. */
static void print_text(const char *text)
{
	bool was_empty = false, empty;

	for (const char *s = text; *s;) {
		int len = (int)strcspn(s, "\n");

		empty = (int)strspn(s, " \t\r") >= len;
		if (!empty)
			output_line(stderr, "    %.*s", len, s);
		else if (!was_empty)
			fputc('\n', stderr);
		was_empty = empty;
		s += len + (s[len] == '\n');
	}
}

struct commands {
	struct buf lines;
	const char *file; /* "" for afw.ini */
};

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len >= n && strcmp(name + len - n, end) == 0;
}

/* Adds an option that runs a command or sends data away, as one line of text,
 * with its blanks collapsed. */
static int add_command(void *ctx, const struct ini_entry *e, struct err *err)
{
	static const char *const keys[] = {
	    "setup",  "setup_spare", "before_start", "before_rm", "check",
	    "resume", "mcp_file",    "url",	     "headers",	  "host",
	    NULL};
	struct commands *c = ctx;
	struct buf *out = &c->lines;
	bool runs = ends_with(e->key, "command");

	for (size_t i = 0; keys[i]; i++)
		runs |= strcmp(e->key, keys[i]) == 0;
	if (!runs || !e->value[0])
		return 0;
	if (c->file[0])
		buf_addf(out, "%s: ", c->file);
	if (e->section[0])
		buf_addf(out, "[%s] ", e->section);
	buf_addf(out, "%s =", e->key);
	for (const char *s = e->value; *s;) {
		size_t len = strcspn(s, " \t\n");

		buf_addc(out, ' ');
		buf_add(out, s, len);
		s += len;
		s += strspn(s, " \t\n");
	}
	buf_addc(out, '\n');
	return 0;
}

static bool is_ini(const struct filetree_file *f)
{
	return strcmp(f->name, "afw.ini") == 0 ||
	       ends_with(f->name, "/" TEMPLATE_INI);
}

/* Prints them last, so that nothing scrolls them off the screen. */
static void print_commands(const struct filetree *files)
{
	struct commands c = {0};

	for (size_t i = 0; i < files->n; i++) {
		const struct filetree_file *f = &files->v[i];

		c.file = strchr(f->name, '/') ? f->name : "";
		if (is_ini(f))
			ini_parse_text("", f->text.data, f->text.len,
				       add_command, &c, NULL);
	}
	if (c.lines.len) {
		fputs("These lines set commands that run as you, on the files "
		      "of any branch that a session starts\nfrom, whoever "
		      "wrote them, and addresses that your data is sent "
		      "to:\n",
		      stderr);
		print_text(c.lines.data);
	}
	buf_finish(&c.lines);
}

void trust_show(const char *repository, const struct filetree *files,
		const struct trust *before)
{
	output_line(stderr, "%s/.af:", repository);
	for (size_t i = 0; i < files->n; i++) {
		const struct filetree_file *f = &files->v[i];
		char hash[SHA256_HEX_SIZE];

		sha256_hex(f->text.data, f->text.len, hash);
		output_line(
		    stderr, "%s  %s%s", hash, f->name,
		    before->files && !trust_has(before, f) ? " (changed)" : "");
	}
	for (size_t i = 0; i < files->n; i++) {
		const struct filetree_file *f = &files->v[i];

		if (!is_ini(f) && !ends_with(f->name, "/" TEMPLATE_PROMPT))
			continue;
		output_line(stderr, "%s/.af/%s:", repository, f->name);
		print_text(f->text.data);
	}
	print_commands(files);
}
