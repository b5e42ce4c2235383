/*
 * context.c - searches texts that the user wrote for agents: .af/context of the
 * repository's main worktree, and context/ of a template. If one has changed,
 * all are read again into a database in memory, a row for each 40 lines, or
 * fewer long ones: FTS5's time to quote a row grows with the square of its
 * words.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "tools/fts.h"
#include "tools/tool.h"

#define FILES_MAX    2000
#define FILE_MAX     ((size_t)1024 * 1024)
#define ALL_MAX	     ((size_t)32 * 1024 * 1024)
#define DEPTH_MAX    8
#define PIECE_LINES  40
#define PIECE_MAX    ((size_t)8 * 1024)
#define FOUND	     10
#define FOUND_MAX    30
#define CONTEXTS_MAX 64 /* that are named in an error */
#define PAGE	     ((size_t)64 * 1024)

struct context {
	sqlite3 *db;
	uint64_t seen; /* hash of all names, sizes and times */
};

/* One walk over all files. */
struct walk {
	sqlite3_stmt *insert; /* NULL: only compute seen */
	const char *id;	      /* of the context */
	struct err *err;
	uint64_t seen;
	size_t files, bytes;
};

void context_destroy(struct context *c)
{
	if (c)
		sqlite3_close(c->db);
	free(c);
}

static bool insert_row(struct walk *w, const char *name, int line,
		       const char *text, size_t len)
{
	bool fine;

	fts_bind(w->insert, 1, w->id);
	fts_bind(w->insert, 2, name);
	sqlite3_bind_int(w->insert, 3, line);
	sqlite3_bind_text(w->insert, 4, text, (int)len, SQLITE_STATIC);
	fine = sqlite3_step(w->insert) == SQLITE_DONE;
	sqlite3_reset(w->insert);
	return fine;
}

static bool insert_pieces(struct walk *w, const char *name,
			  const struct buf *text)
{
	const char *at = text->data, *end = at + text->len;
	int line = 1;

	while (at < end) {
		const char *piece = at, *stop = end;
		int n = 0;

		if ((size_t)(end - at) > PIECE_MAX)
			stop = at + utf8_whole(at, PIECE_MAX);
		while (at < stop && n < PIECE_LINES) {
			const char *lf = memchr(at, '\n', (size_t)(stop - at));

			if (!lf && n > 0 && stop < end)
				break;
			n += lf != NULL;
			at = lf ? lf + 1 : stop;
		}
		if (!insert_row(w, name, line, piece, (size_t)(at - piece)))
			return false;
		line += n;
	}
	return true;
}

/* Leaves out files that are not text, and too large ones. */
static int add_file(struct walk *w, int dir, const char *file, const char *name,
		    const struct stat *st)
{
	_buf_ struct buf text = {0};

	if ((size_t)st->st_size > FILE_MAX)
		return 0;
	if (++w->files > FILES_MAX ||
	    (w->bytes += (size_t)st->st_size) > ALL_MAX)
		return err_set(w->err, ERR_LIMIT,
			       "there are over %d files, or 32 MiB, of context",
			       FILES_MAX);
	w->seen = hash_add(w->seen, w->id, strlen(w->id) + 1);
	w->seen = hash_add(w->seen, name, strlen(name) + 1);
	w->seen = hash_add(w->seen, &st->st_size, sizeof st->st_size);
	w->seen = hash_add(w->seen, &st->st_mtim, sizeof st->st_mtim);
	if (w->insert && file_read(dir, file, FILE_MAX, &text, NULL) == 0 &&
	    text.len && utf8_valid(text.data, text.len) &&
	    !insert_pieces(w, name, &text))
		return err_set(w->err, ERR_FAILED, "search: %s",
			       sqlite3_errmsg(sqlite3_db_handle(w->insert)));
	return 0;
}

/* Follows no link: a link of another user or an agent could expose other
 * files. */
static int walk(struct walk *w, int at, const char *sub, const char *front,
		int depth)
{
	_dir_ DIR *d = depth <= DEPTH_MAX ? file_list(at, sub) : NULL;
	const char *file;
	int rc = 0;

	while (rc == 0 && (file = file_list_next(d))) {
		_free_ char *name = mem_printf("%s%s", front, file);
		struct stat st;

		if (fstatat(dirfd(d), file, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    file[0] == '.')
			st.st_mode = 0;
		if (S_ISREG(st.st_mode)) {
			rc = add_file(w, dirfd(d), file, name, &st);
		} else if (S_ISDIR(st.st_mode)) {
			_free_ char *below = mem_printf("%s/", name);

			rc = walk(w, dirfd(d), file, below, depth + 1);
		}
	}
	return rc;
}

/* A repository's content is not trusted: .af must not be a link. */
static int open_dir(const struct toolbox *t, const char *dir)
{
	const char *top = spec_checkout(&t->spec), *last;
	size_t len = strlen(top);
	bool own = strncmp(dir, top, len) == 0 && dir[len] == '/';
	_free_ char *below =
	    own ? mem_printf("%s/", dir + len + 1) : mem_strdup("");

	return file_open_parent(AT_FDCWD, own ? top : dir, below, 0, &last);
}

/* Returns all contexts: {id: directory}. */
static const cJSON *contexts(const struct toolbox *t)
{
	return json_get(t->spec.bridge, "context");
}

static int walk_all(const struct toolbox *t, struct walk *w)
{
	const cJSON *dir;
	int rc = 0;

	w->seen = HASH_NONE;
	cJSON_ArrayForEach (dir, contexts(t)) {
		_close_ int fd = open_dir(t, dir->valuestring);

		w->id = dir->string;
		if (rc == 0)
			rc = walk(w, fd, ".", "", 0);
	}
	return rc;
}

static int read_all(const struct toolbox *t, sqlite3 *db, struct err *err)
{
	struct walk w = {.err = err};
	int rc;

	if (sqlite3_exec(db,
			 "CREATE VIRTUAL TABLE piece USING fts5 (context "
			 "UNINDEXED, name,"
			 " line UNINDEXED, text, tokenize='porter unicode61');"
			 "BEGIN",
			 NULL, NULL, NULL) != SQLITE_OK)
		return err_set(err, ERR_FAILED, "search: %s",
			       sqlite3_errmsg(db));
	w.insert =
	    fts_prepare(db, "INSERT INTO piece VALUES (?, ?, ?, ?)", err);
	rc = w.insert ? walk_all(t, &w) : -1;
	sqlite3_finalize(w.insert);
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	return rc;
}

/* Returns the database of the present files; NULL with err. */
static sqlite3 *open_index(struct toolbox *t, struct err *err)
{
	struct walk w = {.err = err};
	struct context *c = t->context;

	if (walk_all(t, &w) < 0)
		return NULL;
	if (c && c->seen == w.seen)
		return c->db;
	context_destroy(c);
	t->context = c = mem_alloc(sizeof *c);
	c->seen = w.seen;
	if (sqlite3_open(":memory:", &c->db) == SQLITE_OK &&
	    read_all(t, c->db, err) == 0)
		return c->db;
	if (err->kind == ERR_NONE)
		err_set(err, ERR_FAILED, "search: SQLite cannot be started");
	context_destroy(c);
	t->context = NULL;
	return NULL;
}

/* Reads the argument context: NULL if it is missing; -1 if it is unknown. */
static int find_context(const struct toolbox *t, const cJSON *args,
			const char **id, struct err *err)
{
	const char *given = tool_text(args, "context");
	const char *all[CONTEXTS_MAX + 1] = {NULL};
	const cJSON *dir;
	size_t n = 0;

	*id = *given ? given : NULL;
	if (!*id || json_get(contexts(t), *id))
		return 0;
	cJSON_ArrayForEach (dir, contexts(t))
		if (n < CONTEXTS_MAX)
			all[n++] = dir->string;
	err_set(err, ERR_USAGE, "there is no context '%.60s'", *id);
	nearest_append(err, *id, all, "", "");
	return -1;
}

static void add_ids(const struct toolbox *t, cJSON *out)
{
	cJSON *list = json_set_array(out, "contexts");
	const cJSON *dir;

	cJSON_ArrayForEach (dir, contexts(t))
		cJSON_AddItemToArray(list, cJSON_CreateString(dir->string));
}

static int run_search(struct toolbox *t, const cJSON *args, struct buf *out,
		      struct err *err)
{
	const char *id;
	sqlite3 *db =
	    find_context(t, args, &id, err) < 0 ? NULL : open_index(t, err);
	_free_ char *match = fts_query(tool_text(args, "query"));
	int64_t limit = json_int(args, "limit", FOUND);
	_json_ cJSON *o = cJSON_CreateObject();
	cJSON *list = json_set_array(o, "found");
	_statement_ sqlite3_stmt *st = NULL;

	add_ids(t, o);
	if (db && *match)
		st = fts_prepare(db,
				 "SELECT context, name, line, snippet(piece, 3,"
				 " '', '', ' ... ', 48) FROM piece"
				 " WHERE piece MATCH ?1"
				 " AND (?3 IS NULL OR context = ?3)"
				 " ORDER BY bm25(piece, 0.0, 4.0) LIMIT ?2",
				 err);
	if (st) {
		fts_bind(st, 1, match);
		sqlite3_bind_int64(st, 2,
				   limit < 1	       ? 1
				   : limit > FOUND_MAX ? FOUND_MAX
						       : limit);
		fts_bind(st, 3, id);
	}
	while (st && sqlite3_step(st) == SQLITE_ROW) {
		cJSON *one = cJSON_CreateObject();

		json_set_str(one, "context", fts_text(st, 0));
		json_set_str(one, "name", fts_text(st, 1));
		json_set_int(one, "line", sqlite3_column_int64(st, 2));
		json_set_str(one, "text", fts_text(st, 3));
		cJSON_AddItemToArray(list, one);
	}
	if (err->kind)
		return -1;
	json_print(o, out);
	return 0;
}

/* Reads it from the first context that has it, or from the one with the id;
 * follows no link, and stays below the context. */
static int read_named(const struct toolbox *t, const char *id, const char *name,
		      struct buf *out, struct err *err)
{
	const cJSON *dir;

	cJSON_ArrayForEach (dir, contexts(t)) {
		const char *last;

		_close_ int top = open_dir(t, dir->valuestring);
		_close_ int fd = file_open_parent(top, ".", name, 0, &last);

		if ((!id || strcmp(id, dir->string) == 0) && fd >= 0 &&
		    file_read(fd, last, FILE_MAX, out, NULL) == 0)
			return 0;
	}
	err_set(err, ERR_FAILED, "there is no text '%.100s'", name);
	return err_hint(err, "af_context_search lists the names");
}

static int run_get(struct toolbox *t, const cJSON *args, struct buf *out,
		   struct err *err)
{
	const char *name = tool_text(args, "name"), *id;
	int64_t line = json_int(args, "line", 1);
	_buf_ struct buf text = {0};
	size_t at = 0;

	if (name[0] == '/' || name[0] == '.' || strstr(name, "/."))
		return err_set(err, ERR_USAGE,
			       "'%.100s' is not the name of a text", name);
	if (find_context(t, args, &id, err) < 0 ||
	    read_named(t, id, name, &text, err) < 0)
		return -1;
	for (; line > 1 && at < text.len; at++)
		line -= text.data[at] == '\n';
	buf_add(out, text.len ? text.data + at : "",
		text.len - at > PAGE ? PAGE : text.len - at);
	if (text.len - at > PAGE)
		buf_adds(out, "\n[cut: call again with a later line]\n");
	return 0;
}

static bool has_context(const struct toolbox *t)
{
	const cJSON *dir;

	cJSON_ArrayForEach (dir, contexts(t))
		if (cJSON_IsString(dir) && access(dir->valuestring, F_OK) == 0)
			return true;
	return false;
}

const struct tool tool_context_search = {
    .name = "af_context_search",
    .help = "Searches the texts that the user wrote for agents on this project "
	    "(decisions, guides), best matches first.",
    .kind = TOOL_READS,
    .args = {{.name = "query", .help = "Words.", .required = true},
	     {.name = "context", .help = "The id of one; else all."},
	     {.name = "limit", .help = "How many; 10.", .number = true}},
    .offered = has_context,
    .missing = "there is no .af/context, and no other context",
    .run = run_search,
};

const struct tool tool_context_get = {
    .name = "af_context_get",
    .help = "Reads one text that af_context_search found, by its name.",
    .kind = TOOL_READS,
    .args = {{.name = "name", .help = "Its name.", .required = true},
	     {.name = "context", .help = "The id of its context."},
	     {.name = "line",
	      .help = "The first line to read.",
	      .number = true}},
    .offered = has_context,
    .missing = "there is no .af/context, and no other context",
    .run = run_get,
};
