/* support_view.c - recorded screens, for tests of adapters. */
#include "support_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"

#include <fcntl.h>

static void read_file(const char *path, struct buf *out)
{
	struct err err;

	if (file_read(AT_FDCWD, path, 1 << 20, out, &err) != 0) {
		fprintf(stderr, "%s (run in the source's top directory)\n",
			err.what);
		exit(2);
	}
}

/* Splits one recorded row into all its text and its solid text. */
static void add_row(struct recorded *r, const char *s, size_t len)
{
	struct buf row = {0}, solid = {0};
	bool dim = false;
	uint32_t cp = 0;

	for (size_t i = 0; i < len;) {
		size_t n;

		if (strncmp(s + i, "\033[2m", 4) == 0) {
			dim = true;
			i += 4;
			continue;
		}
		if (strncmp(s + i, "\033[22m", 5) == 0) {
			dim = false;
			i += 5;
			continue;
		}
		n = utf8_decode(s + i, len - i, &cp);
		n = n ? n : 1;
		buf_add(&row, s + i, n);
		if (dim)
			buf_add(&solid, "  ", utf8_cp_width(cp) == 2 ? 2 : 1);
		else
			buf_add(&solid, s + i, n);
		i += n;
	}
	while (solid.len > 0 && solid.data[solid.len - 1] == ' ')
		solid.data[--solid.len] = '\0';
	r->rows[r->view.nrows] = buf_steal(&row);
	r->solid[r->view.nrows++] = buf_steal(&solid);
}

static void finish_view(struct recorded *r)
{
	r->view.rows = (const char *const *)r->rows;
	r->view.solid = (const char *const *)r->solid;
	r->view.title = r->title;
	r->view.bracketed_paste = true;
}

void recorded_load(struct recorded *r, const char *name)
{
	char *path = mem_printf("tests/unit/data/adapters/%s.txt", name);
	struct buf text = {0};
	const char *s;
	int rows, visible, alt, line = 0;

	*r = (struct recorded){0};
	read_file(path, &text);
	for (s = text.data; *s; line++) {
		size_t len = strcspn(s, "\n");

		if (line == 0 &&
		    sscanf(s, "%d %d %d %d %d %d", &r->view.cols, &rows,
			   &r->view.cursor_col, &r->view.cursor_row, &visible,
			   &alt) != 6)
			abort();
		if (line == 1)
			utf8_printable(r->title, sizeof r->title, s, len);
		if (line > 1)
			add_row(r, s, len);
		s += len + (s[len] == '\n');
	}
	while ((int)r->view.nrows < rows)
		add_row(r, "", 0);
	r->view.cursor_visible = visible;
	r->view.altscreen = alt;
	finish_view(r);
	buf_finish(&text);
	free(path);
}

void recorded_text(struct recorded *r, const char *text, int cols)
{
	*r = (struct recorded){0};
	r->view.cols = cols;
	for (const char *s = text;; s++) {
		size_t len = strcspn(s, "\n");

		add_row(r, s, len);
		r->view.cursor_row = (int)r->view.nrows - 1;
		r->view.cursor_col = utf8_width(s, len);
		s += len;
		if (*s == '\0')
			break;
	}
	finish_view(r);
}

void recorded_finish(struct recorded *r)
{
	for (size_t i = 0; i < r->view.nrows; i++) {
		free(r->rows[i]);
		free(r->solid[i]);
	}
}

int screens_check(const struct adapter *a, const struct rules *rules,
		  const struct screen_case *cases, size_t n)
{
	int bad = 0;

	for (const struct screen_case *c = cases; c < cases + n; c++) {
		struct recorded r;
		struct screen_state look;

		recorded_load(&r, c->name);
		adapter_read_screen(a, rules, &r.view, &look);
		recorded_finish(&r);
		if (look.composer == c->composer &&
		    look.reading.activity == c->activity &&
		    look.reading.question == c->question &&
		    (c->detail == NULL ||
		     strstr(look.reading.detail, c->detail)))
			continue;
		bad++;
		printf("# %s: composer %d, activity %s, question %d, "
		       "\"%s\"\n",
		       c->name, look.composer,
		       activity_name(look.reading.activity),
		       look.reading.question, look.reading.detail);
	}
	return bad;
}

struct rules *rules_of(const char *harness)
{
	char *path = mem_printf("share/adapters/%s.ini", harness);
	cJSON *config = cJSON_CreateObject();
	struct buf text = {0};
	struct rules *rules;
	struct err err;

	read_file(path, &text);
	for (char *s = strtok(text.data, "\n"); s; s = strtok(NULL, "\n")) {
		char *eq = strstr(s, " = ");
		cJSON *list;

		if (eq == NULL || *s == ';')
			continue;
		*eq = '\0';
		list = cJSON_GetObjectItemCaseSensitive(config, s);
		if (list == NULL)
			list = json_set_array(config, s);
		cJSON_AddItemToArray(list, cJSON_CreateString(eq + 3));
	}
	rules = rules_create(config, &err);
	if (rules == NULL) {
		fprintf(stderr, "%s: %s\n", path, err.what);
		exit(2);
	}
	cJSON_Delete(config);
	buf_finish(&text);
	free(path);
	return rules;
}
