/*
 * attach.c - afw attach: shows a session on this terminal, through its
 * supervisor (attach_terminal.c) or with a command of its backend
 * (attach_tmux.c).
 */
#include "commands/attach.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "commands/attachment.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "terminal/terminal.h"

/*
 * Returns whether fd is the terminal on which the session itself runs. Attached
 * to that terminal, its output would echo as its own input without end, and the
 * detach key would go to the outer session.
 */
static bool is_its_own(const struct session *s, int fd)
{
	struct process p;
	struct stat st;

	return s->state.pid > 0 && process_read(s->state.pid, &p) &&
	       p.tty != 0 && fstat(fd, &st) == 0 && st.st_rdev == p.tty;
}

int attach_session(const struct session *s, const struct config *config,
		   bool read_only, struct err *err)
{
	const struct terminal_backend *backend = terminal_find(s->spec.backend);

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(err, ERR_USAGE,
			"attach to '%s': this is not a terminal", s->spec.name);
		return err_hint(err,
				"`afw capture %s` prints its screen, "
				"`afw logs -f %s` follows its output",
				s->spec.name, s->spec.name);
	}
	if (is_its_own(s, STDIN_FILENO) || is_its_own(s, STDOUT_FILENO))
		return err_set(err, ERR_REFUSED,
			       "attach to '%s': this terminal is the session's "
			       "own",
			       s->spec.name);
	return backend && backend->attach
		   ? attach_tmux(s, config, read_only, err)
		   : attach_terminal(s, config, read_only, NULL, err);
}

static const struct command_option attach_options[] = {
    {.name = "read-only",
     .letter = 'r',
     .help = "watch only: keys and this terminal's size do not reach it"},
    {.name = "detach-key",
     .letter = 'k',
     .arg = "KEY",
     .help = "the key that detaches; default detach_key (C-\\)"},
    {.name = "print",
     .help = "only print the command that shows it (backend tmux)"},
    {.name = NULL},
};

static int cmd_attach(struct session *s, const struct args *args,
		      struct err *err)
{
	const char *key = args_value(args, "detach-key");
	struct config *config = NULL;
	int rc = -1;

	if (settings_load_usable(&config, spec_checkout(&s->spec), err) == 0 &&
	    (!key || config_set(config, OPTION_DETACH_KEY, key, err) == 0))
		rc = (args_has(args, "print") ? attach_print_command
					      : attach_session)(
		    s, config, args_has(args, "read-only"), err);
	config_destroy(config);
	return rc;
}

const struct command command_attach = {
    .name = "attach",
    .usage = "[NAME]",
    .summary = "show a session on this terminal; Ctrl-\\ leaves it",
    .max_args = 1,
    .options = attach_options,
    .each = cmd_attach,
};
