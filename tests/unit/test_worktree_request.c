/* The door of afw-worktree: each operation refuses what it does not know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "support_unit.h"
#include "support_worktree.h"
#include "wire/worktree_request.h"

static void fill(const struct member *rows, cJSON *o);

static void add(const struct member *m, cJSON *o)
{
	const struct strv none = {0};

	switch (m->kind) {
	case VALUE_GROUP:
		fill(m->rows(), o);
		break;
	case VALUE_TEXT:
		json_set_str(o, m->name, "t");
		break;
	case VALUE_PATH:
		json_set_str(o, m->name, "/nowhere/x");
		break;
	case VALUE_COMMIT:
		json_set_str(o, m->name,
			     "0123456789012345678901234567890123456789");
		break;
	case VALUE_CHOICE:
		json_set_str(o, m->name, m->one_of[0]);
		break;
	case VALUE_INT:
		json_set_int(o, m->name, 7);
		break;
	case VALUE_INODE:
		json_set_str(o, m->name, "7");
		break;
	case VALUE_BOOL:
	case VALUE_SWITCH:
		json_set_bool(o, m->name, false);
		break;
	case VALUE_LIST:
	case VALUE_SUBSET:
		json_set_strv(o, m->name, &none);
		break;
	case VALUE_WORD:
	case VALUE_GIVEN:
	case VALUE_STRV:
	case VALUE_JSON:
		fail_msg("%s: of no request to afw-worktree", m->name);
		break;
	case VALUE_OBJECT:
		fill(m->rows(), json_set_object(o, m->name));
		break;
	case VALUE_OBJECTS:
		json_set_array(o, m->name);
		break;
	}
}

static void fill(const struct member *rows, cJSON *o)
{
	for (const struct member *m = rows; m->name; m++)
		add(m, o);
}

/* Sends o, which is freed; says: of the refusal; to be freed. NULL: not at the
 * door. */
static void refused(const struct worktree_row *row, cJSON *o, char *says)
{
	_free_ char *own = mem_printf("bad request: %s ", row->name);
	_buf_ struct buf line = {0};
	struct wt_answer a;

	json_set_str(o, "op", row->name);
	json_print(o, &line);
	a = wt_ask("%s\n", line.data);
	if (!says)
		assert_null(strstr(wt_str(&a, "error"), own));
	else
		wt_refused(&a, 2, says);
	wt_answer_finish(&a);
	cJSON_Delete(o);
	free(says);
}

/* Of the rows of an operation, which may be of a group: o has them all. */
static void each_member(const struct worktree_row *row,
			const struct member *rows, const cJSON *all)
{
	for (const struct member *m = rows; m->name; m++) {
		cJSON *o = cJSON_Duplicate(all, 1);

		if (m->kind == VALUE_GROUP) {
			each_member(row, m->rows(), all);
			cJSON_Delete(o);
			continue;
		}
		cJSON_DeleteItemFromObjectCaseSensitive(o, m->name);
		if (m->flags & MEMBER_MUST)
			refused(row, cJSON_Duplicate(o, 1),
				mem_printf("needs \"%s\"", m->name));
		cJSON_AddItemToArray(json_set_array(o, m->name),
				     cJSON_CreateArray());
		refused(row, o, mem_printf("\"%s\" of ", m->name));
	}
}

FIXTURE(wt_setup, wt_teardown)

TEST(worktree_request__unknown_missing_and_wrong_members_are_refused)
{
	for (const struct worktree_row *row = worktree_rows; row->name; row++) {
		_json_ cJSON *all = cJSON_CreateObject();
		cJSON *more;

		fill(row->rows(), all);
		refused(row, cJSON_Duplicate(all, 1), NULL);
		more = cJSON_Duplicate(all, 1);
		json_set_bool(more, "messsage", true);
		refused(row, more, mem_strdup("has no member \"messsage\""));
		each_member(row, row->rows(), all);
	}
}

TEST(worktree_request__values_have_bounds)
{
	static const struct {
		const char *op, *members, *says;
	} bad[] = {
	    {"undo", ",\"to\":0", "\"to\" of undo is not a number from 1"},
	    {"undo", ",\"to\":\"1\"", "\"to\" of undo is not a number"},
	    {"undo", ",\"files\":[1]", "\"files\" of undo is not a list"},
	    {"merge", ",\"into\":\"m\",\"how\":\"octopus\"",
	     "one of its words: merge, squash, rebase"},
	    {"private", ",\"inside\":\"git\"", "not an absolute path"},
	    {"commit", ",\"head\":\"main\"", "not the id of a commit"},
	    {"diff", ",\"other\":{}", "other of diff needs \"repository\""},
	    {"diff", ",\"other\":{\"x\":1}", "other of diff has no member"},
	};

	wt_repo("r", 1);
	wt_one("");
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct wt_answer a = wt_one_ask(bad[i].op, bad[i].members);

		wt_refused(&a, 2, bad[i].says);
		wt_answer_finish(&a);
	}
}
