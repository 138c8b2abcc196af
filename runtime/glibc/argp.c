/* Options by tables, as <argp.h> has them: parsing on top of getopt_long, and the messages. Help is laid out in glibc's
   default columns; ARGP_HELP_FMT is not read. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glibc.h"

struct argp_option {
    const char *name;
    int key;
    const char *arg;
    int flags;
    const char *doc;
    int group;
};
struct argp_state;
struct argp {
    const struct argp_option *options;
    int (*parser)(int, char *, struct argp_state *);
    const char *args_doc, *doc;
    const struct argp_child *children;
    char *(*help_filter)(int, const char *, void *);
    const char *domain;
};
struct argp_child {
    const struct argp *argp;
    int flags;
    const char *header;
    int group;
};
struct argp_state {
    const struct argp *root;
    int argc;
    char **argv;
    int next;
    unsigned flags, arg_num;
    int quoted;
    void *input, **child_inputs, *hook;
    char *name;
    FILE *err_stream, *out_stream;
    void *pstate;
};

enum { KEY_ARG = 0, KEY_END = 0x1000001, KEY_NO_ARGS, KEY_INIT, KEY_SUCCESS, KEY_ERROR, KEY_ARGS, KEY_FINI };
enum { ARG_OPTIONAL = 1, HIDDEN = 2, ALIAS = 4, DOCUMENTATION = 8, NO_USAGE = 16 };
enum { PARSE_ARGV0 = 1, NO_ERRS = 2, NO_ARGS = 4, IN_ORDER = 8, NO_HELP = 16, NO_EXIT = 32, LONG_ONLY = 64 };
enum { HELP_USAGE = 1, HELP_SHORT_USAGE = 2, HELP_SEE = 4, HELP_LONG = 8, HELP_PRE_DOC = 16, HELP_POST_DOC = 32,
       HELP_BUG_ADDRESS = 64, EXIT_ERR = 256, EXIT_OK = 512 };
enum { LONG_COLUMN = 6, DOC_COLUMN = 29, WIDTH = 79, USAGE_INDENT = 12, MOST_GROUPS = 16, MOST_OPTIONS = 400 };
#define UNKNOWN E2BIG

/* Programs set these, or define them themselves: then theirs count. */
typedef void version_hook(FILE *, struct argp_state *);
const char *glibc_argp_program_version, *glibc_argp_program_bug_address;
version_hook *glibc_argp_program_version_hook;
int glibc_argp_err_exit_status = 64;
extern const char *argp_program_version __attribute__((__weak__));
extern const char *argp_program_bug_address __attribute__((__weak__));
extern version_hook *argp_program_version_hook __attribute__((__weak__));
extern int argp_err_exit_status __attribute__((__weak__));

static const char *the_version(void) {
    return &argp_program_version ? argp_program_version : glibc_argp_program_version;
}
static version_hook *the_hook(void) {
    return &argp_program_version_hook ? argp_program_version_hook : glibc_argp_program_version_hook;
}
static const char *the_address(void) {
    return &argp_program_bug_address ? argp_program_bug_address : glibc_argp_program_bug_address;
}
static int the_status(void) {
    return &argp_err_exit_status ? argp_err_exit_status : glibc_argp_err_exit_status;
}

struct group {
    const struct argp *argp;
    struct group *parent;
    int index; /* among its parent's children */
    void *input, *hook, *child_inputs[MOST_GROUPS];
    unsigned args;
};
struct parsing {
    struct argp_state state;
    struct group groups[MOST_GROUPS];
    int group_count;
    char letters[3 * MOST_OPTIONS + 4];
    struct option options[MOST_OPTIONS];
    const struct argp_option *meaning[MOST_OPTIONS];
    int owner[MOST_OPTIONS], option_count;
};

void glibc_argp_help(const struct argp *, FILE *, unsigned, char *);
void glibc_argp_state_help(const struct argp_state *, FILE *, unsigned);

static int is_end(const struct argp_option *o) {
    return !o->key && !o->name && !o->doc && !o->group;
}
static int is_letter(int key) {
    return key > 0 && key <= 255 && isprint(key);
}

static int help_parser(int key, char *value, struct argp_state *s) {
    switch (key) {
    case '?':
        glibc_argp_state_help(s, s->out_stream, 0x27a & ~HELP_USAGE);
        return 0;
    case -3:
        glibc_argp_state_help(s, s->out_stream, HELP_USAGE | EXIT_OK);
        return 0;
    default:
        return UNKNOWN;
    }
}
static int version_parser(int key, char *value, struct argp_state *s) {
    if (key != 'V') return UNKNOWN;
    if (the_hook())
        the_hook()(s->out_stream, s);
    else
        fprintf(s->out_stream, "%s\n", the_version());
    if (!(s->flags & NO_EXIT)) exit(0);
    return 0;
}
static const struct argp_option HELP_OPTIONS[] = {
    {"help", '?', 0, 0, "Give this help list", -1}, {"usage", -3, 0, 0, "Give a short usage message", 0}, {0}};
static const struct argp_option VERSION_OPTIONS[] = {{"version", 'V', 0, 0, "Print program version", -1}, {0}};
static const struct argp HELP_ARGP = {HELP_OPTIONS, help_parser}, VERSION_ARGP = {VERSION_OPTIONS, version_parser};

static int has_version(void) {
    return the_version() || the_hook();
}

static void add_group(struct parsing *p, const struct argp *argp, struct group *parent, int index) {
    if (p->group_count == MOST_GROUPS) return;
    int number = p->group_count++;
    struct group *g = p->groups + number;
    *g = (struct group){.argp = argp, .parent = parent, .index = index};
    const struct argp_option *real = 0;
    for (const struct argp_option *o = argp->options; o && !is_end(o) && argp->parser; o++) {
        if (!(o->flags & ALIAS)) real = o;
        if (o->flags & DOCUMENTATION || p->option_count == MOST_OPTIONS - 1) continue;
        const char *arg = real->arg;
        if (is_letter(o->key)) {
            size_t end = strlen(p->letters);
            sprintf(p->letters + end, "%c%s%s", o->key, arg ? ":" : "", arg && real->flags & ARG_OPTIONAL ? ":" : "");
        }
        int k = p->option_count++;
        p->meaning[k] = o;
        p->owner[k] = number;
        p->options[k] = (struct option){o->name ? o->name : "\001", arg ? (real->flags & ARG_OPTIONAL ? 2 : 1) : 0, 0,
                                        0x10000 + k};
    }
    int child = 0;
    for (const struct argp_child *c = argp->children; c && c->argp; c++) add_group(p, c->argp, g, child++);
}

static int call(struct parsing *p, struct group *g, int key, char *value) {
    if (!g->argp->parser) return UNKNOWN;
    p->state.input = g->input;
    p->state.child_inputs = g->child_inputs;
    p->state.hook = g->hook;
    p->state.arg_num = g->args;
    int error = g->argp->parser(key, value, &p->state);
    g->hook = p->state.hook;
    return error;
}

static int call_option(struct parsing *p, int key, int index) {
    for (int k = 0; k < p->option_count; k++) {
        const struct argp_option *o = p->meaning[k];
        if (index >= 0 ? k != index : o->key != key) continue;
        const struct argp_option *real = o;
        int error = call(p, p->groups + p->owner[k], index >= 0 ? real->key : key, optarg);
        if (error == UNKNOWN)
            fprintf(p->state.err_stream, "%s: %s: %s\n", p->state.name, o->name ? o->name : "?",
                    "(PROGRAM ERROR) Option should have been recognized!?");
        return error == UNKNOWN ? EINVAL : error;
    }
    return EINVAL;
}

/* An operand goes to the first parser that wants it; one that takes all of them is asked next. */
static int call_argument(struct parsing *p, char *value) {
    int at = p->state.next - 1;
    for (int k = 0; k < p->group_count; k++) {
        p->state.next = at + 1;
        int error = call(p, p->groups + k, KEY_ARG, value);
        if (error == UNKNOWN) {
            p->state.next = at;
            error = call(p, p->groups + k, KEY_ARGS, 0);
            if (!error && p->state.next == at) p->state.next = p->state.argc;
        }
        if (error == UNKNOWN) continue;
        if (!error) p->groups[k].args += (unsigned)(p->state.next - at);
        return error;
    }
    p->state.next = at;
    return UNKNOWN;
}

int glibc_getopt_long(int, char *const *, const char *, const struct option *, int *);
int glibc_getopt_long_only(int, char *const *, const char *, const struct option *, int *);

static int finish(struct parsing *p, int error, int unknown, int *end) {
    struct argp_state *s = &p->state;
    if (error == UNKNOWN && unknown) error = 0;
    if (!error && s->next == s->argc) {
        for (int k = 0; k < p->group_count && !error; k++)
            if (p->groups[k].args == 0 && (error = call(p, p->groups + k, KEY_NO_ARGS, 0)) == UNKNOWN) error = 0;
        for (int k = p->group_count - 1; k >= 0 && !error; k--)
            if ((error = call(p, p->groups + k, KEY_END, 0)) == UNKNOWN) error = 0;
        if (end) *end = s->next;
    } else if (!error && end) {
        *end = s->next;
    } else if (!error) {
        if (!(s->flags & NO_ERRS)) fprintf(s->err_stream, "%s: Too many arguments\n", s->name);
        error = UNKNOWN;
    }
    if (error) {
        glibc_argp_state_help(s, s->err_stream, HELP_SEE | EXIT_ERR);
        for (int k = 0; k < p->group_count; k++) call(p, p->groups + k, KEY_ERROR, 0);
    } else {
        for (int k = p->group_count - 1; k >= 0 && !error; k--)
            if ((error = call(p, p->groups + k, KEY_SUCCESS, 0)) == UNKNOWN) error = 0;
    }
    for (int k = p->group_count - 1; k >= 0; k--) call(p, p->groups + k, KEY_FINI, 0);
    return error == UNKNOWN ? EINVAL : error;
}

int glibc_argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *end, void *input) {
    struct parsing *p = calloc(1, sizeof *p);
    int error = 0, unknown = 0;
    if (!p) return ENOMEM;
    struct argp_state *s = &p->state;
    if (!(flags & NO_ERRS) && flags & PARSE_ARGV0) flags &= ~(unsigned)PARSE_ARGV0;
    *s = (struct argp_state){.root = argp, .argc = argc, .argv = argv, .next = 1, .flags = flags, .err_stream = glibc_stderr,
                             .out_stream = glibc_stdout, .pstate = p};
    char *slash = argc > 0 ? strrchr(argv[0], '/') : 0;
    s->name = slash ? slash + 1 : argc > 0 ? argv[0] : __progname;
    strcpy(p->letters, flags & IN_ORDER ? "-" : flags & NO_ARGS ? "+" : "");
    if (flags & NO_ERRS) opterr = 0;
    add_group(p, argp, 0, 0);
    if (!(flags & NO_HELP)) {
        add_group(p, &HELP_ARGP, 0, 0);
        if (has_version()) add_group(p, &VERSION_ARGP, 0, 0);
    }
    p->groups[0].input = input;
    for (int k = 0; k < p->group_count; k++) {
        struct group *g = p->groups + k;
        if (g->parent) g->input = g->parent->child_inputs[g->index];
        if (!g->parent && k) continue;
        error = call(p, g, KEY_INIT, 0);
        if (error == UNKNOWN) error = 0;
        if (error) break;
    }
    for (int options_left = 1, is_first = 1; !error; is_first = 0) {
        int index = -1, c = -1;
        if (options_left && !s->quoted) {
            optind = is_first ? 0 : s->next;
            c = (flags & LONG_ONLY ? glibc_getopt_long_only : glibc_getopt_long)(argc, argv, p->letters, p->options, &index);
            s->next = optind;
            if (c == -1 && s->next > 1 && !strcmp(argv[s->next - 1], "--")) s->quoted = s->next;
        }
        if (c == -1) {
            options_left = 0;
            if (s->next >= s->argc || flags & NO_ARGS) break;
            s->next++;
            error = call_argument(p, argv[s->next - 1]);
            if (error == UNKNOWN) unknown = 1;
        } else if (c == 1 && flags & IN_ORDER) {
            error = call_argument(p, optarg);
        } else if (c == '?' && optopt != '?' && !(index >= 0)) {
            error = EINVAL;
            if (optopt == 0 || optopt != -1) break;
        } else if (c >= 0x10000) {
            error = call_option(p, 0, c - 0x10000);
        } else {
            error = call_option(p, c, -1);
        }
    }
    error = finish(p, error, unknown && end, end);
    free(p);
    return error;
}

/* ------------------------------------------------------------ messages */

static void put_wrapped(FILE *stream, const char *text, int column, int indent) {
    while (*text) {
        const char *word = text;
        size_t length = strcspn(word, " \n");
        if (column > indent && column + (int)length > WIDTH) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        }
        fwrite(word, 1, length, stream);
        column += (int)length;
        text = word + length;
        if (*text == '\n') {
            putc('\n', stream);
            if (text[1] && text[1] != '\n') fprintf(stream, "%*s", indent, "");
            column = indent;
            text++;
        } else if (*text == ' ') {
            size_t blanks = strspn(text, " "), next = strcspn(text + blanks, " \n");
            if (column + (int)blanks + (int)next <= WIDTH && text[blanks]) {
                fprintf(stream, "%*s", (int)blanks, "");
                column += (int)blanks;
            } else if (text[blanks]) {
                fprintf(stream, "\n%*s", indent, "");
                column = indent;
            }
            text += blanks;
        }
    }
}

static int all_options(const struct argp *argp, const struct argp_option **list, int count) {
    for (const struct argp_option *o = argp->options; o && !is_end(o) && count < MOST_OPTIONS; o++) list[count++] = o;
    for (const struct argp_child *c = argp->children; c && c->argp; c++) count = all_options(c->argp, list, count);
    return count;
}

/* An option with its aliases on a line, its words beside it. */
static int put_option(FILE *stream, const struct argp_option **list, int at, int count, int *any_arguments) {
    char line[400] = "  ";
    const struct argp_option *o = list[at];
    int end = at + 1, letters = 0, names = 0;
    while (end < count && list[end]->flags & ALIAS) end++;
    for (int k = at; k < end; k++)
        if (is_letter(list[k]->key) && !(list[k]->flags & HIDDEN) && !(o->flags & DOCUMENTATION))
            sprintf(line + strlen(line), "%s-%c", letters++ ? ", " : "", list[k]->key);
    for (int k = at; k < end; k++) {
        if (!list[k]->name || list[k]->flags & HIDDEN) continue;
        if (names++ || letters) strcat(line, ", ");
        while (strlen(line) < LONG_COLUMN && !(o->flags & DOCUMENTATION)) strcat(line, " ");
        sprintf(line + strlen(line), "%s%s", o->flags & DOCUMENTATION ? "" : "--", list[k]->name);
        if (o->arg) sprintf(line + strlen(line), o->flags & ARG_OPTIONAL ? "[=%s]" : "=%s", o->arg);
    }
    if (o->arg && names) *any_arguments = 1;
    if (o->arg && !names) sprintf(line + strlen(line), o->flags & ARG_OPTIONAL ? "[%s]" : " %s", o->arg);
    fputs(line, stream);
    if (o->doc && *o->doc) {
        int column = (int)strlen(line);
        if (column >= DOC_COLUMN) {
            putc('\n', stream);
            column = 0;
        }
        fprintf(stream, "%*s", DOC_COLUMN - column, "");
        put_wrapped(stream, o->doc, DOC_COLUMN, DOC_COLUMN);
    }
    putc('\n', stream);
    return end;
}

/* Groups 0, 1, 2 ..., then the negative ones; in a group by name. */
static int rank(int group) {
    return group >= 0 ? group : 100000 + group;
}

struct line {
    int at, group, letter;
    const char *name;
};
static int by_place(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->group != y->group) return rank(x->group) - rank(y->group);
    const char *p = x->name, *q = y->name;
    int c = tolower(x->letter ? x->letter : *p), d = tolower(y->letter ? y->letter : *q);
    if (c != d) return c - d;
    return !x->letter != !y->letter ? !y->letter - !x->letter : x->at - y->at;
}

/* All options, and the order in which they are shown; *all is how many options there are. */
static int sorted_lines(const struct argp *argp, const struct argp_option **list, struct line *lines, int *all) {
    int count = all_options(argp, list, 0), line_count = 0, group = 0, own = count;
    count = all_options(&HELP_ARGP, list, count);
    if (has_version()) count = all_options(&VERSION_ARGP, list, count);
    for (int k = 0; k < count; k++) {
        const struct argp_option *o = list[k];
        if (k == 0 || k == own) group = 0;
        if (o->group || (!o->name && !o->key))
            group = o->group ? o->group : group + 1;
        if (o->flags & (ALIAS | HIDDEN)) continue;
        int header = !o->name && !o->key;
        int letter = is_letter(o->key) && !(o->flags & DOCUMENTATION) ? o->key : 0;
        lines[line_count++] = (struct line){k, group, header ? 1 : letter, o->name ? o->name : ""};
    }
    qsort(lines, (size_t)line_count, sizeof *lines, by_place);
    *all = count;
    return line_count;
}

/* A word of the short usage, on the next line if it does not fit. */
static void put_usage(FILE *stream, int *column, const char *word) {
    int length = (int)strlen(word);
    if (*column + 1 + length > WIDTH) {
        fprintf(stream, "\n%*s", USAGE_INDENT - 1, "");
        *column = USAGE_INDENT - 1;
    }
    fprintf(stream, " %s", word);
    *column += 1 + length;
}

static void put_all_usage(FILE *stream, const struct argp *argp, int *column) {
    const struct argp_option *list[MOST_OPTIONS];
    struct line lines[MOST_OPTIONS];
    int count, line_count = sorted_lines(argp, list, lines, &count);
    char word[300] = "[-";
    for (int pass = 0; pass < 3; pass++) {
        for (int k = 0; k < line_count; k++) {
            const struct argp_option *o = list[lines[k].at];
            if (o->flags & (NO_USAGE | DOCUMENTATION)) continue;
            for (int n = lines[k].at; n < count && (n == lines[k].at || list[n]->flags & ALIAS); n++) {
                int letter = is_letter(list[n]->key) ? list[n]->key : 0;
                if (pass == 0 && letter && !o->arg) sprintf(word + strlen(word), "%c", letter);
                if (pass == 1 && letter && o->arg) {
                    sprintf(word, o->flags & ARG_OPTIONAL ? "[-%c[%s]]" : "[-%c %s]", letter, o->arg);
                    put_usage(stream, column, word);
                }
                if (pass == 2 && list[n]->name) {
                    const char *form = !o->arg ? "[--%s]" : o->flags & ARG_OPTIONAL ? "[--%s[=%s]]" : "[--%s=%s]";
                    sprintf(word, form, list[n]->name, o->arg);
                    put_usage(stream, column, word);
                }
            }
        }
        if (pass == 0 && word[2]) put_usage(stream, column, strcat(word, "]"));
    }
}

static void put_options(FILE *stream, const struct argp *argp) {
    const struct argp_option *list[MOST_OPTIONS];
    struct line lines[MOST_OPTIONS];
    int count, line_count = sorted_lines(argp, list, lines, &count), arguments = 0, headed = 0;
    for (int k = 0; k < line_count; k++) {
        const struct argp_option *o = list[lines[k].at];
        int header = !o->name && !o->key;
        if (k && lines[k].group != lines[k - 1].group && (headed || header)) putc('\n', stream);
        headed |= header;
        if (header) {
            fprintf(stream, " ");
            put_wrapped(stream, o->doc, 1, 1);
            putc('\n', stream);
        } else {
            put_option(stream, list, lines[k].at, count, &arguments);
        }
    }
    if (arguments) {
        putc('\n', stream);
        put_wrapped(stream,
                    "Mandatory or optional arguments to long options are also mandatory or optional for any "
                    "corresponding short options.",
                    0, 0);
        putc('\n', stream);
    }
}

void glibc_argp_help(const struct argp *argp, FILE *stream, unsigned flags, char *name) {
    const char *doc = argp->doc, *after = doc ? strchr(doc, '\v') : 0;
    if (flags & (HELP_USAGE | HELP_SHORT_USAGE)) {
        int column = fprintf(stream, "Usage: %s", name);
        if (flags & HELP_SHORT_USAGE)
            put_usage(stream, &column, "[OPTION...]");
        else
            put_all_usage(stream, argp, &column);
        if (argp->args_doc && *argp->args_doc) put_usage(stream, &column, argp->args_doc);
        putc('\n', stream);
    }
    if (flags & HELP_PRE_DOC && doc && doc != after) {
        char *before = strndup(doc, after ? (size_t)(after - doc) : strlen(doc));
        put_wrapped(stream, before, 0, 0);
        putc('\n', stream);
        free(before);
    }
    if (flags & HELP_SEE)
        fprintf(stream, "Try `%s --help' or `%s --usage' for more information.\n", name, name);
    if (flags & HELP_LONG) {
        putc('\n', stream);
        put_options(stream, argp);
    }
    if (flags & HELP_POST_DOC && after && after[1]) {
        putc('\n', stream);
        put_wrapped(stream, after + 1, 0, 0);
        putc('\n', stream);
    }
    if (flags & HELP_BUG_ADDRESS && the_address()) fprintf(stream, "\nReport bugs to %s.\n", the_address());
}

void glibc_argp_state_help(const struct argp_state *s, FILE *stream, unsigned flags) {
    if (s && s->flags & NO_ERRS) return;
    glibc_argp_help(s->root, stream, flags, s->name);
    if (s->flags & NO_EXIT) return;
    if (flags & EXIT_ERR) exit(the_status());
    if (flags & EXIT_OK) exit(0);
}

void glibc_argp_usage(const struct argp_state *s) {
    glibc_argp_state_help(s, glibc_stderr, HELP_SHORT_USAGE | HELP_SEE | EXIT_ERR);
}

void glibc_argp_error(const struct argp_state *s, const char *format, ...) {
    va_list arguments;
    if (s && s->flags & NO_ERRS) return;
    va_start(arguments, format);
    fprintf(s->err_stream, "%s: ", s->name);
    glibc_vfprintf(s->err_stream, format, arguments);
    putc('\n', s->err_stream);
    va_end(arguments);
    glibc_argp_state_help(s, s->err_stream, HELP_SEE | EXIT_ERR);
}

void glibc_argp_failure(const struct argp_state *s, int status, int number, const char *format, ...) {
    va_list arguments;
    FILE *stream = s ? s->err_stream : glibc_stderr;
    if (s && s->flags & NO_ERRS) return;
    fputs(s ? s->name : __progname, stream);
    if (format) {
        va_start(arguments, format);
        fputs(": ", stream);
        glibc_vfprintf(stream, format, arguments);
        va_end(arguments);
    }
    char unknown[UNKNOWN_ERROR];
    if (number) fprintf(stream, ": %s", glibc_strerror_r(number, unknown, sizeof unknown));
    putc('\n', stream);
    if (status && (!s || !(s->flags & NO_EXIT))) exit(status);
}
