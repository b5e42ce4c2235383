/* fuzz_config.c - reads any bytes as a configuration file, as words and as a
 * key's name. Accepted text must be within its bounds, and the same when it is
 * read again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/words.h"
#include "config/ini.h"
#include "config/template.h"
#include "base/keyname.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(x)                                                                \
	do {                                                                   \
		if (!(x))                                                      \
			abort();                                               \
	} while (0)

static int on_entry(void *ctx, const struct ini_entry *e, struct err *err)
{
	int *last = ctx;

	MUST(e->line > *last);
	*last = e->line;
	MUST(e->key[0] != '\0' && strlen(e->key) < 49);
	MUST(strlen(e->section) < 49);
	MUST(utf8_valid(e->value, strlen(e->value)));
	return 0;
}

static void as_words(const char *text)
{
	struct strv words = {0}, again = {0};
	struct buf quoted = {0};

	if (words_split(text, &words, NULL) == 0) {
		for (size_t i = 0; i < words.n; i++) {
			words_format(&quoted, words.v[i]);
			buf_addc(&quoted, ' ');
		}
		MUST(words_split(quoted.data ? quoted.data : "", &again,
				 NULL) == 0);
		MUST(again.n == words.n);
		for (size_t i = 0; i < words.n; i++)
			MUST(strcmp(again.v[i], words.v[i]) == 0);
	}
	strv_finish(&words);
	strv_finish(&again);
	buf_finish(&quoted);
}

static void as_key(const char *text)
{
	struct strv forms = {0};
	struct keyname key;

	if (keyname_parse(text, &key, NULL) == 0) {
		MUST(key.n > 0 && key.n <= KEYNAME_FORMS);
		keyname_hex(&key, &forms);
		for (size_t i = 0; i < forms.n; i++)
			MUST(utf8_valid(forms.v[i], strlen(forms.v[i])));
	}
	strv_finish(&forms);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config_where where = {.repository = "/r"};
	struct err err = {0};
	char *text = mem_alloc(size + 1);
	struct filetree_file ini = {
	    .name = (char[]){"afw.ini"},
	    .text = {.data = text, .len = size},
	};
	struct filetree af = {.v = &ini, .n = 1};
	int last = 0, rc;

	if (size > 0)
		memcpy(text, data, size);
	rc = ini_parse_text("fuzz", text, size, on_entry, &last, &err);
	MUST(rc == 0 || (rc == -1 && err.kind == ERR_FAILED && err.what[0]));
	rc = template_check_repository(&where, &af, &err);
	MUST(rc == 0 || strncmp(err.what, "/r/.af/afw.ini", 14) == 0);
	as_words(text);
	as_key(text);
	free(text);
	return 0;
}
