/*
 * image.c - afw image: builds and lists the images of containers.
 *
 * podman names the container in which a build works after its base image, and
 * leaves it behind if the build is interrupted. The base therefore gets a name
 * that only this build uses, by which its leftovers are found and no other
 * container.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/json.h"
#include "base/random.h"
#include "base/spawn.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/launch/harnesses.h"
#include "commands/launch/pull.h"
#include "commands/launch/settings.h"
#include "sandbox/podman.h"
#include "sandbox/podman_args.h"
#include "sandbox/podman_call.h"
#include "sandbox/podman_check.h"
#include "sandbox/podman_image.h"
#include "session/disk/dirs.h"
#include "session/session.h"
#include "wire/program.h"

#define BASE	   "docker.io/library/node:lts-slim"
#define HOST_IMAGE "localhost/afw-host"

#define CONTEXT_MS  60000
#define CONTEXT_MAX ((size_t)512)

static const struct command_option image_options[] = {
    {.name = "base",
     .arg = "IMAGE",
     .help = "from this one, not " BASE,
     .verbs = "build"},
    {.name = "host",
     .help = "the image of places, from an agent's: with sshd and this afw",
     .verbs = "build"},
    {.name = "json", .help = "one array of objects", .verbs = "- ls"},
    {.name = NULL},
};

/* -- ls -------------------------------------------------------------------- */

static const struct list_column columns[] = {
    {.key = "names", .title = "NAMES", .sgr = "\033[1m", .none = "(none)"},
    {.key = "harness", .title = "AGENT", .none = "-"},
    {.key = "bytes", .title = ">SIZE", .kind = LIST_SIZE},
    {.key = "created_at", .title = ">AGE", .kind = LIST_SINCE},
    {.key = "used_by", .title = "USED BY"},
    {.key = NULL},
};

/* Adds the names of the sessions whose containers use that image. */
static void set_users(cJSON *row, const struct session_list *l)
{
	_strv_ struct strv users = {0};
	const cJSON *name;

	for (size_t i = 0; i < l->n; i++) {
		const struct spec *s = &l->v[i].spec;
		_free_ char *image = NULL;

		if (l->v[i].broken ||
		    strcmp(s->sandbox, sandbox_podman.name) != 0)
			continue;
		image = podman_image_of(s);
		cJSON_ArrayForEach (name, json_get(row, "names"))
			if (podman_image_is_called(name->valuestring, image)) {
				strv_take(&users, session_label(&l->v[i], l));
				break;
			}
	}
	json_set_strv(row, "used_by", &users);
}

static int cmd_image(const struct args *args, struct err *err)
{
	_session_list_ struct session_list l = {0};
	cJSON *rows = NULL, *row;

	if (podman_check(NULL, err) == 0 && session_list_load(&l, err) == 0)
		rows = podman_image_list(err);
	cJSON_ArrayForEach (row, rows) {
		set_users(row, &l);
	}
	return rows ? list_print(rows, columns, args,
				 "`afw image build AGENT` makes one")
		    : -1;
}

/* -- build ----------------------------------------------------------------- */

/* Refuses the name of an image that afw has not built. */
static int name_is_free(const char *name, struct err *err)
{
	struct strv argv = {0};
	struct buf label = {0};
	struct err none;
	bool others;

	podman_args_image_label(name, &argv);
	others = podman_call(&argv, PODMAN_CALL_MS, &label, &none) == 0 &&
		 label.data && label.data[0] != '1';
	buf_finish(&label);
	if (!others)
		return 0;
	err_set(err, ERR_CONFLICT,
		"there is an image %s, and afw did not make it", name);
	return err_hint(err,
			"`podman tag %s OTHER` and `podman untag %s %s` give "
			"it another name",
			name, name, name);
}

static int build_from(const char *base, struct podman_build *b, struct err *err)
{
	struct strv argv = {0};
	struct err ignored;
	char hex[17], *name, *builder;
	int rc, signo = 0;

	random_hex(hex, 16);
	name = mem_printf("localhost/afw-base-%s", hex);
	builder = podman_args_builder(name);
	podman_args_tag(base, name, &argv);
	rc = podman_call(&argv, PODMAN_CALL_MS, NULL, err);
	if (rc == 0) {
		b->base = name;
		podman_args_build(b, &argv);
		rc = pull_run_podman(&argv, &signo, err);
		if (rc > 0) {
			err_set(err, ERR_FAILED,
				"podman could not build it, see above");
			err_hint(err, "options of podman build go after "
				      "--: afw-image(1)");
		}
		podman_args_remove(NULL, builder, 0, &argv);
		podman_call(&argv, PODMAN_CALL_MS, NULL, &ignored);
		podman_args_untag(name, &argv);
		podman_call(&argv, PODMAN_CALL_MS, NULL, &ignored);
	}
	pull_die_of(signo);
	free(builder);
	free(name);
	return rc == 0 ? 0 : -1;
}

static int build(const struct args *args, struct err *err)
{
	const char *base = args_value(args, "base");
	struct config *c = NULL;
	cJSON *section = NULL;
	char *file = program_share("image/Containerfile"), *name = NULL;
	struct podman_build b = {.file = file, .more = args->rest};
	int rc = -1;

	if (settings_load_here(&c, err) == 0) {
		b.harness = args->n ? args->positional[0]
				    : config_str(c, OPTION_HARNESS);
		section = harness_section(c, b.harness, err);
	}
	if (section) {
		b.package = adapter_package(adapter_of(b.harness, section));
		b.name = name = podman_image_name(b.harness);
		rc = name_is_free(name, err);
	}
	if (rc == 0 && pull_image(base ? base : BASE, err) < 0)
		rc = err_hint(err, "--base names another; afw-image(1) makes "
				   "one without a registry");
	if (rc == 0)
		rc = build_from(base ? base : BASE, &b, err);
	if (rc == 0)
		output_line(stdout, "%s is built", name);
	else
		err_prefix(err, "image build");
	cJSON_Delete(section);
	config_destroy(c);
	free(name);
	free(file);
	return rc;
}

/* -- the image of places (afw-hosts(7)) ------------------------------------ */

/* Makes the directory that Containerfile.host is built in. An interrupted build
 * leaves it, and the next one replaces it. */
static int make_context(const char *dir, struct err *err)
{
	_free_ char *script = program_share("image/host-context");
	_free_ char *share = program_share(""), *afw = program_afw();
	_free_ char *supervisor = program_find("afw-supervisor");
	const char *const argv[] = {script, dir, afw, supervisor, share, NULL};
	const struct spawn sp = {.argv = (char *const *)(size_t)argv,
				 .fd = {-1, -1, -1}};
	_buf_ struct buf errors = {0};
	int status;

	if (delete_tree(AT_FDCWD, dir, err) < 0 || dirs_prepare(err) < 0 ||
	    file_private_dir(dir, err) < 0 ||
	    spawn_run(&sp, NULL, NULL, &errors, CONTEXT_MAX, CONTEXT_MS,
		      &status, err) < 0)
		return -1;
	buf_adds(&errors, "");
	return status == 0
		   ? 0
		   : err_set(err, ERR_FAILED, "copy this afw: %s", errors.data);
}

static int build_host(const struct args *args, struct err *err)
{
	_config_ struct config *c = NULL;
	_free_ char *data = dirs_data(err), *base = NULL;
	_free_ char *dir = data ? file_join(data, "image-context") : NULL;
	_free_ char *file = dir ? file_join(dir, "Containerfile") : NULL;
	struct podman_build b = {.file = file,
				 .name = HOST_IMAGE,
				 .package = "",
				 .more = args->rest};
	int there;

	if (!dir || settings_load_here(&c, err) < 0)
		return -1;
	b.harness =
	    args->n ? args->positional[0] : config_str(c, OPTION_HARNESS);
	base = args_has(args, "base") ? mem_strdup(args_value(args, "base"))
				      : podman_image_name(b.harness);
	there = podman_image_exists(NULL, base, err);
	if (there == 0) {
		err_set(err, ERR_FAILED, "there is no image %s", base);
		err_hint(err, "`afw image build AGENT` makes it");
	}
	if (there <= 0 || name_is_free(b.name, err) < 0 ||
	    make_context(dir, err) < 0 || build_from(base, &b, err) < 0)
		return err_prefix(err, "image build --host");
	output_line(stdout, "%s is built", b.name);
	return delete_tree(AT_FDCWD, dir, err);
}

static int run_build(const struct args *args, struct err *err)
{
	if (podman_check(NULL, err) < 0)
		return -1;
	return args_has(args, "host") ? build_host(args, err)
				      : build(args, err);
}

static const struct verb verbs[] = {
    {"ls", "", NULL, 0, 0, cmd_image},
    {"build", "[AGENT] [-- OPTIONS...]", "AGENT", 0, 1, run_build},
    {.name = NULL},
};

const struct command command_image = {
    .name = "image",
    .usage = "",
    .summary = "list or build the images that sandbox podman runs agents in",
    .verbs = verbs,
    .rest = true,
    .options = image_options,
    .run = cmd_image,
};
