/* tried.c - the record of a try. */
#include "wire/tried.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/gitfile.h"
#include "base/json.h"

#define FILE_MAX ((size_t)16 * 1024)

int tried_load(struct tried *t, const char *git_dir, struct err *err)
{
	_free_ char *file = file_join(git_dir, TRIED_FILE);
	_json_ cJSON *o = json_load(AT_FDCWD, file, FILE_MAX, err);

	*t = (struct tried){0};
	if (!o && (errno == ENOENT || errno == ENOTDIR)) {
		err_clear(err);
		return 0;
	}
	if (!o)
		return errno == EINVAL ? err_hint(err, TRIED_DAMAGED) : -1;
	t->session = mem_strdup(json_str(o, "session"));
	t->name = mem_strdup(json_str(o, "name"));
	t->commit = mem_strdup(json_str(o, "commit"));
	t->head = mem_strdup(json_str(o, "head"));
	t->from = mem_strdup(json_str(o, "from"));
	t->before = json_int(o, "before", 0);
	if (t->session && t->name && t->commit && t->from && t->before)
		return 0;
	err_set(err, ERR_FAILED, "read %s: a member is missing", file);
	return err_hint(err, TRIED_DAMAGED);
}

int tried_load_of(struct tried *t, const char *repository, struct err *err)
{
	_free_ char *git = gitfile_dir(repository);

	*t = (struct tried){0};
	return git ? tried_load(t, git, err) : 0;
}

int tried_save(const struct tried *t, const char *git_dir, struct err *err)
{
	_free_ char *file = file_join(git_dir, TRIED_FILE),
		    *new = file_join(git_dir, TRIED_FILE ".new");
	_json_ cJSON *o = cJSON_CreateObject();
	_buf_ struct buf text = {0};

	json_set_str(o, "session", t->session);
	json_set_str(o, "name", t->name);
	json_set_str(o, "commit", t->commit);
	json_set_str(o, "head", t->head);
	json_set_str(o, "from", t->from);
	json_set_int(o, "before", t->before);
	json_print(o, &text);
	if (file_write(new, text.data, text.len, err) < 0)
		return -1;
	return rename(new, file) < 0 ? err_errno(err, "write %s", file) : 0;
}

void tried_drop(const char *git_dir)
{
	_free_ char *file = file_join(git_dir, TRIED_FILE),
		    *new = file_join(git_dir, TRIED_FILE ".new");

	unlink(new);
	unlink(file);
}

void tried_finish(struct tried *t)
{
	free(t->session);
	free(t->name);
	free(t->commit);
	free(t->head);
	free(t->from);
	*t = (struct tried){0};
}
