/*
 * rules.c - the configured description of a harness's screen: one table names
 * the keys, and a value is checked by its kind.
 */
#include "adapters/screen/rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/screen/rules_patterns.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/words.h"

const struct rules_key rules_keys[] = {
    {"like", RULES_TEXT},
    {"command", RULES_WORDS},
    {"start", RULES_WORDS},
    {"resume", RULES_WORDS},
    {"conversation_file", RULES_PLACE},
    {"conversation_cwd", RULES_TEXT},
    {"conversation_id", RULES_TEXT},
    {"usage_files", RULES_WORDS},
    {"usage_input", RULES_WORDS},
    {"usage_output", RULES_WORDS},
    {"usage_cache_read", RULES_WORDS},
    {"usage_cache_write", RULES_WORDS},
    {"usage_cost", RULES_WORDS},
    {"usage_model", RULES_TEXT},
    {"usage_id", RULES_TEXT},
    {"usage_input_has_cache", RULES_YESNO},
    {"settings", RULES_WORDS},
    {"settings_json", RULES_JSON},
    {"hook_idle", RULES_WORDS},
    {"hook_prompt", RULES_WORDS},
    {"hook_working", RULES_WORDS},
    {"hook_waiting", RULES_WORDS},
    {"hook_done", RULES_WORDS},
    {"hook_failed", RULES_WORDS},
    {"hook_other", RULES_WORDS},
    {"env", RULES_ENV},
    {"needs_env", RULES_WORDS},
    {"needs_files", RULES_FILES},
    {"login_files", RULES_FILES},
    {"system_prompt", RULES_WORDS},
    {"instructions", RULES_WORDS},
    {"add_dir", RULES_WORDS},
    {"mcp", RULES_WORDS},
    {"mcp_inherits", RULES_YESNO},
    {"system_prompt_file", RULES_PLACE},
    {"instructions_file", RULES_PLACE},
    {"mcp_file", RULES_PLACE},
    {"interrupt", RULES_STEPS},
    {"clear", RULES_STEPS},
    {"approve", RULES_ANSWER},
    {"deny", RULES_ANSWER},
    {"guard", RULES_KEYS},
    {"guard_first", RULES_TEXT},
    {"guard_words", RULES_WORDS},
    {"guard_last", RULES_TEXT},
    {"attach", RULES_TEXT},
    {"enter_delay", RULES_NUMBER},
    {"ready_timeout", RULES_NUMBER},
    {"start_gap", RULES_NUMBER},
    {"send_busy", RULES_YESNO},
    {"rows", RULES_NUMBER},
    {"composer_cursor", RULES_YESNO},
    {"config_env", RULES_TEXT},
    {"install_hint", RULES_TEXT},
    {"tried", RULES_TEXT},
    {"image", RULES_TEXT},
    {"waiting", RULES_PATTERN},
    {"question", RULES_PATTERN},
    {"trust", RULES_PATTERN},
    {"approval", RULES_PATTERN},
    {"approval_top", RULES_PATTERN},
    {"approve_option", RULES_PATTERN},
    {"approve_marked", RULES_PATTERN},
    {"deny_option", RULES_PATTERN},
    {"deny_dialog", RULES_PATTERN},
    {"busy", RULES_PATTERN},
    {"thinking", RULES_PATTERN},
    {"idle", RULES_PATTERN},
    {"title_waiting", RULES_PATTERN},
    {"title_working", RULES_PATTERN},
    {"title_idle", RULES_PATTERN},
    {"error", RULES_PATTERN},
    {"queued", RULES_PATTERN},
    {"limited", RULES_PATTERN},
    {"limited_option", RULES_PATTERN},
    {"continues", RULES_PATTERN},
    {"composer", RULES_PATTERN},
    {"composer_top", RULES_PATTERN},
    {"composer_end", RULES_PATTERN},
    {"prompt", RULES_PATTERN},
    {"answer", RULES_PATTERN},
    {"not_said", RULES_PATTERN},
    {"overlay", RULES_PATTERN},
    {"placeholder", RULES_PATTERN},
    {"collapsed", RULES_PATTERN},
    {NULL, RULES_TEXT},
};

#define KEY_COUNT (sizeof rules_keys / sizeof rules_keys[0] - 1)

struct rules {
	char *value[KEY_COUNT];
	struct strv env;
	struct rules_patterns patterns[KEY_COUNT];
};

static int key_index(const char *name)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (strcmp(rules_keys[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* A secret does not belong in a file that is copied to each session's spec. */
static int check_env(const char *value, struct err *err)
{
	static const char *const secrets[] = {"KEY", "TOKEN", "SECRET",
					      "PASSWORD"};
	size_t len = strcspn(value, "=");

	if (!env_is_name(value, len) || value[len] == '\0')
		return err_set(err, ERR_USAGE, "%.60s: not NAME=VALUE", value);
	for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
		size_t n = strlen(secrets[i]);

		if (len >= n && memcmp(value + len - n, secrets[i], n) == 0)
			return err_set(
			    err, ERR_USAGE,
			    "%.*s: a secret is given by env_file, or "
			    "by afw new -e",
			    (int)len, value);
	}
	return 0;
}

/* What the agent can read in any sandbox is below the home. */
static int check_files(const char *value, struct err *err)
{
	_strv_ struct strv files = {0};

	if (words_split(value, &files, err) != 0)
		return -1;
	for (size_t i = 0; i < files.n; i++)
		if (files.v[i][0] == '/' || strstr(files.v[i], ".."))
			return err_set(err, ERR_USAGE,
				       "%.60s: not a file below the home",
				       files.v[i]);
	return 0;
}

static int check_setting(int key, const char *value, struct err *err)
{
	const char *name = rules_keys[key].name;
	struct strv words = {0};
	struct buf bytes = {0};
	size_t digits;
	cJSON *json;
	int rc = 0;

	switch (rules_keys[key].kind) {
	case RULES_WORDS:
		rc = words_split(value, &words, err);
		strv_finish(&words);
		break;
	case RULES_KEYS:
		rc = rules_parse_keys(value, &bytes, err);
		buf_finish(&bytes);
		break;
	case RULES_STEPS:
		rc = rules_check_steps(value, err);
		break;
	case RULES_ANSWER:
		rc = rules_check_answer(value, err);
		break;
	case RULES_NUMBER:
		digits = strspn(value, "0123456789");
		if (digits == 0 || digits > 7 || value[digits] != '\0')
			rc = err_set(err, ERR_USAGE, "%s: not a number", value);
		break;
	case RULES_PLACE:
		if (value[0] != '/' && strncmp(value, "~/", 2) != 0)
			rc = err_set(err, ERR_USAGE,
				     "%s: a file's name begins with / or ~/",
				     value);
		break;
	case RULES_FILES:
		rc = check_files(value, err);
		break;
	case RULES_JSON:
		json = json_parse_object(value, strlen(value), err);
		cJSON_Delete(json);
		rc = json ? 0 : -1;
		break;
	case RULES_ENV:
		rc = check_env(value, err);
		break;
	case RULES_YESNO:
		if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
			rc = err_set(err, ERR_USAGE, "%s: neither yes nor no",
				     value);
		break;
	default:
		if (strcmp(name, "image") == 0 && value[0] == '-')
			rc = err_set(err, ERR_USAGE,
				     "%s: an image cannot begin with '-'",
				     value);
		break;
	}
	return rc ? err_prefix(err, "%s", name) : 0;
}

static int add_text(struct rules *r, const char *name, const char *s,
		    struct err *err)
{
	int key = key_index(name);

	if (key < 0)
		return err_set(err, ERR_USAGE, "unknown key: %s", name);
	if (s == NULL)
		return err_set(err, ERR_USAGE, "%s: not a string", name);
	if (rules_keys[key].kind == RULES_PATTERN)
		return rules_patterns_add(&r->patterns[key], name, s, err);
	if (check_setting(key, s, err) != 0)
		return -1;
	if (rules_keys[key].kind == RULES_ENV) {
		strv_add(&r->env, s);
		return 0;
	}
	free(r->value[key]);
	r->value[key] = mem_strdup(s);
	return 0;
}

static bool is_set(const struct rules *r, const char *key)
{
	return rules_get(r, key) || rules_has(r, key);
}

/* Checks keys that need another one. */
static int check_pairs(const struct rules *r, struct err *err)
{
	static const char *const pairs[][2] = {
	    {"composer_top", "composer_end"},
	    {"conversation_file", "conversation_cwd"},
	    {"usage_input", "usage_output"},
	    {"usage_output", "usage_input"},
	    {"hook_prompt", "hook_done"},
	    {"hook_done", "hook_prompt"},
	    {"hook_idle", "hook_prompt"},
	    {"hook_working", "hook_prompt"},
	    {"hook_waiting", "hook_prompt"},
	};

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		if (is_set(r, pairs[i][0]) && !is_set(r, pairs[i][1]))
			return err_set(err, ERR_USAGE, "%s: %s is missing",
				       pairs[i][0], pairs[i][1]);
	return 0;
}

static int add_value(struct rules *r, const char *name, const cJSON *value,
		     struct err *err)
{
	return add_text(r, name, cJSON_GetStringValue(value), err);
}

int rules_check_value(const char *key, const char *value, struct err *err)
{
	struct rules *r = mem_alloc(sizeof *r);
	int rc = add_text(r, key, value, err);

	rules_destroy(r);
	return rc;
}

/* Checks that no two keys whose meanings exclude each other have the same
 * pattern. */
static int check_same(const cJSON *config, struct err *err)
{
	static const char *const keys[] = {"waiting", "thinking", "busy",
					   "idle",    "error",	  "composer"};
	_json_ cJSON *seen = cJSON_CreateObject();

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const cJSON *v, *list = json_get(config, keys[i]);

		cJSON_ArrayForEach (v, list) {
			const char *s = cJSON_GetStringValue(v),
				   *other = s ? json_str(seen, s) : NULL;

			if (other && strcmp(other, keys[i]) != 0)
				return err_set(err, ERR_USAGE,
					       "%s = %.60s: %s has the same "
					       "pattern",
					       keys[i], s, other);
			if (s)
				json_set_str(seen, s, keys[i]);
		}
	}
	return 0;
}

struct rules *rules_create(const cJSON *config, struct err *err)
{
	struct rules *r = mem_alloc(sizeof *r);
	const cJSON *list, *value;

	cJSON_ArrayForEach (list, config) {
		if (!cJSON_IsArray(list)) {
			if (add_value(r, list->string, list, err) != 0)
				goto fail;
			continue;
		}
		cJSON_ArrayForEach (value, list) {
			if (add_value(r, list->string, value, err) != 0)
				goto fail;
		}
	}
	if (check_pairs(r, err) != 0 || check_same(config, err) != 0)
		goto fail;
	return r;
fail:
	rules_destroy(r);
	return NULL;
}

void rules_destroy(struct rules *r)
{
	if (r == NULL)
		return;
	for (size_t key = 0; key < KEY_COUNT; key++) {
		free(r->value[key]);
		rules_patterns_finish(&r->patterns[key]);
	}
	strv_finish(&r->env);
	free(r);
}

const char *rules_get(const struct rules *r, const char *key)
{
	int i = key_index(key);

	return r && i >= 0 ? r->value[i] : NULL;
}

const struct strv *rules_env(const struct rules *r)
{
	return r ? &r->env : NULL;
}

int rules_get_int(const struct rules *r, const char *key, int other)
{
	const char *value = rules_get(r, key);

	return value ? (int)strtol(value, NULL, 10) : other;
}

bool rules_get_bool(const struct rules *r, const char *key, bool other)
{
	const char *value = rules_get(r, key);

	return value ? strcmp(value, "yes") == 0 : other;
}

/* NULL: it has none. */
static const struct rules_patterns *find_patterns(const struct rules *r,
						  const char *key)
{
	int i = r ? key_index(key) : -1;

	return i >= 0 && r->patterns[i].n > 0 ? &r->patterns[i] : NULL;
}

bool rules_has(const struct rules *r, const char *key)
{
	return find_patterns(r, key) != NULL;
}

/* Copies from[0..len) as one printable line without blanks at its ends. */
static void copy_group(const char *from, size_t len, char *out, size_t size)
{
	while (len > 0 && isspace((unsigned char)*from))
		from++, len--;
	while (len > 0 && isspace((unsigned char)from[len - 1]))
		len--;
	utf8_printable(out, size, from, len);
}

bool rules_span(const struct rules *r, const char *key, const char *row,
		bool whole, size_t *from, size_t *to)
{
	const struct rules_patterns *p = find_patterns(r, key);

	return p && rules_patterns_span(p, row, whole, from, to);
}

static bool match(const struct rules_patterns *p, const char *row, char *group,
		  size_t size)
{
	size_t from, to;
	bool is = rules_patterns_span(p, row, false, &from, &to);

	if (is && group)
		copy_group(row + from, to - from, group, size);
	return is;
}

bool rules_match(const struct rules *r, const char *key, const char *row,
		 char *group, size_t size)
{
	const struct rules_patterns *p = find_patterns(r, key);

	return p && match(p, row, group, size);
}

/* The key is looked up once: a screen has many rows. */
int rules_find(const struct rules *r, const char *key, const char *const *rows,
	       int from, int to, char *group, size_t size)
{
	const struct rules_patterns *p = find_patterns(r, key);

	for (int row = to - 1; p && row >= from; row--)
		if (rows[row][0] != '\0' && match(p, rows[row], group, size))
			return row;
	return -1;
}
