/*
 * briefing.c - system prompt and instructions of a session.
 *
 * The files are read once, here: a later change to them does not change the
 * session, and text that an agent writes cannot become part of its next start.
 */
#include "commands/launch/briefing.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/screen/rules.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/utf8.h"
#include "commands/cli/input.h"
#include "commands/command.h"
#include "commands/launch/mcp_servers.h"

/* Returns the path from the option, or from the configuration; NULL: neither.
 * The caller frees it. */
static char *file_of(const struct args *args, const char *option,
		     const struct rules *r, const char *key)
{
	const char *path = args_value(args, option), *home = getenv("HOME");

	if (path)
		return mem_strdup(path);
	path = rules_get(r, key);
	if (path && strncmp(path, "~/", 2) == 0)
		return file_join(home ? home : "/", path + 2);
	return mem_strdup(path);
}

int briefing_check(const char *what, const char *text, size_t len,
		   struct err *err)
{
	if (len > BRIEFING_TEXT_MAX)
		return err_set(err, ERR_USAGE, "%s: longer than %zu KiB", what,
			       BRIEFING_TEXT_MAX / 1024);
	if (!utf8_valid(text, len))
		return err_set(err, ERR_USAGE, "%s: it is not UTF-8", what);
	for (size_t i = 0; i < len; i++)
		if (((unsigned char)text[i] < ' ' &&
		     !strchr("\n\t\r", text[i])) ||
		    text[i] == '\0' || text[i] == 127)
			return err_set(err, ERR_USAGE,
				       "%s: it holds control characters", what);
	return 0;
}

/* Stores a text in *member: the given one, or that of a file. */
static int store_text(const char *what, const struct buf *given,
		      const char *path, char **member, struct err *err)
{
	struct buf text = {0};
	int rc = 0;

	if (given)
		buf_add(&text, given->data, given->len);
	else if (path)
		rc = input_file(what, path, BRIEFING_TEXT_MAX, &text, err);
	if (rc == 0 && text.len)
		rc = briefing_check(what, text.data, text.len, err);
	if (rc == 0 && text.len)
		*member = buf_steal(&text);
	buf_finish(&text);
	return rc;
}

/* Stores the prompt from the command line, else from the template, else from
 * the configuration. */
static int store_prompt(const struct args *args, const struct rules *r,
			const struct buf *prompt, char **member,
			struct err *err)
{
	const char *given = args_value(args, "system-prompt");
	bool file = args_has(args, "system-prompt-file");
	struct buf text = {0};
	char *path;
	int rc;

	if (given && file)
		return err_set(err, ERR_USAGE,
			       "a system prompt is given twice: as text and "
			       "as a file");
	if (given)
		buf_adds(&text, given);
	path = file_of(args, "system-prompt-file", r, "system_prompt_file");
	rc = store_text("system prompt",
			given		  ? &text
			: prompt && !file ? prompt
					  : NULL,
			path, member, err);
	buf_finish(&text);
	free(path);
	return rc;
}

int briefing_read(const struct args *args, const struct config *config,
		  struct spec *s, const struct buf *prompt, struct strv *env,
		  struct err *err)
{
	struct rules *r = rules_create(s->harness_config, err);
	char *instructions, *mcp;
	int rc = -1;

	if (!r)
		return -1;
	instructions = file_of(args, "instructions", r, "instructions_file");
	mcp = file_of(args, "mcp", r, "mcp_file");
	if (store_prompt(args, r, prompt, &s->system_prompt, err) == 0 &&
	    store_text("instructions", NULL, instructions, &s->instructions,
		       err) == 0 &&
	    mcp_servers_choose(config, mcp, s, env, err) == 0)
		rc = 0;
	rules_destroy(r);
	free(instructions);
	free(mcp);
	return rc;
}

int briefing_change(const struct args *args, const struct config *config,
		    struct spec *s, struct strv *env, struct err *err)
{
	const char *path = args_value(args, "instructions");
	_free_ char *text = NULL;
	cJSON *was = s->mcp;

	if (path && store_text("instructions", NULL, path, &text, err) < 0)
		return -1;
	if (args_has(args, "mcp")) {
		s->mcp = NULL;
		if (mcp_servers_choose(config, args_value(args, "mcp"), s, env,
				       err) < 0) {
			s->mcp = was;
			return -1;
		}
		cJSON_Delete(was);
	}
	if (path)
		mem_set(&s->instructions, text);
	return 0;
}
