/*
 * completion.c - afw completion: a few lines for bash, zsh and fish that run
 * `afw completion words` to get the candidates for the word at the cursor. They
 * come from the table of commands, and names from the commands that print them.
 * Names are not trusted (a branch may be called `$(rm x)`): the shells do not
 * expand them, and quote what they insert.
 */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/spawn.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "commands/ls_table.h"
#include "config/option.h"
#include "hosts/host_ask.h"
#include "session/session_rows.h"
#include "session/word.h"

#define FILES ":files" /* the shell offers files */

static const struct {
	const char *shell, *script;
} scripts[] = {
    {"bash", "# bash completion of afw, made by `afw completion bash`\n"
	     "# Offers the lines that begin like $cur, quoted. Bash takes a "
	     "colon for a word.\n"
	     "_afw()\n{\n"
	     "\tlocal cur word quoted head= i words=()\n"
	     "\tfor ((i = 1; i <= COMP_CWORD; i++)); do\n"
	     "\t\tif ((i > 1)) && [[ ${COMP_WORDS[i]} == : || "
	     "${COMP_WORDS[i - 1]} == : ]]; then\n"
	     "\t\t\twords[-1]+=${COMP_WORDS[i]}\n"
	     "\t\telse\n"
	     "\t\t\twords+=(\"${COMP_WORDS[i]}\")\n"
	     "\t\tfi\n"
	     "\tdone\n"
	     "\tcur=${words[-1]}\n"
	     "\t[[ $COMP_WORDBREAKS != *:* || $cur != *:* ]] || "
	     "head=${cur%%:*}:\n"
	     "\tCOMPREPLY=()\n"
	     "\twhile IFS= read -r word; do\n"
	     "\t\tif [ \"$word\" = " FILES " ]; then\n"
	     "\t\t\tcompopt -o filenames -o default 2>/dev/null\n"
	     "\t\t\treturn\n"
	     "\t\tfi\n"
	     "\t\tword=${word%%$'\\t'*}\n"
	     "\t\tprintf -v quoted %q \"$word\"\n"
	     "\t\tif [[ $word == \"$cur\"* || $quoted == \"$cur\"* ]]; then\n"
	     "\t\t\tCOMPREPLY+=(\"${quoted#\"$head\"}\")\n"
	     "\t\tfi\n"
	     "\tdone < <(afw completion words -- "
	     "\"${words[@]}\" 2>/dev/null)\n"
	     "\t[[ ${COMPREPLY-} != *: ]] || compopt -o nospace 2>/dev/null\n"
	     "}\n"
	     "complete -F _afw afw\n"},
    {"zsh", "#compdef afw\n"
	    "# zsh completion of afw, made by `afw completion zsh`\n"
	    "_afw()\n{\n"
	    "\tlocal -a lines names shown\n"
	    "\tlocal line\n"
	    "\tlines=(${(f)\"$(afw completion words -- "
	    "\"${(@)words[2,CURRENT]}\" 2>/dev/null)\"})\n"
	    "\tif [[ $lines[1] == " FILES " ]]; then\n"
	    "\t\t_files\n"
	    "\t\treturn\n"
	    "\tfi\n"
	    "\tfor line in $lines; do\n"
	    "\t\tnames+=(\"${line%%$'\\t'*}\")\n"
	    "\t\tshown+=(\"${line/$'\\t'/  -- }\")\n"
	    "\tdone\n"
	    "\tif [[ $lines[1] == *$'\\t'* ]]; then\n"
	    "\t\tcompadd -l -d shown -a names\n"
	    "\telse\n"
	    "\t\tcompadd -S '' -- \"${(@M)names:#*:}\"\n"
	    "\t\tcompadd -- \"${(@)names:#*:}\"\n"
	    "\tfi\n"
	    "}\n\n"
	    "_afw \"$@\"\n"},
    {"fish", "# fish completion of afw, made by `afw completion fish`\n"
	     "function __afw_words\n"
	     "\tset -l words (commandline -opc)\n"
	     "\tset -l cur (commandline -ct)\n"
	     "\tset -l lines "
	     "(afw completion words -- $words[2..-1] \"$cur\" 2>/dev/null)\n"
	     "\tif test \"$lines[1]\" = " FILES "\n"
	     "\t\t__fish_complete_path \"$cur\"\n"
	     "\telse\n"
	     "\t\tprintf '%s\\n' $lines\n"
	     "\tend\n"
	     "end\n"
	     "complete -c afw -f -a '(__afw_words)'\n"},
};

/* -- words ----------------------------------------------------------------- */

/* Prints the names that another command of afw prints with --quiet. */
static void print_names(const char *command)
{
	char *argv[] = {(char[]){"--quiet"}, NULL};
	const struct command *c = command_find(command);
	struct args args;
	struct err err;

	if (args_parse(&args, c, 1, argv, &err) == 0)
		c->run(&args, &err);
	args_finish(&args);
}

/* Offers the sessions of this machine, also those that lists hide. */
static void offer_local(const char *word)
{
	_session_list_ struct session_list l = {0};

	if (session_list_load_board(&l, NULL) == 0)
		ls_print_names(&l);
}

/* Offers the sessions of this machine and "HOST:", then those of the host. */
static void offer_sessions(const char *word)
{
	_config_ struct config *config = NULL;
	_host_list_ struct host_list hosts = {0};
	_session_list_ struct session_list l = {0};
	struct host_list one = {.n = 1};
	const char *rest;

	if (settings_load_usable(&config, NULL, NULL) == 0)
		host_list_load(&hosts, config, NULL);
	one.v = (struct host *)(size_t)host_of_session(&hosts, word, &rest);
	if (one.v) {
		host_ask(&one, &l, NULL);
		ls_print_names(&l);
		return;
	}
	offer_local(word);
	for (size_t i = 0; i < hosts.n; i++)
		printf("%s%c\n", hosts.v[i].name, HOST_MARK);
}

static void offer_compared(const char *word)
{
	print_names("group");
	offer_sessions(word);
}

static void offer_goals(const char *word)
{
	for (int i = 0; i < WORD_COUNT; i++)
		printf("%s\t%s\n", word_name((enum word)i),
		       word_help((enum word)i));
}

static void offer_columns(const char *word)
{
	for (const struct session_row *c = session_columns; c->name; c++)
		puts(c->name);
}

static void offer_options(const char *word)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		printf("%s\t%s\n", options[i].name, options[i].help);
}

/* Offers them with the "=" that their value follows. */
static void offer_session_options(const char *word)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (options[i].session)
			printf("%s=\t%s\n", options[i].name, options[i].help);
}

static void offer_branches(const char *word)
{
	char *argv[] = {(char[]){"git"}, (char[]){"for-each-ref"},
			(char[]){"--format=%(refname:short)"},
			(char[]){"refs/heads"}, NULL};

	fflush(stdout);
	spawn_exec(argv);
}

/* Prints the candidates for an option's argument (by its placeholder), or for a
 * command's positionals (by `completes`). */
static void offer_kind(const char *kind, const char *word)
{
	static const struct {
		const char *kind, *command, *lines;
		void (*print)(const char *word);
		const struct option *option; /* whose choices are offered */
	} kinds[] = {
	    {.kind = "FILE", .lines = FILES},
	    {.kind = "BASE", .print = offer_branches},
	    {.kind = "BRANCH", .print = offer_branches},
	    {.kind = "AGENT", .command = "adapters", .lines = "demo"},
	    {.kind = "LIST", .print = offer_goals},
	    {.kind = "COLUMNS", .print = offer_columns},
	    {.kind = "rm", .lines = "rm"},
	    {.kind = "WHEN", .lines = "merged\nalways\nnever"},
	    {.kind = "BACKEND", .option = &options[OPTION_BACKEND]},
	    {.kind = "SANDBOX", .option = &options[OPTION_SANDBOX]},
	    {.kind = "NETWORK", .option = &options[OPTION_NETWORK]},
	    {.kind = "KEY=VALUE", .print = offer_session_options},
	    {.kind = "shell", .lines = "bash\nzsh\nfish"},
	    {.kind = "session", .print = offer_sessions},
	    {.kind = "SESSION", .print = offer_local},
	    {.kind = "SESSION[@N]", .print = offer_local},
	    {.kind = "GROUP", .command = "group"},
	    {.kind = "compared", .print = offer_compared},
	    {.kind = "TEMPLATE", .command = "templates"},
	    {.kind = "option", .print = offer_options},
	    {.kind = "trashed", .command = "trash"},
	};

	for (size_t i = 0; kind && i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strcmp(kind, kinds[i].kind) != 0)
			continue;
		if (kinds[i].command)
			print_names(kinds[i].command);
		if (kinds[i].lines)
			puts(kinds[i].lines);
		if (kinds[i].print)
			kinds[i].print(word);
		for (size_t c = 0;
		     kinds[i].option && kinds[i].option->choices[c]; c++)
			puts(kinds[i].option->choices[c]);
	}
}

static void offer_option(const struct command_option *o)
{
	if (o->letter)
		printf("-%c\t%s\n", o->letter, o->help);
	printf("--%s\t%s\n", o->name, o->help);
}

static void offer_commands(void)
{
	for (size_t i = 0; commands[i]; i++)
		printf("%s\t%s\n", commands[i]->name, commands[i]->summary);
	puts("--help\tshow this help\n--version\tshow the version");
}

/* Returns the option whose value follows that word, or NULL. */
static const struct command_option *
find_option_with_value(const struct command *c, const char *before)
{
	for (const struct command_option *o = c->options; o && o->name; o++)
		if (o->arg && o->arg[0] != '[' && before[0] == '-' &&
		    (before[1] == '-'
			 ? strcmp(before + 2, o->name) == 0
			 : o->letter && before[1] == o->letter && !before[2]))
			return o;
	return NULL;
}

static void offer_options_of(const struct command *c, const struct verb *v)
{
	for (const struct command_option *o = c->options; o && o->name; o++)
		if (!v || !o->verbs || args_is_listed(o->verbs, v->name))
			offer_option(o);
	offer_option(&command_help_option);
}

/* Prints the candidates for an argument of c after n words: its verbs, or by
 * kind. */
static void offer_arguments(const struct command *c, const struct verb *v,
			    size_t n, const char *word)
{
	int max = v ? v->max_args : c->max_args;

	for (const struct verb *e = c->verbs; !v && n == 0 && e && e->name; e++)
		puts(e->name);
	if (max < 0 || n < (size_t)max || !c->verbs)
		offer_kind(v	     ? v->completes
			   : c->each ? "session"
				     : c->completes,
			   word);
}

/* Prints the candidates for the last of n words, the first of which is the
 * command, one a line, each followed by a TAB and its meaning. */
static void offer_words(const char *const *words, size_t n)
{
	const struct command *c = n > 1 ? command_find(words[0]) : NULL;
	const struct command_option *o;
	const struct verb *v = NULL;
	size_t given = 0;

	if (n < 2)
		offer_commands();
	if (!c)
		return;
	for (size_t i = 1; i < n - 1; i++) {
		if (strcmp(words[i], "--") == 0) {
			offer_kind("FILE", "");
			return;
		}
		if (words[i][0] == '-' ||
		    find_option_with_value(c, words[i - 1]))
			continue;
		if (given++ == 0 && (v = command_verb(c, words[i])))
			given = 0;
	}
	o = find_option_with_value(c, words[n - 2]);
	if (o)
		offer_kind(o->arg, words[n - 1]);
	else if (words[n - 1][0] == '-')
		offer_options_of(c, v);
	else
		offer_arguments(c, v, given, words[n - 1]);
}

static int cmd_completion(const struct args *args, struct err *err)
{
	static const char *const names[] = {"bash", "zsh", "fish", NULL};
	const char *shell = args->positional[0], *best;

	if (strcmp(shell, "words") == 0) {
		offer_words(args->rest, args->n_rest);
		return 0;
	}
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
		if (strcmp(shell, scripts[i].shell) == 0) {
			fputs(scripts[i].script, stdout);
			return 0;
		}
	err_set(err, ERR_USAGE,
		"completion: '%.40s' is not one of bash, zsh, fish", shell);
	best = nearest_of(shell, names);
	return best ? err_hint(err, "did you mean %s?", best) : -1;
}

const struct command command_completion = {
    .name = "completion",
    .usage = "bash|zsh|fish | words -- WORD...",
    .summary = "print the completion for a shell",
    .completes = "shell",
    .min_args = 1,
    .max_args = 1,
    .rest = true,
    .here = true,
    .run = cmd_completion,
};
