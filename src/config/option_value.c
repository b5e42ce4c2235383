/*
 * option_value.c - parses an option's value, and formats it. A refused value
 * leaves the old one unchanged.
 */
#include "config/option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/keyname.h"
#include "base/words.h"

#define DIGITS "0123456789"

void option_value_finish(struct option_value *v)
{
	free(v->string);
	strv_finish(&v->list);
	*v = (struct option_value){0};
}

const char *option_type_name(enum option_type type)
{
	static const char *const names[] = {
	    [OPTION_STRING] = "text",	  [OPTION_CHOICE] = "choice",
	    [OPTION_KEY] = "key",	  [OPTION_BOOL] = "yes or no",
	    [OPTION_INT] = "number",	  [OPTION_DURATION] = "duration",
	    [OPTION_SIZE] = "size",	  [OPTION_LIST] = "list",
	    [OPTION_COMMAND] = "command", [OPTION_DECIMAL] = "decimal number",
	};

	return names[type];
}

/* Returns 1, 0, or -1: neither. */
static int parse_bool(const char *text)
{
	static const char *const words[] = {"no",  "yes", "false", "true",
					    "off", "on",  "0",	   "1"};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcasecmp(text, words[i]) == 0)
			return i % 2;
	return -1;
}

/* Parses digits and one of units (factors of step from the second on). */
static int64_t parse_number(const char *text, const char *units, int64_t step)
{
	int64_t factor = 1;
	long long n;
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return -1;
	errno = 0;
	n = strtoll(text, &end, 10);
	if (errno)
		return -1;
	if (*end != '\0') {
		const char *at = strchr(units, *end);

		/* "8M", "8m", "8MB" and "8MiB" all mean the same. */
		if (!at)
			return -1;
		for (; at >= units; at--)
			factor *= step;
		end++;
		if (strcasecmp(end, "") != 0 && strcasecmp(end, "b") != 0 &&
		    strcasecmp(end, "ib") != 0)
			return -1;
	}
	if (n > INT64_MAX / factor)
		return -1;
	return n * factor;
}

/* Parses digits, and at most three after a point; in thousandths. */
static int64_t parse_decimal(const char *text)
{
	size_t whole = strspn(text, DIGITS), places = 0;
	int64_t n = 0;

	if (text[whole] == '.') {
		places = strspn(text + whole + 1, DIGITS);
		if (places < 1 || places > 3)
			return -1;
	}
	if (whole < 1 || whole > 9 ||
	    text[whole + places + (places > 0)] != '\0')
		return -1;
	for (size_t i = 0; i < whole; i++)
		n = n * 10 + text[i] - '0';
	for (size_t i = 0; i < 3; i++)
		n = n * 10 + (i < places ? text[whole + 1 + i] - '0' : 0);
	return n;
}

static int64_t parse_size(const char *text)
{
	char upper[24];
	size_t len = strlen(text);

	if (len >= sizeof upper)
		return -1;
	for (size_t i = 0; i <= len; i++)
		upper[i] =
		    text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i];
	return parse_number(upper, "KMGT", 1024);
}

static void format_number(const struct option *o, int64_t n, char *out,
			  size_t size)
{
	static const struct unit {
		int64_t is;
		const char *name;
	} times[] = {{86400000, "d"},
		     {3600000, "h"},
		     {60000, "m"},
		     {1000, "s"},
		     {1, "ms"}},
	  sizes[] = {{1 << 30, "G"}, {1 << 20, "M"}, {1 << 10, "K"}, {1, ""}},
	  none[] = {{1, ""}};
	char fraction[16] = "";
	const struct unit *u = o->type == OPTION_DURATION ? times
			       : o->type == OPTION_SIZE	  ? sizes
							  : none;

	if (o->type == OPTION_DECIMAL) {
		snprintf(fraction, sizeof fraction, ".%03d", (int)(n % 1000));
		for (int i = 3; i >= 0 && strchr("0.", fraction[i]); i--)
			fraction[i] = '\0';
		snprintf(out, size, "%" PRId64 "%s", n / 1000, fraction);
		return;
	}
	while (n % u->is)
		u++;
	snprintf(out, size, "%" PRId64 "%s", n / u->is,
		 n == 0 && u == times ? "s"
		 : n == 0	      ? ""
				      : u->name);
}

static int parse_numeric(const struct option *o, const char *text,
			 struct option_value *v, struct err *err)
{
	char min[32], max[32];
	int64_t n;

	if (o->type == OPTION_DURATION)
		n = clock_duration_ms(text);
	else if (o->type == OPTION_SIZE)
		n = parse_size(text);
	else if (o->type == OPTION_DECIMAL)
		n = parse_decimal(text);
	else
		n = parse_number(text, "", 1);
	if (n < 0)
		return err_set(
		    err, ERR_FAILED, "%s: '%.60s' is not a %s%s", o->name, text,
		    option_type_name(o->type),
		    o->type == OPTION_DURATION
			? " (such as 500ms, 30s, 10m, 2h)"
		    : o->type == OPTION_SIZE	? " (such as 512K, 8M, 1G)"
		    : o->type == OPTION_DECIMAL ? " (such as 2 or 0.5)"
						: "");
	if (n < o->min || n > o->max) {
		format_number(o, o->min, min, sizeof min);
		format_number(o, o->max, max, sizeof max);
		return err_set(err, ERR_FAILED,
			       "%s: '%.60s' is out of range (%s to %s)",
			       o->name, text, min, max);
	}
	v->number = n;
	return 0;
}

static int parse_choice(const struct option *o, const char *text,
			struct option_value *v, struct err *err)
{
	_buf_ struct buf all = {0};

	for (const char *const *c = o->choices; *c; c++) {
		if (strcmp(*c, text) == 0) {
			free(v->string);
			v->string = mem_strdup(text);
			return 0;
		}
		buf_addf(&all, "%s%s", c == o->choices ? "" : ", ", *c);
	}
	return err_set(err, ERR_FAILED, "%s: '%.60s' is not one of: %s",
		       o->name, text, all.data);
}

/* Splits text. Refuses a word that begins with a bare #: it was meant as a
 * comment. */
static int split(const char *text, struct strv *out, struct err *err)
{
	const char *s = text + strspn(text, WORDS_BLANKS);
	_buf_ struct buf word = {0};
	int more = 0;

	while (*s != '#' && (more = words_next(&s, &word)) > 0)
		strv_add(out, word.data);
	if (*s == '#')
		return err_set(err, ERR_FAILED,
			       "'%.60s': a comment needs its own line; a name "
			       "with # needs quotes",
			       s);
	if (more < 0)
		return err_set(err, ERR_FAILED,
			       "a quote or backslash is left open: %.80s",
			       text);
	return 0;
}

static int err_shell(const struct option *o, const char *text, const char *why,
		     struct err *err)
{
	return o->secret ? err_set(err, ERR_FAILED, "%s: %s", o->name, why)
			 : err_set(err, ERR_FAILED, "%s: '%.60s': %s", o->name,
				   text, why);
}

static int parse_words(const struct option *o, const char *text,
		       struct option_value *v, struct err *err)
{
	char shell = words_shell_char(text);
	_strv_ struct strv words = {0};
	const char *why = NULL;

	if (o->type == OPTION_COMMAND && shell) {
		err_set(err, ERR_FAILED,
			"%s: '%.60s': '%c' needs a shell, and this runs "
			"without one",
			o->name, text, shell);
		return err_hint(err,
				"write it as sh -c '...', or quote the word");
	}
	if (split(text, &words, err) < 0)
		return o->secret ? err_shell(o, text,
					     "it is not a list of words", err)
				 : err_prefix(err, "%s", o->name);
	for (size_t i = 0; i < words.n; i++) {
		why = o->check ? o->check(words.v[i]) : NULL;
		if (why)
			return err_shell(o, words.v[i], why, err);
	}
	why = o->check_list ? o->check_list(&words) : NULL;
	if (why)
		return err_shell(o, text, why, err);
	if (o->type == OPTION_COMMAND || words.n == 0)
		strv_finish(&v->list);
	strv_copy(&v->list, &words);
	return 0;
}

int option_parse(const struct option *o, const char *text,
		 struct option_value *v, struct err *err)
{
	struct keyname key;
	const char *why;
	int b;

	switch (o->type) {
	case OPTION_BOOL:
		b = parse_bool(text);
		if (b < 0)
			return err_set(err, ERR_FAILED,
				       "%s: '%.60s' is neither yes nor no",
				       o->name, text);
		v->number = b;
		return 0;
	case OPTION_INT:
	case OPTION_DECIMAL:
	case OPTION_DURATION:
	case OPTION_SIZE:
		return parse_numeric(o, text, v, err);
	case OPTION_CHOICE:
		return parse_choice(o, text, v, err);
	case OPTION_LIST:
	case OPTION_COMMAND:
		return parse_words(o, text, v, err);
	case OPTION_KEY:
		if (strcmp(text, "none") != 0 &&
		    keyname_parse_detach(text, &key, err) < 0)
			return err_prefix(err, "%s", o->name);
		break;
	case OPTION_STRING:
		why = o->check ? o->check(text) : NULL;
		if (why)
			return err_shell(o, text, why, err);
		break;
	}
	free(v->string);
	v->string = mem_strdup(text);
	return 0;
}

char *option_format(const struct option *o, const struct option_value *v)
{
	struct buf out = {0};
	char number[32];

	switch (o->type) {
	case OPTION_BOOL:
		return mem_strdup(v->number ? "yes" : "no");
	case OPTION_INT:
	case OPTION_DECIMAL:
	case OPTION_DURATION:
	case OPTION_SIZE:
		format_number(o, v->number, number, sizeof number);
		return mem_strdup(number);
	case OPTION_LIST:
	case OPTION_COMMAND:
		for (size_t i = 0; i < v->list.n; i++) {
			buf_adds(&out, i ? " " : "");
			words_format(&out, v->list.v[i]);
		}
		return buf_steal(&out);
	case OPTION_STRING:
	case OPTION_CHOICE:
	case OPTION_KEY:
		break;
	}
	return mem_strdup(v->string ? v->string : "");
}

void option_value_json(const struct option *o, const struct option_value *v,
		       const char *name, cJSON *out)
{
	char name_ms[48];

	switch (o->type) {
	case OPTION_BOOL:
		json_set_bool(out, name, v->number);
		break;
	case OPTION_INT:
	case OPTION_SIZE:
		json_set_int(out, name, v->number);
		break;
	case OPTION_DECIMAL:
		cJSON_AddNumberToObject(out, name, (double)v->number / 1000);
		break;
	case OPTION_DURATION:
		snprintf(name_ms, sizeof name_ms, "%s_ms", name);
		json_set_int(out, name_ms, v->number);
		break;
	case OPTION_LIST:
	case OPTION_COMMAND:
		json_set_strv(out, name, &v->list);
		break;
	case OPTION_STRING:
	case OPTION_CHOICE:
	case OPTION_KEY:
		json_set_str(out, name, v->string ? v->string : "");
		break;
	}
}
