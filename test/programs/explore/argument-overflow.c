// The value of an option is looked for behind an equals sign, also when there is none.
// run: explore --sym-arg 3
// twin: -DFIXED
// witness: arg "-a"
// native: none (the arguments lie side by side)
int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] != '-')
        return 1;
    const char *value = argv[1];
#ifdef FIXED
    while (*value && *value != '=')
#else
    while (*value != '=') // expect: argument-overflow read
#endif
        value++;
    return *value == 0;
}
