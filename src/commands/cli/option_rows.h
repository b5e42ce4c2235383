/* option_rows.h - rows of option tables that several commands share, so that an
 * option means the same in each of them. */
#ifndef AFW_COMMANDS_CLI_OPTION_ROWS_H
#define AFW_COMMANDS_CLI_OPTION_ROWS_H

#include "commands/command.h"

/* clang-format off */

/* The options of a start: read by plan_read(). */
#define OPTION_ROWS_TASK						\
	{.name = "message",						\
	 .letter = 'm',							\
	 .arg = "TEXT",							\
	 .help = "the agent's first task"},						\
	{.name = "file",						\
	 .letter = 'F',							\
	 .arg = "FILE",							\
	 .help = "read the task from a file (-: standard input)"},		\
	{.name = "env",							\
	 .letter = 'e',							\
	 .arg = "NAME[=VALUE]",						\
	 .many = true,							\
	 .help = "set a variable for the agent; without =, copy it"},	\
	{.name = "env-file",						\
	 .arg = "FILE",							\
	 .many = true,							\
	 .help = "variables from a file of NAME=VALUE lines"}

/* The options of the session, stored with it: read by overrides_read(). */
#define OPTION_ROWS_OVERRIDES						\
	{.name = "image",						\
	 .arg = "IMAGE",						\
	 .help = "the image of its container"},				\
	{.name = "network",						\
	 .arg = "NETWORK",						\
	 .help = "the network of its container"},			\
	{.name = "memory",						\
	 .arg = "SIZE",							\
	 .help = "memory limit of its container: 512M, 4G"},		\
	{.name = "cpus",						\
	 .arg = "NUMBER",						\
	 .help = "processor limit of its container: 0.5, 2"},		\
	{.name = "option",						\
	 .letter = 'o',							\
	 .arg = "KEY=VALUE",						\
	 .many = true,							\
	 .help = "an option of afw.ini, for this session"}

#define OPTION_ROW_FRESH						\
	{.name = "fresh",						\
	 .help = "begin a new conversation if its own cannot be resumed"}

#define OPTION_ROW_STOP_TIMEOUT						\
	{.name = "timeout",						\
	 .letter = 't',							\
	 .arg = "TIME",							\
	 .help = "grace before it is killed; default stop_timeout"}

/* Read by sign_options(). */
#define OPTION_ROWS_SIGN						\
	{.name = "gpg-sign",						\
	 .letter = 'S',							\
	 .arg = "[=KEY]",						\
	 .help = "sign commits, with KEY or git's own"},		\
	{.name = "no-gpg-sign",						\
	 .help = "sign no commit, whatever git's configuration says"}

#define OPTION_ROW_JSON_SESSION						\
	{.name = "json", .help = "the session as one object a line"}

/* clang-format on */

#endif
