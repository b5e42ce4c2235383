/* example.h - an afw.ini with every option at its default, commented out:
 * share/afw.ini and `afw config --example`. */
#ifndef AFW_CONFIG_EXAMPLE_H
#define AFW_CONFIG_EXAMPLE_H

#include "base/buf.h"

/* Appends the whole file. */
void example_print(struct buf *out);

#endif
