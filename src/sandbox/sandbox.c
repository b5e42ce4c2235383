/* sandbox.c - the list of tiers, and calls of the chosen one. */
#include "sandbox/sandbox.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "sandbox/landlock.h"
#include "sandbox/podman.h"
#include "session/live/processes.h"

/* No limits: nothing to set up or to remove. */
static const struct sandbox sandbox_none = {
    .name = "none",
    .promise = "no sandbox: the agent can do whatever you can",
    .passes_env = true,
};

const struct sandbox *const sandboxes[] = {
    &sandbox_none,
    &sandbox_landlock,
    &sandbox_podman,
    NULL,
};

const struct sandbox *sandbox_find(const char *name)
{
	for (size_t i = 0; sandboxes[i]; i++)
		if (strcmp(sandboxes[i]->name, name) == 0)
			return sandboxes[i];
	return NULL;
}

static const struct sandbox *need(const char *name, struct err *err)
{
	const struct sandbox *tier = sandbox_find(name);

	if (!tier)
		err_set(err, ERR_FAILED, "there is no sandbox '%s'", name);
	return tier;
}

static const struct sandbox *opened_by(const struct spec *spec,
				       const cJSON *handle, struct err *err)
{
	return need(json_str_or(handle, "tier", spec->sandbox), err);
}

int sandbox_check(const struct spec *spec, struct strv *degraded,
		  struct err *err)
{
	const struct sandbox *tier = need(spec->sandbox, err);
	_strv_ struct strv lacks = {0};
	int rc = tier ? 0 : -1;

	/* The agent could write what git outside reads there. */
	if (tier && tier->open && spec->place) {
		err_set(err, ERR_FAILED,
			"a sandbox needs a worktree that afw has made, and "
			"this session has none");
		return err_hint(err, "--sandbox none starts it without one");
	}
	if (tier && tier->check)
		rc = tier->check(spec, &lacks, err);
	if (rc == 0 && lacks.n > 0 && !spec->allow_degraded) {
		err_set(err, ERR_FAILED, "%s", lacks.v[0]);
		rc = err_hint(err, "allow_degraded = yes starts it anyway; "
				   "`afw doctor` reports what else is missing");
	}
	if (degraded)
		strv_copy(degraded, &lacks);
	return rc;
}

cJSON *sandbox_open(const struct sandbox_start *st, struct err *err)
{
	const struct sandbox *tier = sandbox_find(st->spec->sandbox);
	cJSON *handle;

	if (sandbox_check(st->spec, st->degraded, err) < 0)
		return NULL;
	handle = cJSON_CreateObject();
	json_set_str(handle, "tier", tier->name);
	if (!tier->open || tier->open(st, handle, err) == 0)
		return handle;
	cJSON_Delete(handle);
	return NULL;
}

int sandbox_exec(const struct sandbox_start *st, const cJSON *handle,
		 struct err *err)
{
	const struct sandbox *tier = opened_by(st->spec, handle, err);

	if (!tier)
		return -1;
	return tier->exec ? tier->exec(st, handle, err) : 0;
}

void sandbox_places(const struct spec *spec, const char *home, struct strv *out)
{
	const struct sandbox *tier = sandbox_find(spec->sandbox);

	if (tier && tier->places)
		tier->places(spec, home, out);
}

int sandbox_stop(const struct spec *spec, const cJSON *handle, int64_t grace_ms,
		 struct err *err)
{
	const struct sandbox *tier = opened_by(spec, handle, err);

	if (tier && tier->stop)
		tier->stop(spec, grace_ms);
	return tier && processes_end(spec->id, grace_ms, err) >= 0 ? 0 : -1;
}
