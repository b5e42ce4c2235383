/*
 * filter_git.c - lets git convert a file that libgit2 cannot.
 *
 * It runs in an empty git directory that is made for each file. So only the
 * configuration of the user and the system applies, whatever the repository's
 * says, and the programs that it names do not run in a directory that an agent
 * can write to.
 */
#include "worktrees/git/filter_git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/gitenv.h"
#include "base/spawn.h"
#include "base/utf8.h"

#define MAX ((size_t)1 << 30)

static int write_text(const char *dir, const char *name, const struct buf *text,
		      struct err *err)
{
	_free_ char *path = file_join(dir, name);

	return file_replace(AT_FDCWD, path, text->len ? text->data : "",
			    text->len, false, err);
}

static int make_git_dir(const char *dir, const struct filter_git *f,
			const struct buf *in, struct err *err)
{
	static const char *const dirs[] = {"objects", "refs", "info"};
	_buf_ struct buf head = {0}, attributes = {0};

	for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
		_free_ char *path = file_join(dir, dirs[i]);

		if (mkdir(path, 0700) < 0)
			return err_errno(err, "make directory %s", path);
	}
	buf_adds(&head, "ref: refs/heads/none\n");
	/* The rest is libgit2's. "!" comes before what a .gitattributes of the
	 * directory it runs in could say. */
	buf_addf(&attributes, "* -text -ident %s%s %s%s\n",
		 f->encoding ? "working-tree-encoding=" : "!",
		 f->encoding ? f->encoding : "working-tree-encoding",
		 f->driver ? "filter=" : "!", f->driver ? f->driver : "filter");
	return write_text(dir, "HEAD", &head, err) < 0 ||
		       write_text(dir, "info/attributes", &attributes, err) <
			   0 ||
		       write_text(dir, "in", in, err) < 0
		   ? -1
		   : 0;
}

/* Runs git in the directory. */
static int run(const char *dir, const char *const args[4], int64_t timeout_ms,
	       struct buf *out, struct err *err)
{
	_strv_ struct strv argv = {0}, env = {0};
	_buf_ struct buf said = {0};
	struct spawn sp = {.dir = "/"};
	char line[256];
	int status = 0;

	strv_add(&argv, "git");
	strv_addf(&argv, "--git-dir=%s", dir);
	for (int i = 0; i < 4 && args[i]; i++)
		strv_add(&argv, args[i]);
	gitenv_copy(&env);
	sp.argv = argv.v;
	sp.envp = env.v;
	if (spawn_run(&sp, NULL, out, &said, MAX, timeout_ms, &status, err) < 0)
		return -1;
	if (status == 0 && out->len < MAX)
		return 0;
	utf8_last_line(line, sizeof line, said.data, said.len);
	return err_set(err, ERR_FAILED, "%s",
		       status == 0 ? "it is larger than 1 GiB"
		       : strncmp(line, "fatal: ", 7) == 0 ? line + 7
							  : line);
}

static int convert(const char *dir, const struct filter_git *f, struct buf *out,
		   struct err *err)
{
	_free_ char *path = mem_printf("--path=%s", f->path),
		    *in = file_join(dir, "in");
	_buf_ struct buf id = {0};
	const char *const store[4] = {"hash-object", "-w",
				      f->to_store ? path : "--no-filters", in};

	buf_adds(&id, "");
	if (run(dir, store, f->timeout_ms, &id, err) < 0)
		return -1;
	id.data[strcspn(id.data, "\n")] = '\0';
	return f->to_store
		   ? run(dir, (const char *[4]){"cat-file", "blob", id.data},
			 f->timeout_ms, out, err)
		   : run(dir,
			 (const char *[4]){"cat-file", "--filters", path,
					   id.data},
			 f->timeout_ms, out, err);
}

int filter_git_run(const struct filter_git *f, const struct buf *in,
		   struct buf *out, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	_free_ char *dir =
	    mem_printf("%s/afw-filter.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	int rc;

	if (!mkdtemp(dir))
		return err_errno(err, "make directory %s", dir);
	rc = make_git_dir(dir, f, in, err) < 0 ? -1 : convert(dir, f, out, err);
	delete_tree(AT_FDCWD, dir, NULL);
	return rc;
}
