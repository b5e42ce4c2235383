/* state.c - which members of a state are written where. */
#include "session/state.h"

#include <stddef.h>
#include <string.h>

#include "base/json.h"

#define NAMED(name, kind, member, use, none)                                   \
	FIELD_ROW(state, name, kind, member, use, none)
#define ROW_OR(kind, member, use, none) NAMED(#member, kind, member, use, none)
#define ROW(kind, member, use)		ROW_OR(kind, member, use, 0)
#define FILE				FIELD_FILE
#define BOARD				FIELD_BOARD
#define JSON				FIELD_JSON

const struct field state_fields[] = {
    ROW(PHASE, phase, FILE | BOARD | JSON),
    ROW(ACTIVITY, activity, FILE | BOARD | JSON),
    ROW(NOTICE, notice, FILE | BOARD | JSON),
    ROW(COUNT, rev, FILE | JSON),
    ROW(TIME, activity_since, FILE | BOARD | JSON),
    ROW(BOOL, unsure, FILE | BOARD),
    ROW(BOOL, waits, FILE),
    ROW(TEXT, activity_source, FILE | BOARD | JSON),
    ROW(TEXT, detail, FILE | BOARD | JSON),
    ROW(TEXT, question, FILE | BOARD | JSON),
    ROW(TEXT, question_id, FILE | BOARD | JSON),
    ROW(BOOL, question_whole, FILE | BOARD | JSON),
    ROW(TEXT, check, FILE | BOARD | JSON),
    ROW(TEXT, check_line, FILE | BOARD | JSON),
    ROW(TEXT, limited, FILE | BOARD | JSON),
    ROW(TIME, limited_since, FILE | BOARD | JSON),
    ROW(TIME, limited_until, FILE | BOARD | JSON),
    ROW(TEXT, limited_by, FILE | BOARD | JSON),
    ROW(TIME, limited_sent, FILE),
    ROW(COUNT, login_held, FILE),
    ROW(TIME, login_stamp, FILE),
    ROW(TEXT, stuck, FILE | BOARD | JSON),
    ROW(TEXT, handed_to, FILE | BOARD | JSON),
    ROW(TIME, handed_until, FILE),
    ROW(TEXT, limited_words, FILE),
    ROW(TEXT, subtask, FILE | JSON),
    ROW(TEXT, subtask_detail, FILE | BOARD | JSON),
    ROW(TEXT, error_reason, FILE | BOARD | JSON),
    ROW(TEXT, run, FILE | JSON),
    ROW(LIST, degraded, FILE | JSON),
    ROW(OBJECT, sandbox, FILE),
    ROW(ARRAY, services, FILE | JSON),
    ROW(TEXT, conversation, FILE),
    ROW(TEXT, boot_id, FILE),
    ROW(TEXT, title, FILE | BOARD | JSON),
    ROW(TEXT, last_line, FILE | BOARD | JSON),
    ROW(TEXT, said, FILE | BOARD | JSON),
    NAMED("files_changed", INT64, counts.files_changed, FILE | BOARD | JSON,
	  -1),
    NAMED("untracked", INT64, counts.untracked, FILE | BOARD | JSON, -1),
    NAMED("uncommitted", INT64, counts.uncommitted, FILE | BOARD | JSON, -1),
    NAMED("ahead", INT64, counts.ahead, FILE | BOARD | JSON, -1),
    NAMED("merged", INT64, counts.merged, FILE | BOARD, -1),
    NAMED("lines_added", INT64, counts.lines_added, FILE | BOARD | JSON, -1),
    NAMED("lines_removed", INT64, counts.lines_removed, FILE | BOARD | JSON,
	  -1),
    ROW(BOOL, unwatched, FILE | BOARD | JSON),
    ROW(COUNT, notices, FILE | BOARD | JSON),
    ROW(COUNT, queued, FILE | BOARD | JSON),
    ROW(COUNT, messages, FILE | BOARD),
    ROW(COUNT, check_round, FILE | BOARD | JSON),
    ROW(INT64, check_rounds, FILE | BOARD | JSON),
    ROW(INT, pid, FILE | BOARD | JSON),
    ROW(INT, supervisor_pid, FILE | BOARD | JSON),
    ROW(TEXT, supervisor_version, FILE | BOARD | JSON),
    ROW(INT, cols, FILE | BOARD),
    ROW(INT, rows, FILE | BOARD),
    ROW_OR(INT, exit_code, FILE | BOARD | JSON, -1),
    ROW(INT, signal, FILE | BOARD | JSON),
    ROW_OR(INT, slot, FILE, -1),
    NAMED("cost_micro", INT64, tokens.cost_micro, FILE | BOARD, 0),
    NAMED("tokens_input", INT64, tokens.input, FILE | BOARD, 0),
    NAMED("tokens_output", INT64, tokens.output, FILE | BOARD, 0),
    NAMED("tokens_cache_read", INT64, tokens.cache_read, FILE | BOARD, 0),
    NAMED("tokens_cache_write", INT64, tokens.cache_write, FILE | BOARD, 0),
    ROW(TEXT, model, FILE | JSON),
    ROW(INT64, turns, FILE),
    ROW(INT64, worked_ms, FILE),
    ROW(OBJECT, usage, FILE),
    ROW(INT64, budget_grants, FILE),
    ROW(TIME, budget_day_until, FILE),
    ROW(TIME, turn_at, FILE | BOARD | JSON),
    ROW(INT64, checkpoint, FILE | BOARD),
    ROW(TIME, started_at, FILE | BOARD | JSON),
    ROW(TIME, ended_at, FILE | BOARD | JSON),
    ROW(TIME, updated_at, FILE | JSON),
    {.name = NULL}};

bool state_over_budget(const struct state *s)
{
	return s->limited && strcmp(s->limited, STATE_BUDGET) == 0;
}

void state_init(struct state *s)
{
	*s = (struct state){.exit_code = -1,
			    .slot = -1,
			    .counts = {-1, -1, -1, -1, -1, -1, -1}};
}

void state_finish(struct state *s)
{
	fields_finish(state_fields, s);
	state_init(s);
}

void counts_read(struct counts *n, const cJSON *answer)
{
	n->files_changed = json_int(answer, "files_changed", -1);
	n->untracked = json_int(answer, "untracked", -1);
	n->uncommitted = json_int(answer, "uncommitted", -1) + n->untracked;
	n->ahead = json_int(answer, "ahead", -1);
	n->merged = json_bool(answer, "merged", false);
	n->lines_added = json_int(answer, "lines_added", -1);
	n->lines_removed = json_int(answer, "lines_removed", -1);
}
