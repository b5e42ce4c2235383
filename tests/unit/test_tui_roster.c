/* test_tui_roster.c - the list's order, its groups and what is selected. */
#include "session/session.h"
#include "session/session_limits.h"
#include "support_unit.h"
#include "tui/model/machine.h"
#include "tui/model/roster.h"

static void add(struct roster *r, const char *name, const char *repository,
		enum activity activity, int64_t lines)
{
	struct session *s;

	r->list.v = mem_realloc(r->list.v, (r->list.n + 1) * sizeof *s);
	s = &r->list.v[r->list.n++];
	*s = (struct session){0};
	state_init(&s->state);
	snprintf(s->spec.id, sizeof s->spec.id, "%032zx", r->list.n);
	s->spec.name = mem_strdup(name);
	s->spec.repository = mem_printf("/src/%s", repository);
	s->spec.repository_name = mem_strdup(repository);
	s->spec.harness = mem_strdup("claude");
	s->spec.created_at = (int64_t)r->list.n;
	s->state.phase = PHASE_RUNNING;
	s->state.activity = activity;
	s->state.counts.lines_added = lines;
}

/* "web: b c; api:" with "*" after the selected one. */
static char *picture(const struct roster *r)
{
	struct buf b = {0};

	for (size_t i = 0; i < r->nshown; i++) {
		const struct roster_group *g = roster_heading(r, i);

		buf_addf(&b, "%s%s%s%s", i ? " " : "",
			 g ? g->key + 5 : roster_shown(r, i)->spec.name,
			 g ? ":" : "", i == r->cursor ? "*" : "");
	}
	buf_adds(&b, "");
	return buf_steal(&b);
}

static void assert_picture(struct roster *r, const char *wanted)
{
	char *is = picture(r);

	assert_string_equal(is, wanted);
	free(is);
}

static void fill(struct roster *r)
{
	add(r, "a", "web", ACTIVITY_WORKING, 3);
	add(r, "c", "api", ACTIVITY_WORKING, 9);
	add(r, "b", "web", ACTIVITY_WAITING_FOR_INPUT, 1);
	add(r, "d", "lib", ACTIVITY_WORKING, -1);
	roster_arrange(r);
}

TEST(roster__knows_every_order)
{
	static const char *const wanted[ORDER_COUNT] = {"b* a c d", "a b* c d",
							"d b* c a", "c d b* a",
							"b* a c d", "c a b* d"};
	struct roster r = {0};

	fill(&r);
	for (int i = 0; i < ORDER_COUNT; i++) {
		r.order = (enum order)i;
		assert_int_equal(order_of(order_name(r.order)), r.order);
		roster_arrange(&r);
		assert_picture(&r, wanted[i]);
	}
	roster_finish(&r);
}

TEST(roster__groups_stand_by_name_but_who_waits_first)
{
	struct roster r = {.by = BY_REPOSITORY};

	fill(&r);
	assert_picture(&r, "web: b* a api: c lib: d");
	r.order = ORDER_NAME;
	roster_arrange(&r);
	assert_picture(&r, "api: c lib: d web: a b*");
	roster_finish(&r);
}

TEST(roster__folds_and_keeps_the_selection)
{
	struct roster r = {.by = BY_REPOSITORY};
	char id[SPEC_ID_LEN + 1];

	fill(&r);
	assert_false(roster_fold(&r, false));
	assert_true(roster_fold(&r, true));
	assert_picture(&r, "web:* api: c lib: d");
	assert_null(roster_selected(&r));
	assert_false(roster_fold(&r, true));
	roster_mark_all(&r, roster_heading(&r, 0));
	assert_int_equal(r.marked.n, 2);
	roster_move(&r, 99);
	assert_picture(&r, "web: api: c lib: d*");
	/* The wanted sessions are visible. */
	assert_true(roster_next_waiting(&r));
	assert_picture(&r, "web: b* a api: c lib: d");
	memcpy(id, r.list.v[1].spec.id, sizeof id);
	assert_true(roster_select(&r, id));
	assert_true(roster_fold(&r, true));
	assert_picture(&r, "web: b a api:* lib: d");
	roster_filter(&r, "api");
	assert_picture(&r, "api:* c");
	roster_filter(&r, NULL);
	assert_true(roster_select(&r, id));
	assert_picture(&r, "web: b a api: c* lib: d");
	roster_filter(&r, "nobody");
	assert_picture(&r, "");
	assert_false(roster_next_waiting(&r));
	assert_false(roster_fold(&r, true));
	roster_finish(&r);
}

/* It goes into a folded group: its heading is selected. */
TEST(roster__follows_one_that_moves)
{
	struct roster r = {.by = BY_REPOSITORY};

	fill(&r);
	assert_true(roster_select(&r, r.list.v[1].spec.id));
	assert_true(roster_fold(&r, true));
	assert_true(roster_select(&r, r.list.v[3].spec.id));
	memcpy(r.list.v[3].spec.repository, "/src/api", 8);
	memcpy(r.list.v[3].spec.repository_name, "api", 3);
	roster_arrange(&r);
	assert_picture(&r, "web: b a api:*");
	roster_finish(&r);
}

TEST(roster__takes_200_sessions)
{
	struct roster r = {.by = BY_REPOSITORY};
	char name[16];

	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof name, "s%d", i * 7919 % 200);
		add(&r, name, name, ACTIVITY_WORKING, i);
		strv_addf(&r.folded, "/src/%s", name);
	}
	roster_arrange(&r);
	assert_int_equal(r.nshown, 200);
	roster_finish(&r);
}

static void set_limit(struct roster *r, size_t i, const char *limited,
		      int64_t until, const char *by)
{
	struct session *s = &r->list.v[i];

	s->alive = true;
	mem_set(&s->state.limited, limited);
	mem_set(&s->state.limited_by, by);
	s->state.limited_until = until;
}

/* Questions first, then a line for each limit that two sessions share. */
TEST(roster__folds_a_shared_limit_in_the_inbox)
{
	struct roster r = {.order = ORDER_NEED};
	struct buf line = {0};

	fill(&r);
	add(&r, "e", "lib", ACTIVITY_WORKING, -1);
	r.list.v[2].alive = true;
	set_limit(&r, 0, "usage limit", 3600000, "you");
	set_limit(&r, 1, "usage limit", 3600000 + 900, "you");
	set_limit(&r, 3, "usage limit", 7200000, "you");
	set_limit(&r, 4, "usage limit", 3600000, "itself");
	roster_show_inbox(&r, true);
	assert_int_equal(r.nshown, 3);
	assert_string_equal(roster_shown(&r, 0)->spec.name, "b");
	assert_int_equal(r.cursor, 0);
	assert_true(roster_heading(&r, 1)->folded);
	roster_group_title(&r, roster_heading(&r, 1), &line);
	assert_memory_equal(line.data, "2 claude sessions are limited until ",
			    36);
	assert_string_equal(roster_shown(&r, 2)->spec.name, "d");
	roster_move(&r, 1);
	assert_false(roster_fold(&r, true));
	assert_true(roster_fold(&r, false));
	assert_int_equal(r.nshown, 5);
	assert_true(roster_fold(&r, true));
	assert_int_equal(r.nshown, 3);
	assert_true(roster_select(&r, r.list.v[1].spec.id));
	assert_string_equal(roster_selected(&r)->spec.name, "c");
	roster_show_inbox(&r, false);
	assert_int_equal(r.nshown, 5);
	assert_int_equal(r.ngroups, 0);
	buf_finish(&line);
	roster_finish(&r);
}

TEST(roster__asks_once_for_a_login)
{
	struct roster r = {0};
	struct buf line = {0};

	fill(&r);
	for (size_t i = 0; i < r.list.n; i++)
		set_limit(&r, i, "login needed", 0, "you");
	roster_show_inbox(&r, true);
	assert_int_equal(r.nshown, 1);
	roster_group_title(&r, roster_heading(&r, 0), &line);
	assert_string_equal(line.data,
			    "4 claude sessions need a login: run claude");
	/* Each machine has a login of its own. */
	for (size_t i = 0; i < 3; i++)
		r.list.v[i].host = mem_strdup("gpu");
	roster_arrange(&r);
	assert_int_equal(r.nshown, 2);
	buf_clear(&line);
	session_limit_line(&r.list.v[0], 3, &line);
	assert_string_equal(
	    line.data,
	    "3 claude sessions need a login on gpu: run claude there");
	/* It is in the way of one conversation only. */
	for (size_t i = 0; i < r.list.n; i++)
		set_limit(&r, i, "context full", 0, "you");
	roster_arrange(&r);
	assert_int_equal(r.nshown, 4);
	buf_finish(&line);
	roster_finish(&r);
}

static struct session away(const char *host, const char *name, size_t n)
{
	struct session s = {.host = mem_strdup(host), .alive = true};

	state_init(&s.state);
	snprintf(s.spec.id, sizeof s.spec.id, "%032zx", n);
	s.spec.name = mem_strdup(name);
	s.spec.repository = mem_strdup("/home/ubuntu/web");
	s.spec.repository_name = mem_strdup("web");
	s.state.phase = PHASE_RUNNING;
	s.state.activity = ACTIVITY_WORKING;
	return s;
}

TEST(roster__has_the_sessions_of_other_machines)
{
	struct roster r = {.order = ORDER_NAME};
	struct session s = away("gpu", "x", 100), again = away("gpu", "x", 100);
	struct session copy = away("gpu", "a", 1);
	char *label;

	fill(&r);
	assert_int_equal(roster_put(&r, &s), ROSTER_SET);
	again.state.activity = ACTIVITY_WAITING_FOR_INPUT;
	assert_int_equal(roster_put(&r, &again), ROSTER_REORDER);
	roster_arrange(&r);
	assert_picture(&r, "a* b c d x");
	assert_int_equal(roster_put(&r, &copy), ROSTER_SAME);
	assert_null(r.list.v[0].host);
	label = roster_label(&r, &r.list.v[4]);
	assert_string_equal(label, "gpu:web/x");
	assert_string_equal(r.list.v[4].spec.repository, "/src/web");
	free(label);
	roster_filter(&r, "gpu:");
	assert_picture(&r, "x*");
	roster_filter(&r, NULL);
	assert_int_equal(roster_remove(&r, again.spec.id, true), ROSTER_SAME);
	assert_int_equal(roster_remove(&r, again.spec.id, false), ROSTER_SET);
	roster_arrange(&r);
	assert_int_equal(r.nshown, 4);
	roster_finish(&r);
}

TEST(roster__passes_words_to_the_machines_of_their_sessions)
{
	struct strv words = {0}, machines = {0}, argv = {0};
	struct roster r = {0};
	struct session s = away("gpu", "x", 100);

	fill(&r);
	roster_put(&r, &s);
	machine_find(&r, &words, &machines);
	assert_int_equal(machines.n, 1);
	assert_string_equal(machines.v[0], "");
	strv_finish(&machines);
	strv_add(&words, "stop");
	strv_add(&words, r.list.v[0].spec.id);
	strv_add(&words, r.list.v[4].spec.id);
	strv_add(&words, r.list.v[1].spec.id);
	machine_find(&r, &words, &machines);
	assert_int_equal(machines.n, 2);
	machine_words(&r, machines.v[0], &words, &argv);
	assert_int_equal(argv.n, 3);
	assert_string_equal(argv.v[0], "stop");
	assert_string_equal(argv.v[2], r.list.v[1].spec.id);
	strv_finish(&argv);
	machine_words(&r, machines.v[1], &words, &argv);
	assert_int_equal(argv.n, 4);
	assert_string_equal(argv.v[0], "-H");
	assert_string_equal(argv.v[1], "gpu");
	assert_string_equal(argv.v[2], "stop");
	assert_string_equal(argv.v[3], r.list.v[4].spec.id);
	strv_finish(&argv);
	strv_finish(&machines);
	strv_finish(&words);
	roster_finish(&r);
}
