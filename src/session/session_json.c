/* session_json.c - a session as JSON: that of this machine, and what another
 * machine has printed of its own. */
#include "session/session.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/name.h"
#include "base/random.h"
#include "base/utf8.h"
#include "session/disk/pull_request.h"
#include "session/session_flags.h"

const cJSON *session_ports(const struct session *s)
{
	return s->alive ? cJSON_GetObjectItem(s->state.sandbox, "ports") : NULL;
}

static void set_flags(const struct session *s, cJSON *o)
{
	bool snoozed = session_flags_snoozed(s);

	json_set_bool(o, "pinned", s->spec.flags.pinned);
	json_set_bool(o, "archived", s->spec.flags.archived);
	json_set_bool(o, "snoozed", snoozed);
	if (!snoozed)
		json_set_text(o, "snoozed_until", NULL);
}

/* Sets the members that are null while there is no value, or that are not
 * stored in this form. */
static void set_made_members(const struct session *s, cJSON *o)
{
	const struct state *st = &s->state;
	const cJSON *ports = session_ports(s);
	_free_ char *pr = s->dir ? pr_load(s->dir) : NULL;

	json_set_text(o, "host", NULL);
	json_set_text(o, "pr", pr);
	cJSON_AddItemToObject(o, "ports",
			      ports ? cJSON_Duplicate(ports, true)
				    : cJSON_CreateArray());
	json_set_strv(o, "groups", &s->groups);
	set_flags(s, o);
	json_set_text(o, "conversation",
		      st->conversation ? st->conversation
				       : s->spec.conversation);
	if (st->phase != PHASE_RUNNING) {
		json_set_text(o, "question", NULL);
		json_set_text(o, "question_id", NULL);
	}
	if (!st->check_rounds)
		json_set_text(o, "check_round", NULL);
	if (st->counts.merged < 0)
		json_set_text(o, "merged", NULL);
	else
		json_set_bool(o, "merged", st->counts.merged > 0);
	tokens_set_json(o, &st->tokens);
}

cJSON *session_to_json(const struct session *s)
{
	cJSON *o;

	if (s->json) {
		o = cJSON_Duplicate(s->json, true);
		cJSON_DeleteItemFromObjectCaseSensitive(o, "host");
		json_set_str(o, "host", s->host);
		return o;
	}
	o = cJSON_CreateObject();
	json_set_str(o, "id", s->spec.id);
	fields_write(spec_fields, FIELD_JSON, &s->spec, o);
	fields_write(state_fields, FIELD_JSON, &s->state, o);
	set_made_members(s, o);
	return o;
}

/* -- from another machine -------------------------------------------------- */

/* Makes all strings printable lines. */
static void make_printable(cJSON *o)
{
	for (cJSON *v = o->child; v; v = v->next) {
		size_t len = cJSON_IsString(v) ? strlen(v->valuestring) : 0;

		/* It never becomes longer. */
		if (len)
			utf8_printable(v->valuestring, len + 1, v->valuestring,
				       len);
		make_printable(v);
	}
}

static void shift_times(const struct field *table, void *base, int64_t by)
{
	for (const struct field *f = table; f->name; f++) {
		int64_t *at = (int64_t *)(void *)((char *)base + f->offset);

		if (f->kind == FIELD_TIME && *at > 0)
			*at += by;
	}
}

static int read_fields(struct session *s, const cJSON *o, struct err *err)
{
	_json_ cJSON *copy = cJSON_Duplicate(o, true); /* for what is taken */
	const char *id = json_str_or(o, "id", "");
	struct state *st = &s->state;

	if (!random_is_hex(id, SPEC_ID_LEN))
		return err_set(err, ERR_FAILED, "it has no valid id");
	memcpy(s->spec.id, id, SPEC_ID_LEN + 1);
	if (fields_read(spec_fields, FIELD_JSON, &s->spec, copy, err) < 0 ||
	    fields_read(state_fields, FIELD_JSON, st, copy, err) < 0 ||
	    name_check(s->spec.name, err) < 0)
		return -1;
	if (cJSON_GetArraySize(s->spec.with) == 0) { /* none, as JSON has it */
		cJSON_Delete(s->spec.with);
		s->spec.with = NULL;
	}
	/* From an older afw; not if the path is not absolute. */
	if (!s->spec.repository_name && s->spec.repository &&
	    s->spec.repository[0] == '/')
		s->spec.repository_name =
		    gitfile_repository_name(s->spec.repository);
	st->pid = st->supervisor_pid = 0;
	s->alive = phase_is_live(st->phase);
	mem_set(&st->conversation, json_str(o, "conversation"));
	json_strv(o, "groups", &s->groups);
	s->spec.flags.pinned = json_bool(o, "pinned", false);
	s->spec.flags.archived = json_bool(o, "archived", false);
	st->counts.merged = cJSON_IsNull(cJSON_GetObjectItem(o, "merged"))
				? -1
				: json_bool(o, "merged", false);
	tokens_read_json(o, &st->tokens);
	return 0;
}

int session_from_json(struct session *s, cJSON *o, int64_t shift_ms,
		      struct err *err)
{
	*s = (struct session){.json = o};
	state_init(&s->state);
	make_printable(o);
	if (read_fields(s, o, err) < 0) {
		session_finish(s);
		return -1;
	}
	shift_times(spec_fields, &s->spec, shift_ms);
	shift_times(state_fields, &s->state, shift_ms);
	return 0;
}
