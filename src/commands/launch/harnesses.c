/* harnesses.c - adapters, configured harnesses, and their programs. */
#include "commands/launch/harnesses.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/screen/rules.h"
#include "base/delete_tree.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "base/words.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "sandbox/sandbox.h"

extern char **environ;

#define VERSION_TIMEOUT_MS 5000
#define VERSION_MAX	   4096

static char *first_line(const struct buf *b)
{
	char line[80];

	if (b->len == 0)
		return NULL;
	utf8_output(line, sizeof line, b->data, strcspn(b->data, "\r\n"));
	return mem_strdup(line);
}

/* Returns the first line that the program prints, on standard error (pi) if it
 * prints none on standard output; NULL if it prints none in time. */
static char *read_version(const char *path, const char *dir)
{
	char option[] = "--version", *found = NULL;
	char *argv[] = {(char *)(size_t)path, option, NULL};
	struct spawn sp = {
	    .argv = argv,
	    .dir = dir,
	    .fd = {-1, -1, -1},
	    .new_session = true,
	};
	_buf_ struct buf out = {0}, errout = {0};
	int status;

	if (spawn_run(&sp, NULL, &out, &errout, VERSION_MAX, VERSION_TIMEOUT_MS,
		      &status, NULL) == 0 &&
	    WIFEXITED(status) && WEXITSTATUS(status) == 0)
		found = first_line(out.len > 0 ? &out : &errout);
	return found;
}

/* Asks the programs for their versions, in a directory of their own: Letta Code
 * writes files there even then. */
static void read_versions(struct harness_list *l)
{
	const char *tmp = getenv("TMPDIR");
	_free_ char *dir =
	    mem_printf("%s/afw-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (!mkdtemp(dir))
		return;
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].path)
			l->v[i].version = read_version(l->v[i].path, dir);
	delete_tree(AT_FDCWD, dir, NULL);
}

/* Returns how to install the harness, or NULL. a: its adapter, which may be
 * another's. */
static char *install_hint(const struct adapter *a, const char *name,
			  const struct rules *r)
{
	const char *hint = rules_get(r, "install_hint");

	if (!hint && strcmp(a->name, name) == 0)
		hint = a->install_hint;
	return hint ? mem_strdup(hint) : NULL;
}

static void add(struct harness_list *l, const struct config *c,
		const char *name)
{
	struct err err = {0};
	struct harness h = {
	    .name = mem_strdup(name),
	};
	cJSON *settings = config_harness(c, name, &err);
	struct rules *r = settings ? rules_create(settings, &err) : NULL;

	h.adapter = adapter_of(name, settings);
	if (r) {
		h.path = adapter_program(h.adapter, r);
		h.hint = install_hint(h.adapter, name, r);
		h.can_resume = adapter_can_resume(h.adapter, r);
		h.takes_mcp = strcmp(h.adapter->name, "generic") != 0 ||
			      rules_get(r, "mcp");
		if (rules_get(r, "tried"))
			h.tried = mem_strdup(rules_get(r, "tried"));
	} else
		h.problem = mem_strdup(err.what);
	h.has_auth =
	    adapter_auth(h.adapter, (const char *const *)environ, &h.auth);
	rules_destroy(r);
	cJSON_Delete(settings);
	l->v = mem_realloc(l->v, (l->n + 1) * sizeof *l->v);
	l->v[l->n++] = h;
}

static bool is_adapter(const char *name)
{
	return strcmp(adapter_find(name)->name, name) == 0;
}

static void add_new(struct harness_list *l, const struct config *c,
		    const char *name)
{
	if (is_adapter(name))
		return;
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i].name, name) == 0)
			return;
	add(l, c, name);
}

void harness_list_load(struct harness_list *l, const struct config *c,
		       bool versions)
{
	_strv_ struct strv shared = {0}, names = {0};

	*l = (struct harness_list){0};
	for (size_t i = 0; adapters[i]; i++)
		if (strcmp(adapters[i]->name, "generic") != 0)
			add(l, c, adapters[i]->name);
	config_shared_harness_names(c, &shared);
	for (size_t i = 0; i < shared.n; i++)
		if (strcmp(shared.v[i], HARNESS_STAND_IN) != 0)
			add_new(l, c, shared.v[i]);
	config_harness_names(c, &names);
	for (size_t i = 0; i < names.n; i++)
		add_new(l, c, names.v[i]);
	if (versions)
		read_versions(l);
}

static bool was_tried(const struct harness *h)
{
	return h->tried && strcmp(h->tried, "not tried") != 0;
}

char *harness_other_version(const struct harness *h)
{
	_free_ char *tried =
	    was_tried(h) ? mem_strndup(h->tried, strcspn(h->tried, ",")) : NULL;

	return tried && h->version && !strstr(h->version, tried)
		   ? TAKE_PTR(tried)
		   : NULL;
}

void harness_list_finish(struct harness_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].name);
		free(l->v[i].path);
		free(l->v[i].version);
		free(l->v[i].problem);
		free(l->v[i].hint);
		free(l->v[i].tried);
		auth_finish(&l->v[i].auth);
	}
	free(l->v);
	*l = (struct harness_list){0};
}

/* -- the choice ------------------------------------------------------------ */

static void err_unknown_harness(const char *name, const struct config *config,
				struct err *err)
{
	struct strv names = {0};
	const char *near;

	for (size_t i = 0; adapters[i]; i++)
		strv_add(&names, adapters[i]->name);
	config_shared_harness_names(config, &names);
	config_harness_names(config, &names);
	near = nearest_of(name, (const char *const *)names.v);
	err_set(err, ERR_USAGE, "there is no agent '%.40s'", name);
	if (near)
		err_hint(err, "did you mean %s?", near);
	else
		err_hint(err, "`afw adapters` lists them; `afw new NAME -- "
			      "COMMAND` runs any command");
	strv_finish(&names);
}

/* Reports a missing program. If there is a command, the program is its first
 * word. */
static int err_not_installed(const struct adapter *a, const struct spec *s,
			     const struct rules *r, struct err *err)
{
	const char *command = rules_get(r, "command");
	_free_ char *hint = install_hint(a, s->harness, r);
	struct strv words = {0};

	if (command)
		words_split(command, &words, NULL);
	err_set(err, ERR_FAILED, "%s is not installed: '%s' is not in PATH",
		adapter_display_name(a, s),
		words.n	  ? words.v[0]
		: command ? command
			  : a->programs[0]);
	strv_finish(&words);
	return hint ? err_hint(err, "%s; `-a demo` needs no agent", hint) : -1;
}

static int check_program(const struct adapter *a, const struct spec *s,
			 const struct rules *r, struct err *err)
{
	const char *command = rules_get(r, "command");
	/* whether the session names a program */
	bool any = !a->programs && !command;
	const struct sandbox *tier = sandbox_find(s->sandbox);
	char *path = any && s->command.n ? spawn_find(s->command.v[0])
					 : adapter_program(a, r);

	free(path);
	if (path || (tier && tier->own_programs && (!any || s->command.n)))
		return 0;
	if (!any)
		return err_not_installed(a, s, r, err);
	if (s->command.n)
		return err_set(err, ERR_FAILED,
			       "run %s: it is not in PATH, or not a program",
			       s->command.v[0]);
	err_set(err, ERR_USAGE, "agent '%s' needs a command", s->harness);
	return err_hint(err, "`afw new %s -- COMMAND` runs it",
			s->name ? s->name : "NAME");
}

/* A program of the name of an agent that afw was never tried with can be
 * another one (goose, crush). */
static bool may_be_default(const struct harness *h)
{
	return h->path && (!h->tried || was_tried(h));
}

/* Without a choice, if the default is not installed: returns the name of the
 * first harness of `afw adapters` that is, to be freed, or the default's if
 * none is. */
static char *choose_default(const struct config *config)
{
	const char *name = config_str(config, OPTION_HARNESS);
	_free_ char *found = NULL;
	struct harness_list l;

	if (strcmp(config_origin(config, OPTION_HARNESS), "default") != 0)
		return mem_strdup(name);
	harness_list_load(&l, config, false);
	for (size_t i = 0; i < l.n && !found; i++)
		if (may_be_default(&l.v[i]))
			found = mem_strdup(l.v[i].name);
	harness_list_finish(&l);
	if (!found || strcmp(found, name) == 0)
		return mem_strdup(name);
	output_warn("the default, %s, is not installed: this is %s "
		    "(`harness = %s` in afw.ini makes it the default)",
		    name, found, found);
	return TAKE_PTR(found);
}

cJSON *harness_section(const struct config *config, const char *name,
		       struct err *err)
{
	cJSON *section = config_harness(config, name, err);

	if (!section || section->child || is_adapter(name))
		return section;
	cJSON_Delete(section);
	err_unknown_harness(name, config, err);
	return NULL;
}

int harness_check_handoff(const struct config *config, struct err *err)
{
	const char *agent = strchr(config_str(config, OPTION_ON_LIMIT), ':');
	cJSON *section;

	if (!agent)
		return 0;
	section = harness_section(config, agent + 1, err);
	cJSON_Delete(section);
	return section ? 0 : err_prefix(err, "on_limit");
}

int harness_choose(const struct args *args, const struct config *config,
		   struct spec *s, struct err *err)
{
	const char *name = args_value(args, "agent");
	_free_ char *chosen = NULL;
	const struct adapter *a;
	struct rules *r;
	int rc;

	if (!name &&
	    strcmp(config_origin(config, OPTION_HARNESS), "command line") == 0)
		name = config_str(config, OPTION_HARNESS);
	if (!name && !args->n_rest)
		name = chosen = choose_default(config);
	else if (!name)
		name = "generic";
	s->harness_config = harness_section(config, name, err);
	if (!s->harness_config)
		return -1;
	s->harness = mem_strdup(name);
	for (size_t i = 0; i < args->n_rest; i++)
		strv_add(&s->command, args->rest[i]);
	r = rules_create(s->harness_config, err);
	if (!r)
		return -1;
	a = adapter_of(name, s->harness_config);
	rc = check_program(a, s, r, err);
	rules_destroy(r);
	return rc;
}
