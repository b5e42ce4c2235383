/* none.h - no sandbox: the harness can do what the user can. */
#ifndef AFW_SANDBOX_NONE_H
#define AFW_SANDBOX_NONE_H

#include "sandbox/sandbox.h"

extern const struct sandbox sandbox_none;

#endif
