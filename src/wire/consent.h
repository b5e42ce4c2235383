/*
 * consent.h - what a supervisor answers a tool that asks for the user's
 * consent, one byte on the tool's standard error
 * (supervisor/approval/consent.h).
 */
#ifndef AFW_WIRE_CONSENT_H
#define AFW_WIRE_CONSENT_H

#define CONSENT_YES  'y'
#define CONSENT_NO   'n'
#define CONSENT_BUSY 'b' /* another tool's question is up */

#endif
