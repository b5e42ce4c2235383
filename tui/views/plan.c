/* plan.c - reads from the configuration what a new session would get. */
#include "tui/views/plan.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/screen/rules.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/mem.h"
#include "config/config.h"
#include "config/template.h"
#include "session/disk/dirs.h"
#include "session/session.h"
#include "wire/program.h"

/* -- choices ------------------------------------------------------------ */

static void add_choice(struct choice *c, const char *name, const char *title)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->v[i].name, name) == 0)
			return;
	c->v = mem_realloc(c->v, (c->n + 1) * sizeof *c->v);
	c->v[c->n].name = mem_strdup(name);
	c->v[c->n++].title = mem_strdup(title);
}

static void choice_finish(struct choice *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->v[i].name);
		free(c->v[i].title);
	}
	free(c->v);
	*c = (struct choice){0};
}

const char *choice_name(const struct choice *c)
{
	return c->n ? c->v[c->at].name : "";
}

bool choice_set(struct choice *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->v[i].name, name) == 0) {
			c->at = i;
			return true;
		}
	return false;
}

void choice_move(struct choice *c, int by)
{
	c->at = (c->at + c->n + (size_t)by) % c->n;
}

/* -- the configuration -------------------------------------------------- */

static void add_list(struct buf *b, const char *what, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		buf_addf(b, "%s%s", i ? " " : what, list->v[i]);
}

static void add_sections(struct buf *b, const char *what, const char *kind,
			 const struct config *c)
{
	_strv_ struct strv names = {0};

	config_section_names(c, kind, &names);
	add_list(b, what, &names);
}

static void add_text(struct buf *b, const char *what, const struct config *c,
		     enum option_id id)
{
	_free_ char *text = config_text(c, id);

	if (*text)
		buf_addf(b, "%s%s", what, text);
}

static char *text_of(const struct config *c)
{
	_buf_ struct buf b = {0};

	add_list(&b, "; copies ", config_list(c, OPTION_COPY));
	add_list(&b, "; links ", config_list(c, OPTION_LINK));
	add_text(&b, "; setup: ", c, OPTION_SETUP);
	add_text(&b, "; check: ", c, OPTION_CHECK);
	add_sections(&b, "; services ", "service", c);
	add_sections(&b, "; MCP servers ", "mcp", c);
	return mem_strdup(b.len ? b.data + 2 : ""); /* without the "; " */
}

/* Returns whether the program of an agent of share/adapters is there. */
static bool is_installed(const struct config *c, const char *name)
{
	_json_ cJSON *section = config_harness(c, name, NULL);
	struct rules *r = section ? rules_create(section, NULL) : NULL;
	_free_ char *program =
	    r ? adapter_program(adapter_of(name, section), r) : NULL;

	rules_destroy(r);
	return program;
}

/* Of another machine's agents it is not known which are installed. */
static void choose_harness(struct plan *p, const struct config *c)
{
	bool away = *choice_name(&p->host);
	_strv_ struct strv shared = {0}, names = {0};

	for (size_t i = 0; adapters[i]; i++) {
		_free_ char *program = adapters[i]->programs
					   ? adapter_program(adapters[i], NULL)
					   : NULL;
		if (program || (away && adapters[i]->programs))
			add_choice(&p->harness, adapters[i]->name,
				   adapters[i]->title);
	}
	if (c)
		config_shared_harness_names(c, &shared);
	for (size_t i = 0; i < shared.n; i++)
		if (strcmp(shared.v[i], "demo") != 0 &&
		    (away || is_installed(c, shared.v[i])))
			add_choice(&p->harness, shared.v[i], shared.v[i]);
	/* `afw new` checks its keys and values. */
	if (c)
		config_harness_names(c, &names);
	for (size_t i = 0; i < names.n; i++)
		add_choice(&p->harness, names.v[i], names.v[i]);
	if (!p->harness.n)
		add_choice(&p->harness, "demo", "demo");
	add_choice(&p->harness, "generic", "a command");
}

static void choose_role(struct plan *p, const struct config *c)
{
	_strv_ struct strv templates = {0};
	const char *const *sandbox = options[OPTION_SANDBOX].choices;

	if (c)
		template_names(c, &templates);
	add_choice(&p->template, "", "none");
	for (size_t i = 0; i < templates.n; i++)
		add_choice(&p->template, templates.v[i], templates.v[i]);
	for (; *sandbox; sandbox++)
		add_choice(&p->sandbox, *sandbox, *sandbox);
}

static void choose_host(struct plan *p, const struct config *c,
			const struct plan *was)
{
	_strv_ struct strv names = {0};

	if (c)
		config_section_names(c, "host", &names);
	add_choice(&p->host, "", "here");
	for (size_t i = 0; i < names.n; i++)
		add_choice(&p->host, names.v[i], names.v[i]);
	choice_set(&p->host, choice_name(&was->host));
}

/* Applies the template to c, if it still exists. */
static int apply_role(struct plan *p, struct config *c, const struct plan *was,
		      struct err *err)
{
	const char *template;

	choice_set(&p->template, choice_name(&was->template));
	template = choice_name(&p->template);
	if (!*template)
		return 0;
	p->says = template_summary(c, template);
	return template_apply(c, template, NULL, err);
}

/* Chooses agent and sandbox as the configuration does, or as before. */
static void choose_again(struct plan *p, const struct config *c,
			 const struct plan *was)
{
	bool same = !c || (was->laid && strcmp(was->laid, p->laid) == 0);

	choice_set(&p->harness, same ? choice_name(&was->harness)
				     : config_str(c, OPTION_HARNESS));
	choice_set(&p->sandbox,
		   same ? choice_name(&was->sandbox) : p->confined);
}

/* Returns the repository of the typed path, which may be below the user's
 * home. */
static char *repository_of(const char *path)
{
	const char *home = getenv("HOME");
	_free_ char *whole = NULL;

	if (!path || !*path)
		return NULL;
	whole = path[0] == '~' && (path[1] == '/' || !path[1]) && home
		    ? mem_printf("%s%s", home, path + 1)
		    : mem_strdup(path);
	return session_checkout_of(whole);
}

void plan_read(struct plan *p, const char *path)
{
	struct plan was = *p;
	_free_ char *data = dirs_data(NULL), *share = program_share("adapters");
	struct config_where where = {.data_dir = data, .share_dir = share};
	static const char there[] =
	    "it starts from the commit here; what else it gets is set there";
	struct config *c = NULL;
	struct err err = {0};

	*p = (struct plan){.repository = repository_of(path)};
	if (share)
		*strrchr(share, '/') = '\0'; /* its directory */
	where.repository = p->repository;
	p->mistaken = config_load(&c, &where, &err) < 0;
	choose_host(p, c, &was);
	choose_harness(p, c);
	choose_role(p, c);
	if (c && !p->mistaken)
		p->mistaken = apply_role(p, c, &was, &err) < 0;
	p->text = p->mistaken		   ? mem_strdup(err.what)
		  : *choice_name(&p->host) ? mem_strdup(there)
					   : text_of(c);
	p->untrusted = mem_strdup(c ? config_untrusted(c) : NULL);
	p->confined = mem_strdup(c ? config_str(c, OPTION_SANDBOX) : "");
	p->laid = mem_strdup(choice_name(&p->template));
	choose_again(p, c, &was);
	config_destroy(c);
	plan_finish(&was);
}

void plan_finish(struct plan *p)
{
	free(p->repository);
	free(p->laid);
	free(p->text);
	free(p->confined);
	free(p->says);
	free(p->untrusted);
	choice_finish(&p->harness);
	choice_finish(&p->sandbox);
	choice_finish(&p->host);
	choice_finish(&p->template);
	*p = (struct plan){0};
}
