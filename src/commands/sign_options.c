/* sign_options.c - the options for signing commits (OPTION_ROWS_SIGN). */
#include "commands/sign_options.h"

struct sign_choice sign_options(const struct args *args)
{
	return (struct sign_choice){
	    .sign = args_has(args, "no-gpg-sign") ? SWITCH_OFF
		    : args_has(args, "gpg-sign")  ? SWITCH_ON
						  : SWITCH_ABSENT,
	    .sign_key = args_value(args, "gpg-sign")};
}
