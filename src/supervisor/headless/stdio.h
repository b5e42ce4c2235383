/*
 * stdio.h - `afw-supervisor --stdio`: one harness without a terminal, held by
 * JSON lines on standard input and output (wire/protocol.h, "Without a
 * terminal"). It needs no file; it may be process 1 of a container.
 */
#ifndef AFW_SUPERVISOR_HEADLESS_STDIO_H
#define AFW_SUPERVISOR_HEADLESS_STDIO_H

/* Returns the harness's exit code, 128 + n where it died of signal n; 1 where
 * none was started. */
int stdio_run(void);

#endif
