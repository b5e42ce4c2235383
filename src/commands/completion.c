/*
 * completion.c - afw completion: what bash, zsh and fish need, from the table
 * of commands. The names of sessions, groups and agents are asked for when
 * they are needed. What they are made of is not ours (a branch may be called
 * `$(rm x)`): no shell expands them, and what is put into the line is quoted.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "commands/command.h"
#include "session/phase.h"

/* How the words of an option's argument (by its placeholder), or of a
 * command's positionals (by what it "completes"), are found. */
enum words {
	WORDS_NONE,
	WORDS_FIXED, /* list */
	WORDS_FILE,
	WORDS_ASKED, /* what the command in list prints, one a line */
	WORDS_TRASH, /* of list; behind all but the first what the trash has */
};

static const struct {
	const char *kind;
	enum words words;
	const char *list; /* NULL: made by words_of() */
} kinds[] = {
    {"FILE", WORDS_FILE, NULL},
    {"BASE", WORDS_ASKED,
     "git for-each-ref --format=\"%(refname:short)\" refs/heads"},
    {"HARNESS", WORDS_ASKED, "afw adapters -q; echo demo"},
    {"LIST", WORDS_FIXED, NULL},
    {"WHEN", WORDS_FIXED, "merged always never"},
    {"BACKEND", WORDS_FIXED, "pty tmux"},
    {"SANDBOX", WORDS_FIXED, "none"},
    {"shell", WORDS_FIXED, "bash zsh fish"},
    {"session", WORDS_ASKED, "afw ls -q"},
    {"GROUP", WORDS_ASKED, "afw group -q"},
    {"trash", WORDS_TRASH, "ls restore purge"},
};

static enum words words_of(const char *kind, struct buf *list)
{
	enum words words = WORDS_NONE;

	buf_clear(list);
	buf_adds(list, "");
	for (size_t i = 0; kind && i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(kind, kinds[i].kind) == 0) {
			words = kinds[i].words;
			buf_adds(list, kinds[i].list ? kinds[i].list : "");
		}
	if (words != WORDS_FIXED || list->len)
		return words;
	for (int i = 1; i < ACTIVITY_COUNT; i++)
		buf_addf(list, "%s%s", i > 1 ? " " : "",
			 activity_name((enum activity)i));
	for (int i = 0; i < PHASE_COUNT; i++)
		buf_addf(list, " %s", phase_name((enum phase)i));
	return words;
}

/* text within single quotes; quote is how a shell has one in there. */
static void put_quoted(const char *text, const char *quote, const char *also)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs(quote, stdout);
		else if (strchr(also, *text))
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

static const struct command_option *next_option(const struct command *c,
						const struct command_option *o)
{
	static const struct command_option help = {
	    .name = "help", .letter = 'h', .help = "show this help"};

	if (o == &help)
		return NULL;
	o = o ? o + 1 : c->options;
	return o && o->name ? o : &help;
}

/* Offers what stands in list, or files. */
static void bash_offer(enum words words, const struct buf *list)
{
	if (words == WORDS_FIXED)
		printf("_afw_offer < <(printf '%%s\\n' %s)", list->data);
	else if (words == WORDS_ASKED)
		printf("_afw_offer < <({ %s; } 2>/dev/null)", list->data);
	else if (words == WORDS_FILE)
		printf("compopt -o filenames -o default 2>/dev/null");
	else if (words == WORDS_TRASH)
		printf("case \" ${COMP_WORDS[*]:2:COMP_CWORD-2} \" in\n"
		       "\t\t*' ls '*) ;;\n"
		       "\t\t*' restore '* | *' purge '*) _afw_offer "
		       "< <(afw trash ls -q 2>/dev/null) ;;\n"
		       "\t\t*) _afw_offer < <(printf '%%s\\n' %s) ;;\n"
		       "\t\tesac",
		       list->data);
	else
		printf(":");
}

static void bash_values(const struct command *c, const char *cmd)
{
	struct buf list = {0};

	for (const struct command_option *o = NULL; (o = next_option(c, o));) {
		enum words words = words_of(o->arg, &list);

		if (!o->arg)
			continue;
		printf("\t%s,--%s", cmd, o->name);
		if (o->letter)
			printf("|%s,-%c", cmd, o->letter);
		printf(") ");
		bash_offer(words, &list);
		printf("; return ;;\n");
	}
	buf_finish(&list);
}

static void bash_command(const struct command *c)
{
	struct buf list = {0};
	enum words words = words_of(c->completes, &list);

	printf("\t%s)\n\t\tcase $cur in -*) options='", c->name);
	for (const struct command_option *o = NULL; (o = next_option(c, o));)
		printf("--%s ", o->name);
	printf("'; ;; *) options='' ;; esac\n\t\t[ -n \"$options\" ] || ");
	bash_offer(words, &list);
	printf("\n\t\t;;\n");
	buf_finish(&list);
}

static void print_bash(void)
{
	printf("# bash completion of afw, made by `afw completion bash`\n"
	       "# Offers the lines that begin like $cur, quoted.\n"
	       "_afw_offer()\n{\n"
	       "\tlocal word quoted\n"
	       "\twhile IFS= read -r word; do\n"
	       "\t\tprintf -v quoted %%q \"$word\"\n"
	       "\t\tif [[ $word == \"$cur\"* || $quoted == \"$cur\"* ]]; then\n"
	       "\t\t\tCOMPREPLY+=(\"$quoted\")\n"
	       "\t\tfi\n\tdone\n}\n\n"
	       "_afw()\n{\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} options='' i\n"
	       "\tlocal prev=${COMP_WORDS[COMP_CWORD-1]} "
	       "cmd=${COMP_WORDS[1]}\n"
	       "\tCOMPREPLY=()\n"
	       "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	       "\t\t_afw_offer < <(printf '%%s\\n' ");
	for (size_t i = 0; commands[i]; i++)
		printf("%s ", commands[i]->name);
	printf("--help --version)\n\t\treturn\n\tfi\n"
	       "\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
	       "\t\tif [ \"${COMP_WORDS[i]}\" = -- ]; then\n"
	       "\t\t\tcompopt -o filenames -o default 2>/dev/null\n"
	       "\t\t\treturn\n\t\tfi\n"
	       "\tdone\n"
	       "\tcase $cmd,$prev in\n");
	for (size_t i = 0; commands[i]; i++)
		bash_values(commands[i], commands[i]->name);
	printf("\tesac\n\tcase $cmd in\n");
	for (size_t i = 0; commands[i]; i++)
		bash_command(commands[i]);
	printf("\tesac\n"
	       "\t[ -z \"$options\" ] || "
	       "_afw_offer < <(printf '%%s\\n' $options)\n"
	       "}\ncomplete -F _afw afw\n");
}

/* what: the kind that words_of() was asked for. */
static void zsh_action(enum words words, const struct buf *list,
		       const char *what)
{
	printf(":%s:", what);
	if (words == WORDS_FIXED)
		printf("(%s)", list->data);
	else if (words == WORDS_FILE)
		printf("_files");
	else if (words == WORDS_ASKED)
		printf(" _afw_names %s", what);
	else
		printf(" ");
}

static void zsh_option(const struct command_option *o)
{
	struct buf list = {0};
	enum words words = words_of(o->arg, &list);
	const char *star = o->many ? "*" : "";

	if (o->letter && !o->many)
		printf(" \\\n\t\t\t'(-%c --%s)'{-%c,--%s}'[", o->letter,
		       o->name, o->letter, o->name);
	else if (o->letter)
		printf(" \\\n\t\t\t'*'{-%c,--%s}'[", o->letter, o->name);
	else
		printf(" \\\n\t\t\t'%s--%s[", star, o->name);
	put_quoted(o->help, "'\\''", "[]:");
	printf("]");
	if (o->arg)
		zsh_action(words, &list, o->arg);
	printf("'");
	buf_finish(&list);
}

static void zsh_command(const struct command *c)
{
	struct buf list = {0};
	enum words words = words_of(c->completes, &list);

	printf("\t%s)\n\t\t_arguments -s -S", c->name);
	for (const struct command_option *o = NULL; (o = next_option(c, o));)
		zsh_option(o);
	if (words == WORDS_TRASH) {
		printf(" \\\n\t\t\t'1:%s:(%s)' '*:name:_afw_trash'",
		       c->completes, list.data);
	} else if (words != WORDS_NONE) {
		printf(" \\\n\t\t\t'%s", c->max_args == 1 ? "1" : "*");
		zsh_action(words, &list, c->completes);
		printf("'");
	}
	if (c->rest)
		printf(" \\\n\t\t\t'*:argument:_afw_rest'");
	printf("\n\t\t;;\n");
	buf_finish(&list);
}

static void print_zsh(void)
{
	printf("#compdef afw\n"
	       "# zsh completion of afw, made by `afw completion zsh`\n"
	       "_afw_names()\n{\n\tlocal -a names\n"
	       "\tnames=(${(f)\"$(case $1 in\n");
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i].words == WORDS_ASKED)
			printf("\t(%s) %s ;;\n", kinds[i].kind, kinds[i].list);
	printf("\tesac 2>/dev/null)\"})\n"
	       "\tcompadd -a names\n}\n\n"
	       "_afw_trash()\n{\n\tlocal -a names\n"
	       "\t(( ${words[(I)ls]} )) && return\n"
	       "\tnames=(${(f)\"$(afw trash ls -q 2>/dev/null)\"})\n"
	       "\tcompadd -a names\n}\n\n"
	       "_afw_rest()\n{\n"
	       "\t(( ${words[(I)--]} )) && _default\n}\n\n"
	       "_afw()\n{\n\tlocal -a names\n\tnames=(\n");
	for (size_t i = 0; commands[i]; i++) {
		printf("\t\t'%s:", commands[i]->name);
		put_quoted(commands[i]->summary, "'\\''", ":");
		printf("'\n");
	}
	printf("\t)\n\tif (( CURRENT == 2 )); then\n"
	       "\t\t_describe command names\n\t\treturn\n\tfi\n"
	       "\tshift words\n\t(( CURRENT-- ))\n\tcase $words[1] in\n");
	for (size_t i = 0; commands[i]; i++)
		zsh_command(commands[i]);
	printf("\tesac\n}\n\n_afw \"$@\"\n");
}

static void fish_option(const char *seen, const struct command_option *o)
{
	struct buf list = {0};
	enum words words = words_of(o->arg, &list);

	printf("complete -c afw -n '%s' -l %s", seen, o->name);
	if (o->letter)
		printf(" -s %c", o->letter);
	if (words == WORDS_FIXED)
		printf(" -x -a '%s'", list.data);
	else if (words == WORDS_FILE)
		printf(" -r -F");
	else if (words == WORDS_ASKED)
		printf(" -x -a '(begin; %s; end 2>/dev/null)'", list.data);
	else if (o->arg)
		printf(" -x");
	printf(" -d '");
	put_quoted(o->help, "\\'", "\\");
	printf("'\n");
	buf_finish(&list);
}

static void fish_command(const struct command *c)
{
	struct buf list = {0}, seen = {0};
	enum words words = words_of(c->completes, &list);

	printf("complete -c afw -n __fish_use_subcommand -a %s -d '", c->name);
	put_quoted(c->summary, "\\'", "\\");
	printf("'\n");
	buf_addf(&seen, "__fish_seen_subcommand_from %s", c->name);
	for (const struct command_option *o = NULL; (o = next_option(c, o));)
		fish_option(seen.data, o);
	if (words == WORDS_ASKED)
		printf("complete -c afw -n '%s' -a '(begin; %s; end "
		       "2>/dev/null)'\n",
		       seen.data, list.data);
	else if (words == WORDS_FIXED)
		printf("complete -c afw -n '%s' -a '%s'\n", seen.data,
		       list.data);
	else if (words == WORDS_TRASH)
		printf("complete -c afw -n '%s; and not "
		       "__fish_seen_subcommand_from %s' -a '%s'\n"
		       "complete -c afw -n '%s; and "
		       "__fish_seen_subcommand_from restore purge' "
		       "-a '(afw trash ls -q 2>/dev/null)'\n",
		       seen.data, list.data, list.data, seen.data);
	else if (words == WORDS_FILE)
		printf("complete -c afw -n '%s' -F\n", seen.data);
	buf_finish(&seen);
	buf_finish(&list);
}

static void print_fish(void)
{
	printf("# fish completion of afw, made by `afw completion fish`\n"
	       "complete -c afw -f\n");
	for (size_t i = 0; commands[i]; i++)
		fish_command(commands[i]);
}

static int run(const struct args *args, struct err *err)
{
	static const char *const names[] = {"bash", "zsh", "fish", NULL};
	const char *shell = args->positional[0], *best;

	if (strcmp(shell, "bash") == 0) {
		print_bash();
	} else if (strcmp(shell, "zsh") == 0) {
		print_zsh();
	} else if (strcmp(shell, "fish") == 0) {
		print_fish();
	} else {
		err_set(err, ERR_USAGE,
			"completion: '%.40s' is none of bash, "
			"zsh, fish",
			shell);
		best = nearest_of(shell, names);
		return best ? err_hint(err, "did you mean %s?", best) : -1;
	}
	return 0;
}

const struct command command_completion = {
    .name = "completion",
    .usage = "bash|zsh|fish",
    .summary = "print the completion for a shell",
    .completes = "shell",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
