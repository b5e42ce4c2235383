/* key_list.c - keys by name, as a plain terminal sends them. */
#include "adapters/screen/key_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/keyname.h"
#include "base/mem.h"

int keys_parse(const char *names, struct buf *out, struct err *err)
{
	const char *s = names + strspn(names, " \t");
	struct keyname key;
	int rc = 0;

	if (*s == '\0')
		return err_set(err, ERR_USAGE, "no key is named");
	for (; rc == 0 && *s != '\0'; s += strspn(s, " \t")) {
		size_t len = strcspn(s, " \t");
		char *name = mem_strndup(s, len);

		if (keyname_parse(name, &key, NULL) == 0)
			rc = keyname_type(name, false, false, out, err);
		else
			rc =
			    err_set(err, ERR_USAGE, "unknown key: %.40s", name);
		free(name);
		s += len;
	}
	return rc;
}
