/* context.h - the index that af_context_search made; in memory. */
#ifndef AFW_TOOLS_CONTEXT_H
#define AFW_TOOLS_CONTEXT_H

struct context;
void context_destroy(struct context *c); /* NULL does nothing */

#endif
