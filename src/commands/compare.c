/*
 * compare.c - afw compare: shows several sessions side by side, usually the
 * attempts at one task (new_several.c), or the difference between two of them.
 *
 * A session is a column, with a line for each field, if all columns fit the
 * terminal, and otherwise a line. The fields are columns of session_rows.h, and
 * whether the work merges: as in `afw conflicts`, but each into its own base.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/conflicts.h"
#include "commands/diff.h"
#include "commands/launch/host_git.h"
#include "commands/recount.h"
#include "session/disk/totals.h"
#include "session/session_rows.h"

static const struct command_option options[] = {
    {.name = "diff",
     .letter = 'd',
     .help = "show the changes from the first session's work to the "
	     "second's",
     .not_with = "json"},
    {.name = "stat", .help = "show only files and counts", .needs = "diff"},
    {.name = "no-pager", .help = "do not use a pager", .needs = "diff"},
    {.name = "json", .help = "print one array of objects"},
    {.name = NULL},
};

/* -- which sessions -------------------------------------------------------- */

struct meant {
	const char *here, *group;
};

static bool is_member(const struct session *s, const void *ctx)
{
	const struct meant *m = ctx;

	return session_is_here(s, m->here) && strv_has(&s->groups, m->group);
}

static int find_group(struct session_list *l, const char *group,
		      struct err *err)
{
	_free_ char *here = session_repository_here();

	if (!here) {
		err_set(err, ERR_FAILED,
			"compare: this is not in a git repository");
		return err_hint(err, "go to one, or name the sessions");
	}
	if (session_list_load(l, err) < 0)
		return -1;
	session_list_filter(l, is_member,
			    &(struct meant){.here = here, .group = group});
	if (l->n > 1)
		return 0;
	err_set(err, l->n ? ERR_FAILED : ERR_NO_SESSION,
		"compare: group '%s' has %s session in this repository", group,
		l->n ? "only one" : "no");
	return err_hint(err, "`afw group` lists the groups; or name at least "
			     "two sessions");
}

/* The caller calls session_list_finish() in every case. */
static int find_sessions(struct session_list *l, const struct args *args,
			 struct err *err)
{
	*l = (struct session_list){0};
	return args->n == 1 ? find_group(l, args->positional[0], err)
			    : targets_find(l, args, args->n, err);
}

/* -- whether its work merges ----------------------------------------------- */

enum merges {
	MERGES_UNKNOWN,
	MERGES_NOTHING, /* it has changed nothing */
	MERGES_DONE,	/* is merged already */
	MERGES_YES,
	MERGES_NO,
};

static const char *const merges_names[] = {"unknown", "nothing", "merged",
					   "yes", "no"};

struct attempt {
	const struct session *s;
	enum merges merges;
	cJSON *conflicts; /* as in afw-conflicts(1); NULL: none */
};

/* Returns why it was left out; NULL: it was not. */
static const char *why_left_out(const cJSON *answer)
{
	return json_str(cJSON_GetArrayItem(json_get(answer, "left_out"), 0),
			"why");
}

static void read_merges(struct attempt *a, cJSON *answer)
{
	const struct counts *c = &a->s->state.counts;
	cJSON *pair = cJSON_GetArrayItem(json_get(answer, "pairs"), 0);
	bool yes = cJSON_GetArraySize(json_get(answer, "order"));
	bool no = cJSON_GetArraySize(json_get(answer, "in_the_way"));

	/* Commits that would change nothing in the base are merged, too. */
	a->merges = no					      ? MERGES_NO
		    : c->merged > 0 || (!yes && c->ahead > 0) ? MERGES_DONE
		    : yes				      ? MERGES_YES
							      : MERGES_NOTHING;
	if (no)
		a->conflicts =
		    cJSON_DetachItemFromObjectCaseSensitive(pair, "conflicts");
}

/* An attempt that cannot be read is compared all the same. */
static void find_merges(struct attempt *a)
{
	struct session_list one = {.v = (struct session *)a->s, .n = 1};
	_json_ cJSON *answer = NULL;
	const char *why;
	struct err err;

	if (!conflicts_possible(a->s))
		return;
	answer = conflicts_find(&one, NULL, &err);
	why = answer ? why_left_out(answer) : err.what;
	if (why)
		output_warn("%s: %s", a->s->spec.name, why);
	else
		read_merges(a, answer);
}

static void print_merges(const struct attempt *a, struct buf *out)
{
	int64_t uncommitted = a->s->state.counts.uncommitted;
	int n = cJSON_GetArraySize(a->conflicts);

	if (a->merges == MERGES_UNKNOWN && !conflicts_possible(a->s))
		buf_adds(out, "no worktree");
	else if (a->merges == MERGES_NO)
		buf_addf(out, "no: %d conflict%s", n, n == 1 ? "" : "s");
	else
		buf_addf(out, "%s%s", merges_names[a->merges],
			 a->merges == MERGES_YES && uncommitted > 0
			     ? ", if committed"
			     : "");
}

/* -- the table ------------------------------------------------------------- */

/* Columns of session_rows.h. */
static const char *const fields[] = {
    "name", "harness", "state",	  "check",  "turns", "worked",
    "cost", "files",   "changes", "merges", /* not in session_rows.h */
};
#define FIELDS (sizeof fields / sizeof *fields)

static bool is_field(size_t field, const char *name)
{
	return strcmp(fields[field], name) == 0;
}

static void print_field(const struct attempt *a, size_t field, struct buf *out)
{
	if (is_field(field, "merges"))
		print_merges(a, out);
	else if (is_field(field, "check")) /* in words */
		field_print(state_fields, "check", &a->s->state, out);
	else
		session_row_print(session_column_find(fields[field], NULL),
				  a->s, out);
}

static void print_table(const struct attempt *v, size_t n)
{
	const char *titles[FIELDS];
	bool used[FIELDS] = {0};
	struct table *t;

	for (size_t f = 0; f < FIELDS; f++)
		titles[f] = is_field(f, "merges")
				? "MERGES"
				: session_column_find(fields[f], NULL)->title;
	t = table_create(FIELDS, titles);
	for (size_t i = 0; i < n; i++)
		for (size_t f = 0; f < FIELDS; f++) {
			_buf_ struct buf cell = {0};

			print_field(&v[i], f, &cell);
			used[f] |= cell.len > 0;
			table_cell(t, cell.data,
				   is_field(f, "name")	  ? "\033[1m"
				   : is_field(f, "state") ? output_sgr(v[i].s)
							  : NULL);
		}
	for (size_t f = 0; f < FIELDS; f++)
		if (!used[f])
			table_hide(t, f);
	table_end_turned(t);
}

static cJSON *attempt_to_json(const struct attempt *a)
{
	cJSON *o = session_to_json(a->s);
	struct totals h;

	totals_read(&h, a->s->dir, 0);
	json_set_int(o, "turns", h.turns);
	json_set_int(o, "worked_ms", totals_worked_ms(&h, a->s->alive));
	json_set_str(o, "merges", merges_names[a->merges]);
	cJSON_AddItemToObject(o, "conflicts",
			      a->conflicts ? cJSON_Duplicate(a->conflicts, 1)
					   : cJSON_CreateArray());
	return o;
}

static void compare(struct session_list *l, const struct args *args)
{
	struct attempt *v = mem_alloc(l->n * sizeof *v);
	cJSON *rows = args_has(args, "json") ? cJSON_CreateArray() : NULL;

	for (size_t i = 0; i < l->n; i++) {
		/* The state of a session whose turn has just ended can have
		 * the counts before it. */
		recount_read(&l->v[i]);
		v[i].s = &l->v[i];
		find_merges(&v[i]);
		if (rows)
			cJSON_AddItemToArray(rows, attempt_to_json(&v[i]));
	}
	if (rows)
		output_json(rows);
	else
		print_table(v, l->n);
	for (size_t i = 0; i < l->n; i++)
		cJSON_Delete(v[i].conflicts);
	free(v);
}

/* -- two of them ----------------------------------------------------------- */

static int diff_two(const struct session_list *l, const struct args *args,
		    struct err *err)
{
	const struct spec *a = &l->v[0].spec, *b = &l->v[1].spec;
	struct repo_place other = spec_place(b);
	struct diff_request rq = {.place = spec_place(a), .other = &other};
	_free_ char *what = NULL;

	for (size_t i = 0; i < l->n; i++)
		if (spec_check_checkout(&l->v[i].spec, err) < 0 ||
		    spec_check_single(&l->v[i].spec, "compare", err) < 0)
			return err_prefix(err, "compare '%s'",
					  l->v[i].spec.name);
	if (!session_is_here(&l->v[1], a->repository))
		return err_set(err, ERR_USAGE,
			       "compare: '%s' and '%s' are of two repositories",
			       a->name, b->name);
	what = mem_printf("diff of '%s' and '%s'", a->name, b->name);
	return diff_show(a, &rq, args, what, err);
}

static int cmd_compare(const struct args *args, struct err *err)
{
	_session_list_ struct session_list l = {0};
	bool diff = args_has(args, "diff");

	if (diff && args->n != 2)
		return err_set(err, ERR_USAGE,
			       "compare: --diff compares two sessions: name "
			       "both");
	if (find_sessions(&l, args, err) < 0)
		return -1;
	if (diff)
		return diff_two(&l, args, err);
	compare(&l, args);
	return 0;
}

/* They are compared there. */
static int compare_over_host(const struct args *args, const char *url,
			     int *code, struct err *err)
{
	host_git_refresh(url);
	return 0;
}

const struct command command_compare = {
    .name = "compare",
    .usage = "GROUP | NAME NAME...",
    .summary = "show several sessions side by side",
    .completes = "compared",
    .min_args = 1,
    .max_args = -1,
    .options = options,
    .run = cmd_compare,
    .over_host = compare_over_host,
};
