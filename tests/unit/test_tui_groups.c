/* test_tui_groups.c - the list's order, its groups and what is selected. */
#include "base/clock.h"
#include "session/session.h"
#include "support_unit.h"
#include "tui/model/sessions.h"

static void add(struct model *m, const char *name, const char *repository,
		enum activity activity, int64_t lines)
{
	struct session *s;

	m->list.v = mem_realloc(m->list.v, (m->list.n + 1) * sizeof *s);
	s = &m->list.v[m->list.n++];
	*s = (struct session){0};
	state_init(&s->state);
	snprintf(s->spec.id, sizeof s->spec.id, "%032zx", m->list.n);
	s->spec.name = mem_strdup(name);
	s->spec.repository = mem_printf("/src/%s", repository);
	s->spec.repository_name = mem_strdup(repository);
	s->spec.harness = mem_strdup("claude");
	s->spec.created_at = (int64_t)m->list.n;
	s->state.phase = PHASE_RUNNING;
	s->state.activity = activity;
	s->state.counts.lines_added = lines;
}

/* "web: b c; api:" with "*" behind the selected. */
static char *picture(const struct model *m)
{
	struct buf b = {0};

	for (size_t i = 0; i < m->nshown; i++) {
		const struct model_group *g = model_heading(m, i);

		buf_addf(&b, "%s%s%s%s", i ? " " : "",
			 g ? g->key + 5 : model_shown(m, i)->spec.name,
			 g ? ":" : "", i == m->cursor ? "*" : "");
	}
	buf_adds(&b, "");
	return buf_steal(&b);
}

static void assert_picture(struct model *m, const char *wanted)
{
	char *is = picture(m);

	assert_string_equal(is, wanted);
	free(is);
}

static void fill(struct model *m)
{
	add(m, "a", "web", ACTIVITY_WORKING, 3);
	add(m, "c", "api", ACTIVITY_WORKING, 9);
	add(m, "b", "web", ACTIVITY_WAITING_FOR_INPUT, 1);
	add(m, "d", "lib", ACTIVITY_WORKING, -1);
	model_arrange(m);
}

TEST(groups__every_order)
{
	static const char *const wanted[ORDER_COUNT] = {
	    "b* a c d", "a b* c d", "d b* c a",
	    "c d b* a", "b* a c d", "c a b* d"};
	struct model m = {0};

	fill(&m);
	for (int i = 0; i < ORDER_COUNT; i++) {
		m.order = (enum order)i;
		assert_int_equal(order_of(order_name(m.order)), m.order);
		model_arrange(&m);
		assert_picture(&m, wanted[i]);
	}
	model_finish(&m);
}

TEST(groups__stand_by_name_but_who_waits_first)
{
	struct model m = {.by = BY_REPOSITORY};

	fill(&m);
	assert_picture(&m, "web: b* a api: c lib: d");
	m.order = ORDER_NAME;
	model_arrange(&m);
	assert_picture(&m, "api: c lib: d web: a b*");
	model_finish(&m);
}

TEST(groups__fold_and_keep_the_selection)
{
	struct model m = {.by = BY_REPOSITORY};
	char id[SPEC_ID_LEN + 1];

	fill(&m);
	assert_false(model_fold(&m, false));
	assert_true(model_fold(&m, true));
	assert_picture(&m, "web:* api: c lib: d");
	assert_null(model_selected(&m));
	assert_false(model_fold(&m, true));
	model_mark_all(&m, model_heading(&m, 0));
	assert_int_equal(m.marked.n, 2);
	model_move(&m, 99);
	assert_picture(&m, "web: api: c lib: d*");
	/* Who is to be seen is seen. */
	assert_true(model_next_waiting(&m));
	assert_picture(&m, "web: b* a api: c lib: d");
	memcpy(id, m.list.v[1].spec.id, sizeof id);
	assert_true(model_select(&m, id));
	assert_true(model_fold(&m, true));
	assert_picture(&m, "web: b a api:* lib: d");
	model_filter(&m, "api");
	assert_picture(&m, "api:* c");
	model_filter(&m, NULL);
	assert_true(model_select(&m, id));
	assert_picture(&m, "web: b a api: c* lib: d");
	model_filter(&m, "nobody");
	assert_picture(&m, "");
	assert_false(model_next_waiting(&m));
	assert_false(model_fold(&m, true));
	model_finish(&m);
}

/* It goes into a folded group: its heading is selected. */
TEST(groups__of_one_that_moves)
{
	struct model m = {.by = BY_REPOSITORY};

	fill(&m);
	assert_true(model_select(&m, m.list.v[1].spec.id));
	assert_true(model_fold(&m, true));
	assert_true(model_select(&m, m.list.v[3].spec.id));
	memcpy(m.list.v[3].spec.repository, "/src/api", 8);
	memcpy(m.list.v[3].spec.repository_name, "api", 3);
	model_arrange(&m);
	assert_picture(&m, "web: b a api:*");
	model_finish(&m);
}

TEST(groups__of_200_sessions_take_no_time)
{
	struct model m = {.by = BY_REPOSITORY};
	char name[16];
	int64_t began;

	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof name, "s%d", i * 7919 % 200);
		add(&m, name, name, ACTIVITY_WORKING, i);
		strv_addf(&m.folded, "/src/%s", name);
	}
	began = clock_mono_ms();
	for (int i = 0; i < 100; i++)
		model_arrange(&m);
	/* 10 ms each, for a machine that does much else */
	assert_true(clock_mono_ms() - began < 1000);
	assert_int_equal(m.nshown, 200);
	model_finish(&m);
}
