/* program.c - finds afw's own programs and files. */
#include "wire/program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#ifndef AFW_BINDIR
#define AFW_BINDIR "/usr/local/bin"
#endif
#ifndef AFW_LIBEXECDIR
#define AFW_LIBEXECDIR "/usr/local/libexec/afw"
#endif
#ifndef AFW_DATADIR
#define AFW_DATADIR "/usr/local/libexec/afw/share"
#endif

/* Returns the first of "place/name" that exists, relative to this program; the
 * last one if none does. */
static char *first(const char *const *places, const char *name)
{
	_free_ char *dir = file_program_dir();
	char *path = NULL;

	for (; *places; places++) {
		free(path);
		path = (*places)[0] == '/'
			   ? mem_printf("%s/%s", *places, name)
			   : mem_printf("%s/%s/%s", dir, *places, name);
		if (access(path, F_OK) == 0)
			break;
	}
	return path;
}

char *program_find(const char *name)
{
	static const char *const places[] = {".", "../libexec/afw",
					     AFW_LIBEXECDIR, NULL};

	return first(places, name);
}

char *program_afw(void)
{
	static const char *const places[] = {".", "../../bin", AFW_BINDIR,
					     NULL};

	return first(places, "afw");
}

char *program_share(const char *name)
{
	/* From bin/, from libexec/afw/, and from a build tree. */
	static const char *const places[] = {"../libexec/afw/share", "share",
					     "../share", AFW_DATADIR, NULL};
	const char *given = getenv("AF_SHARE_DIR");

	return given && given[0] == '/' ? file_join(given, name)
					: first(places, name);
}
