/* sign_options.c - the options for signing commits (OPTION_ROWS_SIGN). */
#include "commands/sign_options.h"

void sign_options_add(const struct args *args, cJSON *request)
{
	bool no = args_has(args, "no-gpg-sign");

	if (no || args_has(args, "gpg-sign"))
		json_set_bool(request, "sign", !no);
	json_set_str(request, "sign_key", args_value(args, "gpg-sign"));
}
