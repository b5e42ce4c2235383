/* program.c - where afw's own programs and files are. */
#include "wire/program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#ifndef AFW_BINDIR
#define AFW_BINDIR "/usr/local/bin"
#endif
#ifndef AFW_LIBEXECDIR
#define AFW_LIBEXECDIR "/usr/local/libexec/afw"
#endif
#ifndef AFW_DATADIR
#define AFW_DATADIR "/usr/local/share/afw"
#endif

/* The first of "dir/candidate" that exists; the last one where none does. */
static char *first(const char *dir, const char *const *candidates,
		   const char *name)
{
	char *path = NULL;

	for (; *candidates; candidates++) {
		free(path);
		path = (*candidates)[0] == '/'
			   ? mem_printf("%s/%s", *candidates, name)
			   : mem_printf("%s/%s/%s", dir, *candidates, name);
		if (access(path, F_OK) == 0)
			break;
	}
	return path;
}

char *program_find(const char *name)
{
	static const char *const places[] = {".", "../libexec/afw",
					     AFW_LIBEXECDIR, NULL};
	char *dir = file_program_dir();
	char *path = first(dir, places, name);

	free(dir);
	return path;
}

char *program_afw(void)
{
	static const char *const places[] = {".", "../../bin", AFW_BINDIR,
					     NULL};
	char *dir = file_program_dir();
	char *path = first(dir, places, "afw");

	free(dir);
	return path;
}

char *program_share(const char *name)
{
	/* From bin/ and from libexec/afw/, installed or in a build tree. */
	static const char *const places[] = {"../share/afw", "../../share/afw",
					     "../share", AFW_DATADIR, NULL};
	const char *given = getenv("AF_SHARE_DIR");
	char *dir, *path;

	if (given && given[0] == '/')
		return file_join(given, name);
	dir = file_program_dir();
	path = first(dir, places, name);
	free(dir);
	return path;
}
