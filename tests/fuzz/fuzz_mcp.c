/*
 * fuzz_mcp.c - any lines to the tools' MCP server, and any words to FTS5.
 * Every line has one answer or none, as JSON-RPC says; no words are wrong.
 */
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "tools/fts.h"
#include "tools/mcp_server.h"
#include "tools/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(x)                                                                \
	do {                                                                   \
		if (!(x))                                                      \
			abort();                                               \
	} while (0)

#define NOWHERE "/nonexistent/afw"
#define TEXT	"The database is Postgres 16.\n"

static char dir[] = "/tmp/afw-fuzz.XXXXXX", *text_file;
static struct toolbox box = {.dir = NOWHERE, .run = "0123456789abcdef"};
static sqlite3 *db;

static void finish(void)
{
	unlink(text_file);
	rmdir(dir);
	free(text_file);
	context_destroy(box.context);
	spec_finish(&box.spec);
	free(box.data_dir);
	sqlite3_close(db);
}

/* Only tools that read and write nothing of the user. */
static void start_tools(void)
{
	struct spec *s = &box.spec;

	MUST(setenv("AF_DATA_DIR", NOWHERE, 1) == 0);
	report_to(-1);
	MUST(mkdtemp(dir));
	text_file = file_join(dir, "db.md");
	MUST(file_replace(AT_FDCWD, text_file, TEXT, sizeof TEXT - 1, false,
			  NULL) == 0);
	box.data_dir = mem_strdup(NOWHERE);
	s->name = mem_strdup("one");
	s->harness = mem_strdup("generic");
	s->repository = mem_strdup(dir);
	s->worktree = mem_strdup(dir);
	s->bridge = cJSON_CreateObject();
	json_set_bool(s->bridge, "messages", true);
	json_set_str(json_set_object(s->bridge, "context"), "one", dir);
	MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
	MUST(sqlite3_exec(db,
			  "CREATE VIRTUAL TABLE t USING fts5 (text,"
			  " tokenize='porter unicode61');"
			  "INSERT INTO t VALUES ('" TEXT "')",
			  NULL, NULL, NULL) == SQLITE_OK);
	atexit(finish);
}

static bool has(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

static bool is_id(const cJSON *id)
{
	return cJSON_IsString(id) ||
	       (cJSON_IsNumber(id) && isfinite(id->valuedouble));
}

static bool is_blank(const char *line, size_t len)
{
	while (len > 0 && memchr(" \t\r\n", line[len - 1], 4))
		len--;
	return len == 0;
}

static void check_answer(const struct buf *out, const cJSON *asked_id)
{
	cJSON *o = json_parse_object(out->data, out->len, NULL);
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(o, "id"), *error;

	MUST(memchr(out->data, '\n', out->len) == out->data + out->len - 1);
	MUST(strcmp(json_str_or(o, "jsonrpc", ""), "2.0") == 0);
	MUST(is_id(asked_id) ? cJSON_Compare(id, asked_id, true)
			     : cJSON_IsNull(id));
	MUST(has(o, "result") != has(o, "error"));
	error = cJSON_GetObjectItemCaseSensitive(o, "error");
	MUST(!error || (json_int(error, "code", 0) < 0 &&
			*json_str_or(error, "message", "")));
	cJSON_Delete(o);
}

static void as_line(const char *line, size_t len)
{
	struct buf out = {0};
	cJSON *asked = json_parse_object(line, len, NULL);
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(asked, "id");

	mcp_answer(&box, line, len, &out);
	if (out.len)
		check_answer(&out, id);
	else
		MUST(is_blank(line, len) ||
		     (asked && (!id || (!json_str(asked, "method") &&
					(has(asked, "result") ||
					 has(asked, "error"))))));
	cJSON_Delete(asked);
	buf_finish(&out);
}

static void as_words(const char *words)
{
	char *query = fts_query(words);
	sqlite3_stmt *st = *query ? fts_prepare(db,
						"SELECT text FROM t WHERE "
						"t MATCH ? ORDER BY bm25(t)",
						NULL)
				  : NULL;
	int rc = SQLITE_DONE;

	if (st) {
		fts_bind(st, 1, query);
		rc = sqlite3_step(st);
	}
	MUST(rc == SQLITE_ROW || rc == SQLITE_DONE);
	sqlite3_finalize(st);
	free(query);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1);
	const char *at = text, *end = text + size, *lf;

	if (!db)
		start_tools();
	if (size > 0)
		memcpy(text, data, size);
	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf)
			lf = end;
		as_line(at, (size_t)(lf - at));
	}
	as_words(text);
	free(text);
	return 0;
}
