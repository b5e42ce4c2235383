/* merge_text.c - conflicts as afw-worktree tells them, as lines. */
#include "commands/merge_text.h"

#include "base/buf.h"
#include "base/json.h"
#include "commands/cli/output.h"

static void print_one(const cJSON *o, const char *indent)
{
	const cJSON *r;
	struct buf text = {0};

	cJSON_ArrayForEach (r, cJSON_GetObjectItemCaseSensitive(o, "lines")) {
		long long from = json_int(r, "from", 0);
		long long to = json_int(r, "to", 0);

		buf_adds(&text, text.len	       ? ", "
				: to > from || r->next ? ", lines "
						       : ", line ");
		if (to > from)
			buf_addf(&text, "%lld-%lld", from, to);
		else
			buf_addf(&text, "%lld", from);
	}
	output_line(stdout, "%s%s: %s%s", indent, json_str_or(o, "path", ""),
		    json_str_or(o, "what", ""), text.len ? text.data : "");
	buf_finish(&text);
}

void merge_text_conflicts(const cJSON *conflicts, const char *indent)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, conflicts)
		print_one(o, indent);
}
