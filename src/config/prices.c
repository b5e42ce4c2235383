/* prices.c - reads the two files of prices. */
#include "config/prices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "config/config.h"
#include "config/ini.h"

#define PRICES_MAX  500 /* of one file */
#define DOLLARS_MAX 1e5 /* for a million tokens: more is nonsense */
#define MICRO	    1e6

static const char *const keys[] = {"input", "output", "cache_read",
				   "cache_write"};

/* Reads "1.25" as millionths; -1: it is no such price. */
static int64_t read_price(const char *text)
{
	size_t digits = strspn(text, "0123456789."), len = strlen(text);
	char *end;
	double v = strtod(text, &end);

	if (len == 0 || digits != len || *end || v > DOLLARS_MAX)
		return -1;
	return (int64_t)(v * MICRO + 0.5);
}

static int check_date(const struct ini_entry *e, struct err *err)
{
	int y, m, d, n = 0;

	if (strcmp(e->key, "date") != 0)
		return err_set(err, ERR_FAILED,
			       "'%s' is not in a section; above the first one, "
			       "there is only date",
			       e->key);
	if (strlen(e->value) != 10 ||
	    sscanf(e->value, "%4d-%2d-%2d%n", &y, &m, &d, &n) != 3 || n != 10)
		return err_set(err, ERR_FAILED,
			       "date = %.40s: a date is written 2026-11-29",
			       e->value);
	return 0;
}

static int on_entry(void *ctx, const struct ini_entry *e, struct err *err)
{
	cJSON *all = ctx, *p = NULL;
	int64_t price;
	size_t i = 0;

	if (!*e->section)
		return check_date(e, err);
	while (i < 4 && strcmp(keys[i], e->key) != 0)
		i++;
	if (i == 4)
		return err_set(err, ERR_FAILED,
			       "'%s' is not a price: use input, output, "
			       "cache_read and cache_write",
			       e->key);
	price = read_price(e->value);
	if (price < 0)
		return err_set(err, ERR_FAILED,
			       "%s = %.40s: a price is a number of dollars for "
			       "a million tokens, such as 1.25",
			       e->key, e->value);
	cJSON_ArrayForEach (p, all)
		if (strcmp(json_str_or(p, "model", ""), e->section) == 0)
			break;
	if (!p) {
		if (cJSON_GetArraySize(all) >= PRICES_MAX)
			return err_set(err, ERR_LIMIT, "more than %d models",
				       PRICES_MAX);
		p = cJSON_CreateObject();
		json_set_str(p, "model", e->section);
		cJSON_AddItemToArray(all, p);
	}
	if (cJSON_HasObjectItem(p, e->key))
		return err_set(err, ERR_FAILED, "%s is there twice", e->key);
	json_set_int(p, e->key, price);
	return 0;
}

/* Sets the prices that a section leaves out; input and output must be there. */
static int complete(const char *path, cJSON *all, struct err *err)
{
	cJSON *p;

	cJSON_ArrayForEach (p, all) {
		int64_t input = json_int(p, "input", -1);

		if (input < 0 || json_int(p, "output", -1) < 0)
			return err_set(err, ERR_FAILED,
				       "%s: [%s] needs input and output", path,
				       json_str_or(p, "model", ""));
		for (size_t i = 2; i < 4; i++)
			if (!cJSON_HasObjectItem(p, keys[i]))
				json_set_int(p, keys[i], input);
	}
	return 0;
}

static int load(const char *path, cJSON *out, struct err *err)
{
	_json_ cJSON *all = cJSON_CreateArray();
	_buf_ struct buf text = {0};
	bool found = false;

	if (!path)
		return 0;
	if (ini_load(path, INI_OURS, &text, &found, err) < 0)
		return -1;
	if (found && (ini_parse_text(path, text.data, text.len, on_entry, all,
				     err) < 0 ||
		      complete(path, all, err) < 0))
		return -1;
	while (cJSON_GetArraySize(all) > 0)
		cJSON_AddItemToArray(out, cJSON_DetachItemFromArray(all, 0));
	return 0;
}

cJSON *prices_load(const char *share_dir, struct err *err)
{
	_free_ char *ini = config_user_file();
	char *slash = ini ? strrchr(ini, '/') : NULL;
	_free_ char *user =
	    ini ? mem_printf("%.*s/prices.ini", (int)(slash - ini), ini) : NULL;
	_free_ char *own =
	    share_dir ? file_join(share_dir, "prices.ini") : NULL;
	cJSON *out = cJSON_CreateArray();

	if (load(user, out, err) == 0 && load(own, out, err) == 0)
		return out;
	cJSON_Delete(out);
	return NULL;
}
