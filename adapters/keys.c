/* keys.c - keys by name: tmux's names, because users know them. */
#include "adapters/keys.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *name, *bytes;
} named[] = {
    {"Escape", "\033"}, {"Esc", "\033"},    {"Enter", "\r"},
    {"Tab", "\t"},	{"Space", " "},	    {"BSpace", "\177"},
    {"Up", "\033[A"},	{"Down", "\033[B"}, {"Right", "\033[C"},
    {"Left", "\033[D"}, {"C-\\", "\034"},
};

static const char *find_named(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
		if (strlen(named[i].name) == len &&
		    strncasecmp(named[i].name, name, len) == 0)
			return named[i].bytes;
	return NULL;
}

int keys_parse(const char *names, struct buf *out, struct err *err)
{
	const char *s = names + strspn(names, " \t");
	size_t len;

	if (*s == '\0')
		return err_set(err, ERR_USAGE, "no key is named");
	for (; *s != '\0'; s += strspn(s, " \t")) {
		const char *bytes;

		len = strcspn(s, " \t");
		bytes = find_named(s, len);
		if (bytes)
			buf_adds(out, bytes);
		else if (len == 3 && strncasecmp(s, "C-", 2) == 0 &&
			 (s[2] | 0x20) >= 'a' && (s[2] | 0x20) <= 'z')
			buf_addc(out, (char)(s[2] & 0x1f));
		else if (len == 1 && *s > ' ' && *s < 127)
			buf_addc(out, *s);
		else
			return err_set(err, ERR_USAGE, "unknown key: %.*s",
				       (int)(len < 40 ? len : 40), s);
		s += len;
	}
	return 0;
}
