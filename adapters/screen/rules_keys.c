/*
 * rules_keys.c - lists of keys in a section: names separated by blanks, and
 * pauses between them.
 */
#include "adapters/screen/rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/keyname.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/words.h"

#define PAUSE_MIN 50 /* ms */
#define BLANKS	  " \t"

/* Appends the character that U+2060 and the like name; false if name is none,
 * or a control character. */
static bool add_character(const char *name, struct buf *out)
{
	char bytes[4], *end;
	unsigned long cp;

	if (strncmp(name, "U+", 2) != 0 || !isxdigit((unsigned char)name[2]))
		return false;
	cp = strtoul(name + 2, &end, 16);
	if (*end != '\0' || cp < 0xa0 || cp > 0x10ffff ||
	    (cp >= 0xd800 && cp < 0xe000))
		return false;
	buf_add(out, bytes, utf8_encode((uint32_t)cp, bytes));
	return true;
}

static int add_key(const char *name, struct buf *out, struct err *err)
{
	struct keyname key;

	if (keyname_parse(name, &key, NULL) == 0)
		return keyname_type(name, false, false, out, err);
	return add_character(name, out)
		   ? 0
		   : err_set(err, ERR_USAGE, "unknown key: %.40s", name);
}

int rules_parse_keys(const char *names, struct buf *out, struct err *err)
{
	const char *s = names + strspn(names, BLANKS);
	int rc = 0;

	if (*s == '\0')
		return err_set(err, ERR_USAGE, "no key is named");
	for (; rc == 0 && *s != '\0'; s += strspn(s, BLANKS)) {
		size_t len = strcspn(s, BLANKS);
		_free_ char *name = mem_strndup(s, len);

		rc = add_key(name, out, err);
		s += len;
	}
	return rc;
}

/* One digit is a key. */
int64_t rules_pause(const char *names)
{
	size_t len = strcspn(names, BLANKS);

	return len > 1 && len < 10 && strspn(names, "0123456789") == len
		   ? strtol(names, NULL, 10)
		   : 0;
}

/* Sets *pause to the one behind the keys, or 0. */
static int next_keys(const char *names, size_t *at, int64_t *pause,
		     struct buf *out, struct err *err)
{
	const char *s = names + *at;
	int rc = 0;

	*pause = 0;
	while (rc == 0 && *pause == 0 && *(s += strspn(s, BLANKS)) != '\0') {
		size_t len = strcspn(s, BLANKS);
		_free_ char *name = mem_strndup(s, len);

		*pause = rules_pause(name);
		if (*pause == 0)
			rc = add_key(name, out, err);
		s += len;
	}
	*at = (size_t)(s - names);
	return rc;
}

int64_t rules_next_keys(const char *names, size_t *at, struct buf *out)
{
	int64_t pause;

	next_keys(names, at, &pause, out, NULL);
	return pause;
}

int rules_check_steps(const char *names, struct err *err)
{
	int64_t pause = 1, all = 0;
	size_t at = 0;

	while (pause > 0) {
		_buf_ struct buf keys = {0};

		if (next_keys(names, &at, &pause, &keys, err) != 0)
			return -1;
		all += pause;
		if (keys.len == 0)
			return err_set(err, ERR_USAGE, "%s",
				       all > 0 ? "a pause is between two keys"
					       : "no key is named");
		if (pause > 0 && pause < PAUSE_MIN)
			return err_set(err, ERR_USAGE,
				       "a pause of less than %d ms", PAUSE_MIN);
		if (all > RULES_PAUSE_MAX)
			return err_set(err, ERR_USAGE,
				       "pauses of more than %d ms",
				       RULES_PAUSE_MAX);
	}
	return 0;
}

/* {option} is one character, and no part of a longer word. */
int rules_check_answer(const char *text, struct err *err)
{
	char *plain = words_fill(text, "{option}", "x");
	int rc = rules_check_steps(plain, err);

	if (rc == 0 && strlen(plain) >= RULES_ANSWER_MAX)
		rc = err_set(err, ERR_USAGE, "too many keys");
	free(plain);
	return rc;
}
