/* usage_files.c - finds the files of a conversation: by its id, or, for a
 * section whose ids are unknown, the newest of the session's directory. */
#include "adapters/usage_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/screen/rules.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/words.h"

bool section_record(const struct rules *r, struct record_kind *kind,
		    size_t *dir_len)
{
	const char *file = rules_get(r, "conversation_file");
	size_t len;

	if (!file)
		return false;
	len = strcspn(file, "*");
	while (file[len] != '/')
		len--;
	*dir_len = len;
	*kind = (struct record_kind){
	    .pattern = file + len + 1,
	    .cwd = rules_get(r, "conversation_cwd"),
	    .id = rules_get(r, "conversation_id"),
	};
	return true;
}

/* Closes fd, which may be negative. */
static void take_file(int fd, record_file *each, void *ctx)
{
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0)
		each(ctx, fd, &st);
	if (fd >= 0)
		close(fd);
}

static void each_more(const struct rules *r, const struct usage_place *place,
		      record_file *each, void *ctx)
{
	const char *patterns = rules_get(r, "usage_files");
	_strv_ struct strv words = {0};

	if (patterns && words_split(patterns, &words, NULL) == 0)
		for (size_t i = 0; i < words.n; i++)
			record_each(words.v[i], place->dir, place->conversation,
				    each, ctx);
}

void usage_each_file(const struct adapter *a, const struct rules *r,
		     const struct usage_place *place, record_file *each,
		     void *ctx)
{
	struct record_kind kind;
	size_t dir_len;
	int fd = -1;

	if (!place->dir)
		return;
	if (a->record) {
		if (!place->conversation || !record_id_ok(place->conversation))
			return;
		take_file(
		    record_open(a->record, place->dir, place->conversation),
		    each, ctx);
		each_more(r, place, each, ctx);
	} else if (section_record(r, &kind, &dir_len)) {
		free(record_newest(&kind, place->dir, place->cwd, place->since,
				   &fd));
		take_file(fd, each, ctx);
	}
}
