/* output.c - prints colours, text of limited width, warnings and JSON. */
#include "commands/cli/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/words.h"

bool output_colour(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(no && no[0]) && term && term[0] && strcmp(term, "dumb") != 0 &&
	       isatty(STDOUT_FILENO);
}

int output_width(void)
{
	struct winsize ws;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0)
		return ws.ws_col;
	return 80;
}

void output_json(cJSON *o)
{
	struct buf text = {0};

	json_print(o, &text);
	cJSON_Delete(o);
	buf_addc(&text, '\n');
	fwrite(text.data, 1, text.len, stdout);
	buf_finish(&text);
}

const char *output_sgr(const struct session *s)
{
	/* In the order of enum word. */
	static const char *const sgr[WORD_COUNT] = {
	    "\033[1;33m", "\033[31m", "\033[32m", "\033[34m", "\033[36m",
	    "\033[36m",	  "",	      "\033[2m",  "\033[2m",  "\033[2m"};

	return sgr[session_urgency(s)];
}

/* Returns how many bytes at the start are plain ASCII, which needs no
 * escaping. */
static size_t count_plain(const char *text)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] <= '~')
		n++;
	return n;
}

int output_text(struct buf *out, const char *text, int max)
{
	size_t len = text ? strlen(text) : 0, mark = out->len;
	int cols = 0, mark_cols = 0;

	for (size_t i = 0; i < len;) {
		char u[4];
		uint32_t cp;
		int w = max < 0 ? (int)count_plain(text + i) : 0;

		if (w > 0) {
			buf_add(out, text + i, (size_t)w);
			i += (size_t)w;
			cols += w;
			continue;
		}
		i += utf8_safe(text + i, len - i, &cp);
		w = utf8_cp_width(cp);
		if (max >= 0 && cols + w > max) {
			out->len = mark;
			if (max > 0)
				buf_adds(out, "…");
			return max > 0 ? mark_cols + 1 : 0;
		}
		buf_add(out, u, utf8_encode(cp, u));
		cols += w;
		if (max >= 0 && cols < max) {
			mark = out->len;
			mark_cols = cols;
		}
	}
	return cols;
}

static bool json_errors;

void output_json_errors(void)
{
	json_errors = true;
}

static const char *host_name = "";

void output_set_host(const char *host)
{
	host_name = host;
}

/* Appends the hint, with -H in its commands if the user is at another machine.
 */
static void add_hint(struct buf *out, const char *hint)
{
	static const char command[] = "`afw ";
	const char *at = *host_name ? strstr(hint, command) : NULL;

	for (; at; at = strstr(hint, command)) {
		at += strlen(command);
		buf_add(out, hint, (size_t)(at - hint));
		hint = at;
		if (strncmp(at, "-H ", 3) == 0)
			continue;
		buf_adds(out, "-H ");
		words_quote_shown(host_name, out);
		buf_addc(out, ' ');
	}
	buf_adds(out, hint);
}

/* Prints an error, or with code 0 a warning. what or given, the hint, may be
 * "". */
static void print_diagnostic(const char *what, const char *given, int code)
{
	_buf_ struct buf text = {0}, changed = {0};
	const char *hint;
	cJSON *o;

	add_hint(&changed, given);
	hint = changed.data;
	fflush(stdout);
	if (!json_errors) {
		if (what[0])
			fprintf(stderr, "afw: %s\n", what);
		if (hint[0])
			fprintf(stderr, "hint: %s\n", hint);
		return;
	}
	o = cJSON_CreateObject();
	if (what[0])
		json_set_str(o, code ? "error" : "warning", what);
	if (hint[0])
		json_set_str(o, "hint", hint);
	if (code)
		json_set_int(o, "exit_code", code);
	json_print(o, &text);
	fprintf(stderr, "%s\n", text.data);
	cJSON_Delete(o);
}

int output_error(const struct err *err)
{
	int code = err->kind ? (int)err->kind : ERR_FAILED;

	print_diagnostic(err->what, err->hint, code);
	return code;
}

void output_warning(const struct err *err)
{
	print_diagnostic(err->what, err->hint, 0);
}

/* Formats to a string that the caller frees. */
static char *__attribute__((format(printf, 1, 0)))
safe_text(const char *fmt, va_list ap)
{
	struct buf safe = {0};
	char *text = NULL;

	if (vasprintf(&text, fmt, ap) >= 0)
		output_text(&safe, text, -1);
	free(text);
	return buf_steal(&safe);
}

void output_warn(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = safe_text(fmt, ap);
	va_end(ap);
	print_diagnostic(text, "", 0);
	free(text);
}

void output_hint(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = safe_text(fmt, ap);
	va_end(ap);
	print_diagnostic("", text, 0);
	free(text);
}

void output_warn_each(const char *name, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		output_warn("%s: %s", name, list->v[i]);
}

void output_line(FILE *to, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = safe_text(fmt, ap);
	va_end(ap);
	if (to == stderr)
		fflush(stdout);
	fprintf(to, "%s\n", text);
	free(text);
}

void output_lines(FILE *to, const char *text)
{
	while (text && *text) {
		size_t len = strcspn(text, "\n");

		output_line(to, "%.*s", (int)len, text);
		text += len + (text[len] == '\n');
	}
}

int output_one_failed(int rc, const struct err *why, struct err *err)
{
	if (rc < 0)
		output_error(err);
	*err = *why;
	return -1;
}
