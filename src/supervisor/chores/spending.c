/*
 * spending.c - when a turn has ended, reads the tokens that it has used from
 * the agent's files (adapters/usage.h) or from its hook, and writes a row of
 * the ledger.
 *
 * The files may be written after the end is reported, so they are read again
 * until there is something new. They are read in slices, between which the loop
 * handles other events. At most MOST bytes of all files are read for one turn;
 * the rest is skipped. A row that could not be stored is not written again.
 */
#include <string.h>
#include <unistd.h>

#include "adapters/usage.h"
#include "adapters/usage_files.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "session/disk/ledger.h"
#include "supervisor/chores/budget.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"

#define SLICE ((size_t)1024 * 1024)
#define MOST  ((int64_t)64 * 1024 * 1024)
#define FILES_MAX                                                              \
	16 /* files that are remembered, so that state.json stays small */
#define FIRST_MS 200
#define AGAIN_MS 300
#define UNTIL_MS 3000 /* for files that are written later */
#define STAMP_MS 1000 /* a file's time may lag behind the clock */

struct spending {
	struct known {
		struct usage_file file;
		bool grew; /* in this turn: if it were forgotten now, it would
			      be counted again */
	} files[FILES_MAX];
	size_t n;
	int64_t left;	  /* bytes that may be read for this turn */
	int64_t read_at;  /* wall ms: the end of the last turn that was read. A
			     file that appears later may have copies of older
			     lines, which were counted in another file */
	int64_t ended_at; /* wall ms: of this turn */
	struct loop_timer *timer;
	int64_t until; /* mono ms: reads again until then; 0: no turn */
	int64_t turns; /* turns that have no row yet */
	bool more;     /* a file has another slice */
	struct usage_sums sums; /* of these turns */
};

/* -- the files ------------------------------------------------------------- */

static void load(struct supervisor *sv)
{
	struct spending *u = sv->spending;
	const cJSON *o;

	u->read_at = json_int(sv->state.usage, "read_at", sv->spec.created_at);
	cJSON_ArrayForEach (o, json_get(sv->state.usage, "files"))
		u->n += u->n < FILES_MAX &&
			usage_file_parse(o, &u->files[u->n].file);
}

static void store(struct supervisor *sv)
{
	const struct spending *u = sv->spending;
	cJSON *o = cJSON_CreateObject(), *files;

	json_set_int(o, "read_at", u->read_at);
	files = json_set_array(o, "files");
	for (size_t i = 0; i < u->n; i++)
		cJSON_AddItemToArray(files, usage_file_json(&u->files[i].file));
	cJSON_Delete(sv->state.usage);
	sv->state.usage = o;
}

/* Forgets the oldest file that has not grown in this turn. */
static bool make_room(struct spending *u)
{
	size_t i = 0;

	while (i < u->n && u->files[i].grew)
		i++;
	if (u->n < FILES_MAX)
		return true;
	if (i == u->n)
		return false;
	memmove(&u->files[i], &u->files[i + 1],
		(--u->n - i) * sizeof u->files[0]);
	return true;
}

/* Returns the file's entry. NULL if the file was not written since the last
 * turn (its agent may have ended long ago), or if too many other files have
 * grown in this turn. */
static struct known *find_file(struct spending *u, const struct stat *st)
{
	/* 0 if the clock was set back since: then no line is too old. */
	int64_t since = u->read_at <= clock_wall_ms() ? u->read_at : 0;

	for (size_t i = 0; i < u->n; i++)
		if (u->files[i].file.ino == st->st_ino &&
		    u->files[i].file.dev == st->st_dev)
			return &u->files[i];
	if (st->st_mtime * 1000LL + STAMP_MS < since || !make_room(u))
		return NULL;
	u->files[u->n].grew = false;
	u->files[u->n].file = (struct usage_file){
	    .dev = st->st_dev, .ino = st->st_ino, .since = since};
	return &u->files[u->n++];
}

/* Reads the next slice. A file that has shrunk was rewritten: its present lines
 * were counted before. */
static void read_file(void *ctx, int fd, const struct stat *st)
{
	struct supervisor *sv = ctx;
	struct spending *u = sv->spending;
	struct known *known = find_file(u, st);
	struct usage_file *f = known ? &known->file : NULL;
	_buf_ struct buf text = {0};
	const char *nl;
	ssize_t n;

	if (!f)
		return;
	if (st->st_size < f->at)
		f->at = st->st_size;
	if (st->st_size - f->at > u->left) {
		publish_log("usage: %lld bytes of a conversation are skipped",
			    (long long)(st->st_size - f->at - u->left));
		f->at = st->st_size - u->left;
	}
	n = pread(fd, buf_room(&text, SLICE), SLICE, f->at);
	if (n <= 0)
		return;
	known->grew = true;
	u->left -= n < u->left ? n : u->left;
	nl = memrchr(text.data, '\n', (size_t)n);
	if (nl)
		usage_read(sv->rules, f, text.data, (size_t)(nl - text.data),
			   &u->sums);
	/* A line longer than a slice is skipped: it is not a message with
	 * tokens. */
	if (nl || (size_t)n == SLICE)
		f->at += nl ? nl + 1 - text.data : n;
	u->more |= (size_t)n == SLICE && u->left > 0;
}

static void read_slice(struct supervisor *sv)
{
	_free_ char *cwd = spec_directory(&sv->spec);
	const struct usage_place place = {
	    .dir = harness_record_dir(sv),
	    .conversation = sv->state.conversation,
	    .cwd = cwd,
	    .since = sv->spec.created_at,
	};

	sv->spending->more = false;
	if (usage_known(sv->rules))
		usage_each_file(sv->adapter, sv->rules, &place, read_file, sv);
}

/* -- the rows -------------------------------------------------------------- */

/* The table is as large as all else that a session keeps, and needed once in a
 * turn: it stays in the file. */
static void drop_prices(struct supervisor *sv)
{
	cJSON_Delete(sv->spec.prices);
	sv->spec.prices = NULL;
}

static int64_t price_of(const struct supervisor *sv, const char *model,
			const struct tokens *used)
{
	_spec_ struct spec s = {0};
	struct err err;

	if (spec_load(&s, sv->dir, &err) == 0)
		return tokens_price(used, s.prices, model);
	publish_log("usage: %s", err.what);
	return 0;
}

static void add_row(struct supervisor *sv, const char *model,
		    struct tokens *used)
{
	const struct spec *s = &sv->spec;
	struct ledger_row row = {.at = clock_wall_ms(),
				 .session = s->id,
				 .name = s->name,
				 .repository = s->repository,
				 .harness = s->harness,
				 .model = model,
				 .turns = sv->spending->turns};
	struct err err;

	if (!used->cost_micro && harness_pays_by_token(sv))
		used->cost_micro = price_of(sv, model, used);
	row.tokens = *used;
	sv->spending->turns = 0;
	tokens_add(&sv->state.tokens, used);
	if (ledger_append(&row, &err) < 0)
		publish_log("usage: %s", err.what);
}

/* A turn without tokens has no row of its own: it is counted in the row of the
 * next turn. last: there is no next row, because the session ends or the agent
 * never reports tokens. */
static void write_rows(struct supervisor *sv, bool last)
{
	struct spending *u = sv->spending;
	char **model = &sv->state.model;
	struct tokens none = {0};

	if (!u->sums.n && !(last && u->turns))
		return;
	for (size_t i = 0; i < u->sums.n; i++) {
		add_row(sv, u->sums.v[i].model, &u->sums.v[i].tokens);
		if (u->sums.v[i].model[0])
			mem_set(model, u->sums.v[i].model);
	}
	if (u->turns)
		add_row(sv, *model ? *model : "", &none);
	u->sums = (struct usage_sums){0};
	store(sv);
	budget_update(sv);
	publish_lasting(sv);
}

/* Reads the rest for this turn, and stops reading: it ended long enough ago, or
 * the next one begins, or the session ends. */
static void finish_turn(struct supervisor *sv, bool last)
{
	struct spending *u = sv->spending;

	u->more = u->until != 0;
	while (u->more)
		read_slice(sv);
	u->until = 0;
	u->left = MOST;
	for (size_t i = 0; i < u->n; i++)
		u->files[i].grew = false;
	loop_timer_stop(u->timer);
	if (u->ended_at)
		u->read_at = u->ended_at;
	write_rows(sv, last);
	budget_expect(sv, false);
}

static void on_timer(void *ctx)
{
	struct supervisor *sv = ctx;
	struct spending *u = sv->spending;

	read_slice(sv);
	if (u->more) {
		loop_timer_set(u->timer, 0);
	} else if (!usage_known(sv->rules) || clock_mono_ms() >= u->until) {
		finish_turn(sv, !sv->state.model);
	} else {
		if (u->sums.n) {
			write_rows(sv, false);
			budget_expect(sv, false);
		}
		/* The turn's last message may not be in the file yet. */
		loop_timer_set(u->timer, AGAIN_MS);
	}
}

/* -- the part -------------------------------------------------------------- */

static bool is_active(const struct verdict *v)
{
	return v->source != SOURCE_PROCESS && !v->starting_up &&
	       (v->activity == ACTIVITY_WORKING ||
		v->activity == ACTIVITY_THINKING ||
		v->activity == ACTIVITY_WAITING_FOR_INPUT);
}

static void spending_verdict(struct supervisor *sv, const struct verdict *was)
{
	struct spending *u = sv->spending;

	if (u->until && is_active(&sv->verdict) && !is_active(was))
		finish_turn(sv, false);
	if (!is_active(was) || !activity_is_idle(sv->verdict.activity))
		return;
	sv->state.turns++;
	u->turns++;
	u->ended_at = clock_wall_ms();
	u->until = clock_mono_ms() + UNTIL_MS;
	budget_expect(sv, true);
	budget_update(sv);
	loop_timer_set(u->timer, FIRST_MS);
	publish_lasting(sv);
}

/* Some agents report their tokens through their hooks. */
static void spending_reading(struct supervisor *sv, const struct reading *r)
{
	if (r->turn_ended &&
	    (tokens_count(&r->tokens) > 0 || r->tokens.cost_micro > 0))
		usage_sums_add(&sv->spending->sums, r->model, &r->tokens);
}

static int spending_init(struct supervisor *sv, struct err *err)
{
	sv->spending->timer = loop_timer_add(sv->loop, on_timer, sv);
	sv->spending->left = MOST;
	load(sv);
	drop_prices(sv);
	return 0;
}

static void spending_end(struct supervisor *sv, const char *reason)
{
	sv->spending->until = 1;
	finish_turn(sv, true);
}

static void spending_finish(struct supervisor *sv)
{
	loop_timer_remove(sv->spending->timer);
}

const struct part spending_part = {
    .own = PART_OWN(spending),
    .init = spending_init,
    .reading = spending_reading,
    .verdict = spending_verdict,
    .end = spending_end,
    .finish = spending_finish,
};
