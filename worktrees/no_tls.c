/*
 * no_tls.c - keeps libgit2 from reading the system's certificates.
 *
 * Debian 12's libgit2 uses mbedTLS and parses all of ca-certificates.crt when
 * it is set up: 3 ms of the 9 that a worktree of 100 files takes. This program
 * never speaks to a network. A function of the program's own comes before the
 * library's of the same name (ELF), so this one is found instead. If libgit2 is
 * built otherwise, it is not called.
 */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);

int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	return 0;
}
