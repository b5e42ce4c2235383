/* fts.c - makes queries of FTS5, and wraps SQLite's calls. */
#include "tools/fts.h"

#include <ctype.h>
#include <stdbool.h>

#include "base/buf.h"

/* True for a character of a word, which includes all above ASCII. */
static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

char *fts_query(const char *words)
{
	struct buf out = {0};

	for (int n = 0; *words && n < FTS_WORDS;) {
		if (!is_word(*words)) {
			words++;
			continue;
		}
		buf_adds(&out, out.len ? " OR \"" : "\"");
		while (is_word(*words))
			buf_addc(&out, *words++);
		buf_addc(&out, '"');
		n++;
	}
	return buf_steal(&out);
}

sqlite3_stmt *fts_prepare(sqlite3 *db, const char *sql, struct err *err)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		err_set(err, ERR_FAILED, "%s: %s",
			sqlite3_db_filename(db, "main")[0] ? "memory.db"
							   : "search",
			sqlite3_errmsg(db));
	return st;
}

void fts_bind(sqlite3_stmt *st, int at, const char *text)
{
	sqlite3_bind_text(st, at, text, -1, SQLITE_STATIC);
}

const char *fts_text(sqlite3_stmt *st, int column)
{
	const unsigned char *text = sqlite3_column_text(st, column);

	return text ? (const char *)text : "";
}
