/* sparse_index.c - opens an index that may be sparse. */
#include "worktrees/git/sparse_index.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <git2/sys/repository.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/git_program.h"

#define INDEX_MAX ((size_t)1 << 30)
#define HASH_LEN  20
#define EOIE_LEN  32 /* an extension that git may write after it */

bool sparse_index_is(const struct buf *text)
{
	static const char sdir[8] = "sdir"; /* and its length, 0 */
	const size_t after[] = {HASH_LEN, HASH_LEN + EOIE_LEN};
	bool is = false;

	for (size_t i = 0; !is && i < 2; i++)
		is = text->len > after[i] + sizeof sdir &&
		     memcmp(text->data + text->len - after[i] - sizeof sdir,
			    sdir, sizeof sdir) == 0;
	return is;
}

/* Keeps its time, by which git knows what it must check again. */
static int expand(const char *file, const struct stat *st, git_repository *git)
{
	_free_ char *dir = mem_strdup(git_repository_commondir(git));

	return git_program_expand_index(dir, file, NULL) < 0 ||
		       chmod(file, st->st_mode & 07777) < 0 ||
		       utimensat(AT_FDCWD, file,
				 (struct timespec[]){st->st_mtim, st->st_mtim},
				 0) < 0
		   ? -1
		   : 0;
}

/* Returns an expanded copy of file, to be freed, in a directory of its own;
 * NULL if that index is not sparse, or cannot be expanded. */
static char *make_copy(const char *file, git_repository *git)
{
	const char *tmp = getenv("TMPDIR");
	_free_ char *dir = mem_printf("%s/afw-index-XXXXXX",
				      tmp && *tmp == '/' ? tmp : "/tmp"),
		    *copy = NULL;
	_buf_ struct buf text = {0};
	struct stat st;

	if (stat(file, &st) < 0 ||
	    file_read(AT_FDCWD, file, INDEX_MAX, &text, NULL) < 0 ||
	    !sparse_index_is(&text) || !mkdtemp(dir))
		return NULL;
	copy = file_join(dir, "index");
	if (file_write(copy, text.data, text.len, NULL) == 0 &&
	    expand(copy, &st, git) == 0)
		return TAKE_PTR(copy);
	unlink(copy);
	rmdir(dir);
	return NULL;
}

/* Without its directory, nothing can be written there by mistake. */
static void remove_copy(char *copy)
{
	unlink(copy);
	*strrchr(copy, '/') = '\0';
	rmdir(copy);
}

int sparse_index_open(git_index **out, const char *file, git_repository *git)
{
	int rc = git_index_open(out, file);
	_free_ char *copy = rc < 0 ? make_copy(file, git) : NULL;

	if (!copy)
		return rc;
	rc = git_index_open(out, copy);
	remove_copy(copy);
	return rc;
}

int sparse_index_of(git_index **out, git_repository *git)
{
	_free_ char *file = file_join(git_repository_path(git), "index");
	int rc = git_repository_index(out, git);

	if (rc == 0 || (rc = sparse_index_open(out, file, git)) < 0)
		return rc;
	rc = git_repository_set_index(git, *out);
	return rc < 0
		   ? rc
		   : git_index_set_caps(*out, GIT_INDEX_CAPABILITY_FROM_OWNER);
}

int sparse_index_replace(git_index **out, const char *file, git_repository *git)
{
	int rc = git_index_open(out, file);
	_buf_ struct buf text = {0};
	struct stat st;

	if (rc == 0 || stat(file, &st) < 0 ||
	    file_read(AT_FDCWD, file, INDEX_MAX, &text, NULL) < 0 ||
	    !sparse_index_is(&text) || expand(file, &st, git) < 0)
		return rc;
	return git_index_open(out, file);
}
