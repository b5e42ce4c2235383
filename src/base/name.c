/* name.c - checks names of sessions and groups. */
#include "base/name.h"

#include <ctype.h>
#include <string.h>

int name_check(const char *name, struct err *err)
{
	size_t len = name ? strlen(name) : 0;
	const char *why = NULL;

	if (len == 0)
		why = "it is empty";
	else if (len > NAME_CHECK_MAX)
		why = "it is longer than 64 characters";
	else if (name[0] == '-' || name[0] == '.')
		why = "it starts with '-' or '.'";
	else if (strstr(name, ".."))
		why = "it contains '..'";
	else if (name[len - 1] == '.')
		why = "it ends with '.'";
	else if (len >= 5 && strcmp(name + len - 5, ".lock") == 0)
		why = "git keeps names that end with '.lock' for itself";
	for (size_t i = 0; !why && i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i]))
			why = "it may have only letters, digits, '.', '_' "
			      "and '-'";
	if (!why)
		return 0;
	err_set(err, ERR_USAGE, "name '%.80s': %s", name ? name : "", why);
	return err_hint(err, "for example: fix-login");
}
