/*
 * hosts.c - afw host: lists the hosts of the configuration with what each is
 * doing; makes and gives back the places of those that have an engine.
 *
 * Each host is asked by an afw of its own, all at once: `afw -H NAME host
 * --here --json` prints the row of that machine.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/process.h"
#include "base/spawn.h"
#include "base/version.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/launch/host_place.h"
#include "commands/launch/settings.h"
#include "session/session.h"
#include "wire/program.h"

#define ANSWER_MAX 16384
#define ANSWER_MS  30000

static const struct command_option host_options[] = {
    {.name = "here", .help = "only this machine", .verbs = "- ls"},
    {.name = "json", .help = "one array of objects", .verbs = "- ls"},
    {.name = "yes",
     .letter = 'y',
     .help = "discard what is only there",
     .verbs = "down"},
    {.name = NULL},
};

static const struct list_column columns[] = {
    {.key = "name", .title = "HOST", .sgr = "\033[1m"},
    {.key = "engine", .title = "ENGINE", .none = "-"},
    {.key = "state", .title = "STATE"},
    {.key = "version", .title = "VERSION", .none = "-"},
    {.key = "sessions", .title = ">SESSIONS", .none = "-"},
    {.key = "load", .title = ">LOAD", .none = "-"},
    {.key = "detail", .title = "DETAIL"},
    {.key = NULL},
};

/* -- the list -------------------------------------------------------------- */

static cJSON *row_here(void)
{
	_session_list_ struct session_list l = {0};
	struct err ignored;
	cJSON *o = cJSON_CreateObject();
	double load[1];

	json_set_str(o, "name", "here");
	json_set_str(o, "state", "running");
	json_set_str(o, "version", AFW_VERSION);
	if (session_list_load(&l, &ignored) == 0)
		json_set_int(o, "sessions", (int64_t)l.n);
	if (getloadavg(load, 1) == 1) {
		_free_ char *text = mem_printf("%.1f of %ld", load[0],
					       sysconf(_SC_NPROCESSORS_ONLN));

		json_set_str(o, "load", text);
	}
	return o;
}

/* A host that is being asked. */
struct asked {
	cJSON *row; /* borrowed */
	pid_t pid;  /* 0: it is not asked */
	int fd;	    /* what it prints; a full pipe is the bound */
};

static void start_asking(struct asked *a, const char *name)
{
	_free_ char *afw = program_afw();
	const char *const argv[] = {afw,      "-H",	name, "host",
				    "--here", "--json", NULL};
	struct spawn sp = {.argv = (char *const *)(size_t)argv,
			   .fd = {-1, -1, -1},
			   .new_session = true};
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	sp.fd[1] = sp.fd[2] = ends[1];
	a->pid = spawn_start(&sp, NULL);
	a->fd = ends[0];
	file_set_nonblock(a->fd);
	file_close(ends[1]);
}

/* Waits for it until end. */
static void wait_for(const struct asked *a, int64_t end)
{
	struct pollfd p = {.fd = process_open(a->pid), .events = POLLIN};
	int64_t left = end - clock_mono_ms();

	if (p.fd < 0 || poll(&p, 1, left > 0 ? (int)left : 0) <= 0)
		kill(-a->pid, SIGKILL);
	file_close(p.fd);
	waitpid(a->pid, NULL, 0);
}

/* Copies a text of another machine. */
static void copy(cJSON *row, const cJSON *from, const char *key)
{
	if (json_str(from, key))
		json_set_text(row, key, json_str(from, key));
}

static void take_answer(struct asked *a, int64_t end)
{
	char text[ANSWER_MAX + 1];
	_json_ cJSON *o = NULL;
	const char *start, *last;
	ssize_t n;

	if (a->pid <= 0)
		return;
	wait_for(a, end);
	n = read(a->fd, text, ANSWER_MAX);
	text[n > 0 ? n : 0] = '\0';
	file_reset(&a->fd);
	start = strchr(text, '{');
	last = strrchr(text, '}');
	if (start && last > start)
		o = json_parse_object(start, (size_t)(last + 1 - start), NULL);
	if (!o) {
		json_set_str(a->row, "state", "unreachable");
		text[strcspn(text, "\r\n")] = '\0';
		json_set_text(a->row, "detail", text);
		return;
	}
	json_set_str(a->row, "state", "running");
	copy(a->row, o, "version");
	copy(a->row, o, "load");
	json_set_int(a->row, "sessions", json_int(o, "sessions", 0));
}

/* Returns whether the host can be asked. */
static bool set_state(cJSON *row, const struct host *h)
{
	_engine_ struct engine e = {0};
	_free_ char *why = NULL, *unkept = NULL;
	enum engine_state state;
	struct err err = {0};

	json_set_str(row, "engine", h->engine ? h->engine : "ssh");
	if (!h->engine)
		return true;
	if (h->each) {
		json_set_str(row, "state", "-");
		json_set_str(row, "detail", "makes a place for each session");
		return false;
	}
	if (engine_load(&e, h, h->name, &err) < 0 ||
	    engine_state(&e, &state, &why, &err) < 0) {
		json_set_str(row, "state", engine_states[ENGINE_UNKNOWN]);
		json_set_text(row, "detail", err.what);
		return false;
	}
	json_set_str(row, "state", engine_states[state]);
	json_set_str(row, "place", e.id);
	unkept = engine_note(&e, "kept-not");
	if (why && state != ENGINE_RUNNING)
		json_set_text(row, "detail", why);
	else if (unkept)
		json_set_text(row, "detail", unkept);
	return state == ENGINE_RUNNING;
}

static void add_hosts(cJSON *rows, const struct host_list *l)
{
	struct asked *all = mem_alloc((l->all + 1) * sizeof *all);
	int64_t end;

	for (size_t i = 0; i < l->all; i++) {
		const struct host *h = &l->v[i];

		all[i] = (struct asked){.row = cJSON_CreateObject(), .fd = -1};
		json_set_str(all[i].row, "name", h->name);
		json_set_str(all[i].row, "url", h->url);
		cJSON_AddItemToArray(rows, all[i].row);
		if (set_state(all[i].row, h))
			start_asking(&all[i], h->name);
	}
	end = clock_mono_ms() + ANSWER_MS;
	for (size_t i = 0; i < l->all; i++)
		take_answer(&all[i], end);
	free(all);
}

static int cmd_host(const struct args *args, struct err *err)
{
	_config_ struct config *c = NULL;
	_host_list_ struct host_list l = {0};
	cJSON *rows;

	if (!args_has(args, "here") &&
	    (settings_load_here(&c, err) < 0 || host_list_load(&l, c, err) < 0))
		return -1;
	rows = cJSON_CreateArray();
	cJSON_AddItemToArray(rows, row_here());
	add_hosts(rows, &l);
	return list_print(rows, columns, args, NULL);
}

/* -- places ---------------------------------------------------------------- */

/* Sets *h, which is borrowed from l, and e. */
static int find(const char *name, struct host_list *l, const struct host **h,
		struct engine *e, struct err *err)
{
	_config_ struct config *c = NULL;

	if (settings_load_here(&c, err) < 0 || host_list_load(l, c, err) < 0)
		return -1;
	*h = host_find(l, name);
	if (!*h)
		*h = host_of_place(l, name);
	if (!*h)
		return err_set(err, ERR_USAGE, "there is no [host.%s]", name);
	if (!(*h)->engine)
		return err_set(err, ERR_USAGE,
			       "host %s has a url: there is nothing to make",
			       name);
	if ((*h)->each && strcmp((*h)->name, name) == 0)
		return err_set(err, ERR_USAGE,
			       "host %s makes a place for each session: "
			       "%s.SESSION names one",
			       name, name);
	return engine_load(e, *h, name, err);
}

static int run_up(const struct args *args, struct err *err)
{
	_host_list_ struct host_list l = {0};
	_engine_ struct engine e = {0};
	const struct host *h;

	if (find(args->positional[0], &l, &h, &e, err) < 0 ||
	    host_place_up(&e, h, err) < 0)
		return -1;
	output_line(stdout, "%s is up: %s %s", e.name, e.kind, e.id);
	return 0;
}

/* What is in a place is deleted with it. */
static int check_down(const struct engine *e, struct err *err)
{
	_free_ char *url = mem_printf("ssh://%s", e->name), *why = NULL;
	enum engine_state state;

	if (engine_state(e, &state, &why, err) < 0)
		return -1;
	if (state == ENGINE_NONE || state == ENGINE_QUEUED ||
	    (state == ENGINE_RUNNING && host_place_is_empty(url)))
		return 0;
	err_set(err, ERR_REFUSED,
		"host %s %s: what is only there would be deleted", e->name,
		state == ENGINE_RUNNING ? "has sessions, or does not answer"
					: "has ended, or is unknown");
	return err_hint(err, "`afw host down --yes %s` deletes it", e->name);
}

static int run_down(const struct args *args, struct err *err)
{
	_host_list_ struct host_list l = {0};
	_engine_ struct engine e = {0};
	const struct host *h;

	if (find(args->positional[0], &l, &h, &e, err) < 0 ||
	    (!args_has(args, "yes") && check_down(&e, err) < 0) ||
	    host_place_down(&e, err) < 0)
		return -1;
	output_line(stdout, "%s is down", e.name);
	return 0;
}

/* ssh's ProxyCommand. */
static int run_proxy(const struct args *args, struct err *err)
{
	_host_list_ struct host_list l = {0};
	_engine_ struct engine e = {0};
	const struct host *h;
	struct strv argv;

	if (find(args->positional[0], &l, &h, &e, err) < 0)
		return -1;
	if (!e.id)
		return err_set(err, ERR_NOT_RUNNING, "host %s is down", e.name);
	argv = engine_argv(&e, ENGINE_PROXY);
	spawn_exec(argv.v);
	err_errno(err, "start %s", argv.v[0]);
	strv_finish(&argv);
	return -1;
}

static const struct verb verbs[] = {
    {"ls", "", NULL, 0, 0, cmd_host},
    {"up", "NAME", "", 1, 1, run_up},
    {"down", "NAME", "", 1, 1, run_down},
    {"proxy", "NAME", "", 1, 1, run_proxy},
    {.name = NULL},
};

const struct command command_host = {
    .name = "host",
    .usage = "",
    .summary = "list other machines; make and give back their places",
    .verbs = verbs,
    .options = host_options,
    .here = true,
    .run = cmd_host,
};
