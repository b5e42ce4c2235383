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

/* What a search takes grows with their square: 256 that are frequent among
 * 5000 notes take a quarter of a minute, 32 a third of a second. */
#define FTS_WORDS 32

/*
 * The first FTS_WORDS words as a query of FTS5 that no word can change: each
 * quoted, any of them fits. "" if there is no word in it. To be freed.
 */
char *fts_query(const char *words);

/* To be finalized; NULL with err. */
sqlite3_stmt *fts_prepare(sqlite3 *db, const char *sql, struct err *err);
/* The text must live until the statement was run. */
void fts_bind(sqlite3_stmt *st, int at, const char *text);
/* Of a row; "" for NULL. Borrowed until the next step. */
const char *fts_text(sqlite3_stmt *st, int column);

#endif
