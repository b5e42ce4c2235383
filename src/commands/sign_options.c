/* sign_options.c - whether and how commits are signed (OPTION_ROWS_SIGN). */
#include "commands/sign_options.h"

#include "commands/cli/output.h"

void sign_options_add(const struct args *args, cJSON *request)
{
	bool no = args_has(args, "no-gpg-sign");

	if (no || args_has(args, "gpg-sign"))
		json_set_bool(request, "sign", !no);
	json_set_str(request, "sign_key", args_value(args, "gpg-sign"));
}

void sign_options_warn(const cJSON *answer)
{
	int64_t lost = json_int(answer, "signatures_lost", 0);

	if (lost)
		output_warn("the signature%s of %lld commit%s: "
			    "commit.gpgsign is not set",
			    lost == 1 ? "" : "s", (long long)lost,
			    lost == 1 ? " is dropped" : "s are dropped");
}
