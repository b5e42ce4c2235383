/* writers.c - finds who else may write to a file. */
#include "base/writers.h"

#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <string.h>

static bool is_private_group(gid_t gid, uid_t owner)
{
	const struct passwd *pw = getpwuid(owner);
	const struct group *gr = getgrgid(gid);

	if (!pw || !gr || pw->pw_gid != gid ||
	    strcmp(pw->pw_name, gr->gr_name) != 0)
		return false;
	for (char **m = gr->gr_mem; *m; m++)
		if (strcmp(*m, pw->pw_name) != 0)
			return false;
	return true;
}

const char *writers_beside_owner(const struct stat *st)
{
	if (st->st_mode & S_IWOTH)
		return "everyone";
	if ((st->st_mode & S_IWGRP) &&
	    !is_private_group(st->st_gid, st->st_uid))
		return "its group";
	return NULL;
}
