/* merge_ff.c - reads git's configuration of merges, all at once. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/git_program.h"
#include "worktrees/git/identity.h"
#include "worktrees/git/sign.h"
#include "worktrees/merge/merge.h"

static void set_ff(struct merge *m, const char *value)
{
	int on = 1;

	if (strcmp(value, "only") == 0)
		m->ff = MERGE_FF_ONLY;
	else if (!*value || git_config_parse_bool(&on, value) == 0)
		m->ff = on ? MERGE_FF : MERGE_FF_NO;
}

/* Reads options of git-merge(1). Options for what afw does anyway are
 * accepted. */
static void use_options(struct merge *m, const char *text)
{
	static const char *const done[] = {"--commit", "--no-squash",
					   "--no-edit", "--no-log", "-q"};
	_strv_ struct strv not_used = {0};
	size_t len;

	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		_free_ char *word =
		    mem_strndup(text, len = strcspn(text, " \t"));
		bool is_done = false;

		for (size_t i = 0; i < sizeof done / sizeof done[0]; i++)
			is_done |= strcmp(word, done[i]) == 0;
		if (strcmp(word, "--ff") == 0)
			m->ff = MERGE_FF;
		else if (strcmp(word, "--no-ff") == 0)
			m->ff = MERGE_FF_NO;
		else if (strcmp(word, "--ff-only") == 0)
			m->ff = MERGE_FF_ONLY;
		else if (!is_done)
			strv_add(&not_used, word);
		text += len;
	}
	if (not_used.n)
		json_set_strv(m->answer, "options_not_used", &not_used);
}

int merge_config_load(struct merge *m, struct err *err)
{
	static const char *const args[] = {
	    "config",
	    "--null",
	    "--show-scope",
	    "--get-regexp",
	    "^(merge\\.ff|branch\\..*\\.mergeoptions|" IDENTITY_APART
	    "|" SIGN_KEYS ")$",
	    NULL};
	_free_ char *key = mem_printf("branch.%s.mergeoptions", m->into);
	const char *options = "", *value, *at, *entry;
	struct buf *text = &m->config;

	buf_adds(text, "");
	if (git_program_read(git_repository_path(m->repo.main), args, text,
			     err) < 0)
		return -1;
	/* The scope; and KEY, a newline and the value, or KEY alone: true. */
	for (at = text->data; at < text->data + text->len;
	     at = entry + strlen(entry) + 1) {
		size_t len;

		entry = at + strlen(at) + 1;
		len = strcspn(entry, "\n");
		value = entry[len] ? entry + len + 1 : "";
		if (strncmp(entry, "merge.ff", len) == 0)
			set_ff(m, value);
		else if (strlen(key) == len && strncmp(entry, key, len) == 0)
			options = value;
		else if (strncmp(entry, "author.", 7) == 0 ||
			 strncmp(entry, "committer.", 10) == 0)
			m->two_identities = true;
	}
	use_options(m, options);
	return 0;
}
