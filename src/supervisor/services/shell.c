/*
 * shell.c - commands that a user starts beside a running agent, by a name (afw
 * exec -n): services that nothing waits for and that are not restarted.
 */
#include <string.h>

#include "base/json.h"
#include "base/name.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/services/services.h"

bool services_have_shell(const struct supervisor *sv)
{
	const struct services *a = sv->services;

	for (size_t i = 0; i < a->n; i++)
		if (service_is_shell(&a->v[i]) && a->v[i].guarded.guard)
			return true;
	return false;
}

static struct service *find_shell(struct supervisor *sv, const char *name)
{
	struct services *a = sv->services;

	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->v[i].name, name) == 0)
			return &a->v[i];
	return NULL;
}

/* Returns the place of that name, a free one, or if there is none, one whose
 * service has ended. */
static struct service *find_place(struct services *a, struct service *named)
{
	if (named || a->n < SERVICES_MAX)
		return named ? named : &a->v[a->n];
	for (size_t i = 0; i < a->n; i++)
		if (service_is_shell(&a->v[i]) && !a->v[i].guarded.guard)
			return &a->v[i];
	return NULL;
}

/* Adds a service; takes spec over. */
static struct service *add_shell(struct supervisor *sv, cJSON *spec,
				 struct err *err)
{
	struct services *a = sv->services;
	const char *name = json_str_or(spec, "name", "");
	struct service *s = find_shell(sv, name);

	err_clear(err);
	if (s && (s->guarded.guard || !service_is_shell(s)))
		err_set(err, ERR_CONFLICT, "'%s' is %s already", name,
			service_is_shell(s) ? "there" : "a service");
	else if (!(s = find_place(a, s)))
		err_set(err, ERR_LIMIT, "%d services and shells are there",
			SERVICES_MAX);
	if (err->kind) {
		cJSON_Delete(spec);
		return NULL;
	}
	if (!sv->spec.services)
		sv->spec.services = cJSON_CreateArray();
	if (s == &a->v[a->n]) {
		cJSON_AddItemToArray(sv->spec.services, spec);
		a->at = ++a->n; /* the start does not wait for it */
	} else {
		service_finish(s);
		cJSON_ReplaceItemViaPointer(sv->spec.services,
					    (cJSON *)(size_t)s->spec, spec);
	}
	services_set(sv, s, spec);
	return s;
}

struct service *services_add_shell(struct supervisor *sv, const char *name,
				   const struct strv *command,
				   const struct strv *env, struct err *err)
{
	struct service *s;
	cJSON *o;

	if (name_check(name, err) < 0) {
		err_prefix(err, "shell");
		return NULL;
	}
	if (command->n == 0) {
		err_set(err, ERR_USAGE, "shell: there is no command");
		return NULL;
	}
	/* The same members as from a service's section (config/section.c). */
	o = cJSON_CreateObject();
	json_set_str(o, "name", name);
	json_set_strv(o, "command", command);
	json_set_bool(o, "shell", true);
	s = add_shell(sv, o, err);
	if (!s)
		return NULL;
	strv_copy(&s->env, env);
	services_run(s);
	if (!s->pid)
		err_set(err, ERR_FAILED, "%s", s->why);
	return s->pid ? s : NULL;
}

static int on_shell(struct peer *p, struct request *rq, struct err *err)
{
	const struct shell_request *r = &rq->shell;
	struct service *s =
	    services_add_shell(p->sv, r->name, &r->argv, &r->env, err);
	cJSON *o;

	/* A client that follows it reads the files. */
	publish_state(p->sv, false);
	if (!s)
		return -1;
	o = cJSON_CreateObject();
	json_set_int(o, "pid", s->pid);
	peer_reply(p, rq->seq, o);
	return 0;
}

static int on_stop(struct peer *p, struct request *rq, struct err *err)
{
	struct supervisor *sv = p->sv;
	const char *name = rq->shell_stop.name;
	struct service *s = find_shell(sv, name);

	if (!s || !service_is_shell(s))
		return err_set(err, ERR_NO_SESSION, "there is no shell '%.64s'",
			       name);
	if (!s->guarded.guard)
		return err_set(err, ERR_NOT_RUNNING, "'%s' has ended: it %s",
			       name, s->why);
	service_stop(s, rq->shell_stop.has_timeout_ms
			    ? rq->shell_stop.timeout_ms
			    : sv->spec.stop_timeout_ms);
	peer_reply(p, rq->seq, NULL);
	return 0;
}

static const struct request_handler requests[] = {
    {REQUEST_SHELL, on_shell},
    {REQUEST_SHELL_STOP, on_stop},
    {0},
};

const struct part shell_part = {
    .requests = requests,
};
