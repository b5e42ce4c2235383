/*
 * settings.c - loads the configuration for a command. It passes to src/config
 * the adapters' keys and afw's directories, which src/config may not look up
 * itself.
 */
#include "commands/launch/settings.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/screen/rules.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/launch/env_args.h"
#include "config/ini.h"
#include "config/prices.h"
#include "config/template.h"
#include "session/disk/dirs.h"
#include "session/session.h"
#include "wire/program.h"

static bool key_at(size_t i, struct section_harness_key *out)
{
	if (!rules_keys[i].name)
		return false;
	*out = (struct section_harness_key){
	    .name = rules_keys[i].name,
	    .many = rules_keys[i].kind == RULES_PATTERN ||
		    rules_keys[i].kind == RULES_ENV,
	    .words = rules_keys[i].kind == RULES_WORDS,
	};
	return true;
}

static const struct section_harness_keys keys = {
    .at = key_at,
    .check = rules_check_value,
};

/* Warns once of each line whose option there is no more. */
static void warn_removed(const struct strv *texts)
{
	static struct strv warned;

	for (size_t i = 0; i < texts->n; i++)
		if (!strv_has(&warned, texts->v[i])) {
			strv_add(&warned, texts->v[i]);
			output_warn("%s", texts->v[i]);
		}
}

/* Returns afw's share directory, to be freed: program_share() finds what is in
 * it. */
static char *share_dir(void)
{
	char *share = program_share("adapters");

	*strrchr(share, '/') = '\0';
	return share;
}

static int load(struct config **out, const char *repository,
		struct err *mistake, struct err *err)
{
	char *data = dirs_data(err);
	char *share = share_dir();
	struct config_where where = {
	    .data_dir = data,
	    .repository = repository,
	    .harness_keys = &keys,
	    .mistake = mistake,
	};
	int rc = -1;

	*out = NULL;
	where.share_dir = share;
	if (data)
		rc = config_load(out, &where, err);
	if (rc == 0)
		warn_removed(config_removed(*out));
	free(share);
	free(data);
	return rc;
}

int settings_load(struct config **out, const char *repository, struct err *err)
{
	return load(out, repository, NULL, err);
}

int settings_load_usable(struct config **out, const char *repository,
			 struct err *err)
{
	static bool warned;
	struct err mistake = {0};
	int rc = load(out, repository, &mistake, err);

	if (rc == 0 && mistake.kind && !warned) {
		warned = true;
		if (!mistake.hint[0])
			err_hint(&mistake, "`afw config check` lists the "
					   "mistakes");
		output_warning(&mistake);
	}
	return rc;
}

int settings_load_here(struct config **out, struct err *err)
{
	char *here = session_checkout_here();
	int rc = settings_load(out, here, err);

	free(here);
	return rc;
}

int64_t settings_trash_keep(void)
{
	struct config *config = NULL;
	int64_t keep_ms = 0;

	if (settings_load(&config, NULL, NULL) == 0)
		keep_ms = config_int(config, OPTION_TRASH_KEEP);
	config_destroy(config);
	return keep_ms;
}

int settings_check_repository(const char *repository, const struct filetree *af,
			      struct err *err)
{
	struct config_where where = {
	    .repository = repository,
	    .harness_keys = &keys,
	};

	return template_check_repository(&where, af, err);
}

int settings_commit(const struct config_edit *e, const char *called,
		    const struct buf *text, struct err *err)
{
	const struct config_where where = {.harness_keys = &keys};

	return config_edit_commit(e, &where, called, text, err);
}

bool settings_warn_untrusted(const struct config *c)
{
	struct err err = {0};

	if (!config_untrusted(c))
		return false;
	err_set(&err, ERR_NONE,
		"%s is not trusted (or was changed since): the repository's "
		".af/ is left out",
		config_untrusted(c));
	err_hint(&err, "`afw trust` shows and trusts it");
	output_warning(&err);
	return true;
}

cJSON *settings_notify(const struct config *c)
{
	cJSON *o = cJSON_CreateObject();

	json_set_strv(o, "on", config_list(c, OPTION_NOTIFY_ON));
	json_set_bool(o, "desktop", config_bool(c, OPTION_NOTIFY_DESKTOP));
	json_set_strv(o, "command", config_list(c, OPTION_NOTIFY_COMMAND));
	return o;
}

char *settings_location(const struct config *c)
{
	const char *place = config_str(c, OPTION_WORKTREE_LOCATION);
	const char *home = getenv("HOME");
	char *path, *real;

	if (!*place)
		return NULL;
	path = *place == '~' ? file_join(home ? home : "/", place + 2)
			     : mem_strdup(place);
	real = realpath(path, NULL);
	if (!real)
		return path;
	free(path);
	return real;
}

/* Copies from into list; returns true if that changed it. */
static bool replace_list(struct strv *list, const struct strv *from)
{
	bool same = list->n == from->n;

	for (size_t i = 0; same && i < from->n; i++)
		same = strcmp(list->v[i], from->v[i]) == 0;
	if (!same) {
		strv_finish(list);
		strv_copy(list, from);
	}
	return !same;
}

static bool replace_mcp(struct spec *s, const cJSON *from)
{
	if (s->mcp == from || cJSON_Compare(s->mcp, from, true))
		return false;
	cJSON_Delete(s->mcp);
	s->mcp = cJSON_Duplicate(from, true);
	return true;
}

static bool replace_number(int64_t *number, int64_t from)
{
	bool other = *number != from;

	*number = from;
	return other;
}

static bool replace_bool(bool *is, bool from)
{
	bool other = *is != from;

	*is = from;
	return other;
}

static bool replace_text(char **text, const char *from)
{
	bool other = *text && from ? strcmp(*text, from) != 0 : *text != from;

	mem_set(text, from);
	return other;
}

/* Adds the texts that an agent may search: {id: directory}. */
static void add_contexts(const struct config *c, const struct spec *s,
			 cJSON *out)
{
	const struct strv *own = config_list(c, OPTION_CONTEXT);
	const char *home = getenv("HOME");

	if (s->repository) {
		_free_ char *dir = file_join(spec_checkout(s), ".af/context");

		json_set_str(out, "repository", dir);
	}
	if (s->template_name) {
		_free_ char *top = template_dir(c, s->template_name);
		_free_ char *dir = top ? file_join(top, "context") : NULL;

		json_set_str(out, "template", dir);
	}
	for (size_t i = 0; i < own->n; i++) {
		size_t len = strcspn(own->v[i], "=");
		_free_ char *id = mem_printf("%.*s", (int)len, own->v[i]);
		const char *path = own->v[i] + len + 1;
		_free_ char *dir = *path == '~' && home
				       ? file_join(home, path + 2)
				       : mem_strdup(path);

		cJSON_DeleteItemFromObjectCaseSensitive(out, id);
		json_set_str(out, id, dir);
	}
}

/* Returns the configuration of the agent's tools (tools/tool.h); NULL: it gets
 * none. */
static cJSON *bridge_of(const struct config *c, const struct spec *s)
{
	cJSON *o;

	if (!config_bool(c, OPTION_BRIDGE))
		return NULL;
	o = cJSON_CreateObject();
	for (int id = 0; id < OPTION_COUNT; id++)
		if (options[id].tools && config_list(c, id)->n)
			json_set_strv(o, options[id].name, config_list(c, id));
	if (*config_str(c, OPTION_COORDINATION))
		json_set_str(o, "coordination",
			     config_str(c, OPTION_COORDINATION));
	json_set_bool(o, "messages", config_bool(c, OPTION_AGENT_MESSAGES));
	add_contexts(c, s, json_set_object(o, "context"));
	return o;
}

static bool replace_bridge(struct spec *s, cJSON *from)
{
	bool other =
	    (s->bridge || from) && !cJSON_Compare(s->bridge, from, true);

	cJSON_Delete(s->bridge);
	s->bridge = from;
	return other;
}

int settings_harness_image(const struct config *c, const char *harness,
			   char **image, struct err *err)
{
	_json_ cJSON *section = config_harness(c, harness, err);
	const cJSON *values = json_get(section, "image");

	if (!section)
		return -1;
	*image = mem_strdup(values && values->child ? values->child->valuestring
						    : NULL);
	return 0;
}

/* Sets the image from the option, else from its harness, else "". */
static bool replace_image(const struct config *c, struct spec *s)
{
	const char *image = config_str(c, OPTION_IMAGE);
	_free_ char *of_harness = NULL;
	struct err ignored;

	if (!*image && s->harness)
		settings_harness_image(c, s->harness, &of_harness, &ignored);
	return replace_text(&s->image, of_harness ? of_harness : image);
}

/* Sets a member of a spec to that option. */
static bool replace_member(const struct config *c, enum option_id id,
			   enum field_kind kind, void *member)
{
	switch (kind) {
	case FIELD_TEXT:
		return replace_text(member, config_str(c, id));
	case FIELD_LIST:
		return replace_list(member, config_list(c, id));
	case FIELD_BOOL:
		return replace_bool(member, config_bool(c, id));
	default:
		return replace_number(member, config_int(c, id));
	}
}

bool settings_apply(const struct config *c, struct spec *s, bool created)
{
	const struct {
		enum option_id id;
		enum field_kind kind;
		void *member;
	} rows[] = {
#define SPEC_OPTION(id, kind, member, ...)                                     \
	{OPTION_##id, FIELD_##kind, &s->member},
#include "config/options.def"
	};
	bool differs = replace_bridge(s, bridge_of(c, s));

	differs |= replace_image(c, s);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (created || !options[rows[i].id].at_creation)
			differs |= replace_member(c, rows[i].id, rows[i].kind,
						  rows[i].member);
	return differs;
}

/* The user's rules for approvals; broken ones stay as they were. */
static bool replace_rules(const struct config *c, struct spec *s)
{
	struct err ignored;
	cJSON *rules = config_sections(c, "approve", &ignored);

	if (!rules || cJSON_Compare(rules, s->approve, true)) {
		cJSON_Delete(rules);
		return false;
	}
	cJSON_Delete(s->approve);
	s->approve = rules;
	return true;
}

int settings_prices(struct spec *s, struct err *err)
{
	_free_ char *share = share_dir();
	cJSON *now = prices_load(share, err);
	bool other = now && !cJSON_Compare(now, s->prices, true);

	if (now) {
		cJSON_Delete(s->prices);
		s->prices = now;
	}
	return now ? other : -1;
}

int settings_refresh(const struct config *c, const struct session *s,
		     const struct strv *given, struct err *err)
{
	struct spec spec;
	cJSON *section;
	int rc;

	if (spec_load(&spec, s->dir, err) < 0)
		return -1;
	rc = settings_prices(&spec, err);
	if (rc < 0) {
		spec_finish(&spec);
		return -1;
	}
	section = config_harness(c, spec.harness, err);
	if (section && section->child &&
	    !cJSON_Compare(section, spec.harness_config, true)) {
		cJSON_Delete(spec.harness_config);
		spec.harness_config = section;
		section = NULL;
		rc = 1;
	}
	cJSON_Delete(section);
	rc |= settings_apply(c, &spec, false);
	rc |= replace_rules(c, &spec);
	rc |= replace_list(&spec.overrides, &s->spec.overrides);
	rc |= replace_text(&spec.instructions, s->spec.instructions);
	rc |= replace_mcp(&spec, s->spec.mcp);
	rc |= env_args_names(given, &spec.env_names);
	if (rc == 1)
		rc = spec_save(&spec, s->dir, true, err);
	spec_finish(&spec);
	return rc;
}
