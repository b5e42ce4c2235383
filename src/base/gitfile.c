/* gitfile.c - git's small files that name a directory. */
#include "base/gitfile.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"

char *gitfile_read(const char *dir, const char *name, const char *prefix)
{
	char *path = file_join(dir, name), *line = NULL, *full, *real = NULL;
	struct buf text = {0};
	size_t skip = strlen(prefix);

	if (file_read(AT_FDCWD, path, PATH_MAX + 64, &text, NULL) == 0 &&
	    text.data && strncmp(text.data, prefix, skip) == 0)
		line = mem_strndup(text.data + skip,
				   strcspn(text.data + skip, "\r\n"));
	if (line) {
		full = line[0] == '/' ? mem_strdup(line) : file_join(dir, line);
		real = realpath(full, NULL);
		free(full);
	}
	free(line);
	free(path);
	buf_finish(&text);
	return real;
}

char *gitfile_dir(const char *repository)
{
	char *git = file_join(repository, ".git");
	struct stat st;
	bool there = stat(git, &st) == 0;

	if (there && S_ISDIR(st.st_mode))
		return git;
	free(git);
	return there ? gitfile_read(repository, ".git", "gitdir: ")
		     : mem_strdup(repository);
}

bool gitfile_leads_to(const char *dir, const char *git_dir)
{
	char *git = gitfile_dir(dir);
	struct stat a, b;
	bool leads;

	leads = git && stat(git_dir, &a) == 0 && stat(git, &b) == 0 &&
		a.st_dev == b.st_dev && a.st_ino == b.st_ino;
	free(git);
	return leads;
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
