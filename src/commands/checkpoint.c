/* checkpoint.c - afw checkpoint: stores the worktree as it is now. */
#include "commands/checkpoint.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "wire/worktree_client.h"

static const struct command_option options[] = {
    {.name = "message",
     .letter = 'm',
     .arg = "TEXT",
     .help = "a note for the list of checkpoints"},
    {.name = NULL},
};

cJSON *checkpoint_session(const struct session *s, const char *kind,
			  const char *text, struct err *err)
{
	struct checkpoint_request rq = {.place = spec_place(&s->spec),
					.kind = kind,
					.text = text,
					.keep = CHECKPOINTS_KEPT,
					.file_max = CHECKPOINT_FILE_MAX};

	return worktree_client_run(checkpoint_request(&rq), NULL, NULL, 0, err);
}

static int cmd_checkpoint(struct session *s, const struct args *args,
			  struct err *err)
{
	_json_ cJSON *answer = NULL;
	const char *name = s->spec.name;
	int64_t files;
	const cJSON *f;

	if (spec_check_single(&s->spec, "checkpoint", err) < 0 ||
	    spec_check_checkout(&s->spec, err) < 0)
		return err_prefix(err, "checkpoint of '%s'", name);
	answer =
	    checkpoint_session(s, "user", args_value(args, "message"), err);
	if (!answer)
		return err_prefix(err, "checkpoint of '%s'", name);
	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	cJSON_ArrayForEach (f, json_get(answer, "left_out"))
		output_warn("%s: left out: %s", name, f->valuestring);
	files = json_int(answer, "files", 0);
	printf("%s: checkpoint %lld, %lld file%s changed since the previous "
	       "one\n",
	       name, (long long)json_int(answer, "number", 0), (long long)files,
	       files == 1 ? "" : "s");
	return 0;
}

const struct command command_checkpoint = {
    .name = "checkpoint",
    .usage = "[NAME]",
    .summary = "store the worktree as it is now",
    .max_args = 1,
    .options = options,
    .each = cmd_checkpoint,
};
