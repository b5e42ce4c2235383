/* gitfile.c - reads git's small files that name a directory or a branch. */
#include "base/gitfile.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/utf8.h"

char *gitfile_read(const char *dir, const char *name, const char *prefix)
{
	_free_ char *path = file_join(dir, name), *full = NULL;
	_buf_ struct buf text = {0};
	size_t skip = strlen(prefix);
	char *line;

	if (file_read(AT_FDCWD, path, PATH_MAX + 64, &text, NULL) < 0 ||
	    !text.data || strncmp(text.data, prefix, skip) != 0)
		return NULL;
	line = text.data + skip;
	line[strcspn(line, "\r\n")] = '\0';
	full = line[0] == '/' ? mem_strdup(line) : file_join(dir, line);
	return realpath(full, NULL);
}

char *gitfile_branch(const char *dir)
{
	static const char heads[] = "ref: refs/heads/";
	_free_ char *path = file_join(dir, "HEAD");
	_buf_ struct buf text = {0};

	if (file_read(AT_FDCWD, path, PATH_MAX, &text, NULL) < 0 ||
	    !text.data || !utf8_valid(text.data, text.len))
		return NULL;
	text.data[strcspn(text.data, "\r\n")] = '\0';
	return mem_strdup(strncmp(text.data, heads, strlen(heads)) == 0
			      ? text.data + strlen(heads)
			      : "");
}

char *gitfile_dir(const char *repository)
{
	_free_ char *git = file_join(repository, ".git");
	struct stat st;
	bool there = stat(git, &st) == 0;

	if (there && S_ISDIR(st.st_mode))
		return TAKE_PTR(git);
	return there ? gitfile_read(repository, ".git", "gitdir: ")
		     : mem_strdup(repository);
}

bool gitfile_leads_to(const char *dir, const char *git_dir)
{
	_free_ char *git = gitfile_dir(dir);
	struct stat a, b;

	return git && stat(git_dir, &a) == 0 && stat(git, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

char *gitfile_repository_name(const char *path)
{
	const char *end = path + strlen(path), *slash = strrchr(path, '/');

	if (strcmp(slash, "/.git") == 0 || strcmp(slash, "/.bare") == 0)
		end = slash;
	else if (end - slash > 5 && strcmp(end - 4, ".git") == 0)
		end -= 4;
	for (slash = end; slash > path && slash[-1] != '/';)
		slash--;
	return end > slash ? mem_strndup(slash, (size_t)(end - slash))
			   : mem_strdup("root");
}
