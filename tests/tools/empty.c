/* empty.c - what starting any process costs: `make bench` compares with it. */
int main(void)
{
	return 0;
}
