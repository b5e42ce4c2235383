/*
 * fts.h - helpers for memory.c and context.c: make a full-text query of words;
 * prepare, bind and read SQLite statements.
 */
#ifndef AFW_TOOLS_FTS_H
#define AFW_TOOLS_FTS_H

#include <sqlite3.h>

#include "base/cleanup.h"
#include "base/err.h"

/* A database outlives its statements: it is declared before them. */
CLEANUP_POINTER(sqlite3, sqlite3_close)
CLEANUP_POINTER(sqlite3_stmt, sqlite3_finalize)
#define _database_  CLEANUP(sqlite3_close_at)
#define _statement_ CLEANUP(sqlite3_finalize_at)

/* The words of a search. Its time grows with their square: 256 frequent words
 * among 5000 notes take a quarter of a minute, 32 a third of a second. */
#define FTS_WORDS 32

/*
 * Returns the first FTS_WORDS words as a safe query of FTS5: each quoted, and
 * any may match. "" if there is no word. To be freed.
 */
char *fts_query(const char *words);

/* Returns a statement, to be finalized; NULL with err. */
sqlite3_stmt *fts_prepare(sqlite3 *db, const char *sql, struct err *err);
/* Binds text, which must stay valid until the statement was run. */
void fts_bind(sqlite3_stmt *st, int at, const char *text);
/* Returns a row's column; "" for NULL. Borrowed until the next step. */
const char *fts_text(sqlite3_stmt *st, int column);

#endif
