/* writers.c - finds who else may write to a file. */
#include "base/writers.h"

#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <string.h>
#include <sys/xattr.h>

/* Returns whether it is the primary group of another user, who is not listed
 * among its members. */
static bool is_group_of_others(gid_t gid, uid_t owner)
{
	const struct passwd *pw;
	bool is = false;

	setpwent();
	while (!is && (pw = getpwent()))
		is = pw->pw_gid == gid && pw->pw_uid != owner;
	endpwent();
	return is;
}

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
	return !is_group_of_others(gid, owner);
}

const char *writers_beside_owner(int fd, const struct stat *st)
{
	if (st->st_mode & S_IWOTH)
		return "everyone";
	if (!(st->st_mode & S_IWGRP))
		return NULL;
	/* With an ACL, the group's bits are the most that any entry allows. */
	if (fgetxattr(fd, "system.posix_acl_access", NULL, 0) > 0)
		return "another user of its ACL";
	return is_private_group(st->st_gid, st->st_uid) ? NULL : "its group";
}
