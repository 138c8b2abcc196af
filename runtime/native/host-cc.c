/* bin/tangent's helper in host mode: the commonest command lines of a build, without Node, whose start takes longer than the compile of
   a small file. One C source to one object, or some to a linked file: the user's compiler and our clang run at the same time, then the
   bitcode becomes a section of the result (as withSection of src/frontend/elf.ts does it). What makes nothing that ought to hold IR
   (-E, -S, links of objects, probes of configure scripts) becomes the user's compiler at once. All else becomes `tangent cc` by Node,
   the whole driver (src/frontend/host-cc.ts), whose rules these are in short (src/frontend/host-ir.ts).

   Called as: host-cc ROOT FOLDER ARGUMENT...   FOLDER is where host-launch.ts keeps this program and, in `profiles`, what is known of
   each compiler: its size and time, our clang, a row of words, an empty line, a row of words; a line each. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECTION ".tangent.ir"
#define MAX_WORDS 4096
/* More in one command are Node's business. */
#define MAX_SOURCES 64

static const char *root;
static char **given;

/* ---------------------------------------------------------------- becoming another program */

static int is_newer(const struct stat *one, const struct stat *other) {
    if (one->st_mtim.tv_sec != other->st_mtim.tv_sec) return one->st_mtim.tv_sec > other->st_mtim.tv_sec;
    return one->st_mtim.tv_nsec > other->st_mtim.tv_nsec;
}

/* As bin/tangent: all modules in one file start faster, unless a newer build has other modules. */
static int has_pack(void) {
    const char *unpacked = getenv("TANGENT_UNPACKED");
    char path[PATH_MAX];
    struct stat pack, build;
    snprintf(path, sizeof path, "%s/dist/modules.pack", root);
    if ((unpacked && *unpacked) || stat(path, &pack) != 0) return 0;
    snprintf(path, sizeof path, "%s/dist/.tsbuildinfo", root);
    return stat(path, &build) != 0 || !is_newer(&build, &pack);
}

static void become_driver(const char *first) {
    char main_file[PATH_MAX];
    snprintf(main_file, sizeof main_file, "%s/%s", root, has_pack() ? "bin/start.cjs" : "dist/src/cli/main.js");
    size_t count = 0;
    while (given[count]) count++;
    char **words = calloc(count + 5, sizeof *words);
    size_t at = 0;
    words[at++] = "node";
    words[at++] = main_file;
    words[at++] = "cc";
    if (first) words[at++] = (char *)first;
    memcpy(words + at, given, count * sizeof *words);
    execvp("node", words);
    fprintf(stderr, "tangent: cannot run node: %s\n", strerror(errno));
    exit(127);
}

struct words {
    char *list[MAX_WORDS];
    int count;
};

static void add(struct words *words, const char *word) {
    /* Too many for us are not too many for Node. */
    if (words->count + 1 >= MAX_WORDS) become_driver(NULL);
    words->list[words->count++] = (char *)word;
}

static struct words compiler, leading, trailing, ir;
static char *clang_file;
static const char *sources[MAX_SOURCES];
static int source_count;
/* Of `ir`, where the source is named. */
static int source_word;

static void become_compiler(void) {
    struct words *words = calloc(1, sizeof *words);
    for (int i = 0; i < compiler.count; i++) add(words, compiler.list[i]);
    for (int i = 0; given[i]; i++) add(words, given[i]);
    setenv("TANGENT_CC_INSIDE", "1", 1);
    execv(words->list[0], words->list);
    fprintf(stderr, "tangent cc: cannot run %s: %s\n", words->list[0], strerror(errno));
    exit(1);
}

/* ---------------------------------------------------------------- which compiler, and what is known of it */

static int is_program(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 0111);
}

static char *search_path(const char *name) {
    const char *folder = getenv("PATH");
    char path[PATH_MAX];
    while (folder && *folder) {
        size_t length = strcspn(folder, ":");
        /* A relative folder is Node's business. */
        if (length == 0 || *folder != '/') return NULL;
        /* As Node joins them. */
        size_t kept = length;
        while (kept > 1 && folder[kept - 1] == '/') kept--;
        snprintf(path, sizeof path, "%.*s/%s", (int)kept, folder, name);
        if (is_program(path)) return strdup(path);
        folder += length;
        if (*folder) folder++;
    }
    return NULL;
}

static int choose_compiler(void) {
    char *named = getenv("TANGENT_CC");
    if (named && *named) {
        char *copy = strdup(named);
        for (char *word = strtok(copy, " \t\n"); word; word = strtok(NULL, " \t\n")) add(&compiler, word);
        if (compiler.count == 0) return 0;
        if (!strchr(compiler.list[0], '/')) compiler.list[0] = search_path(compiler.list[0]);
        return compiler.list[0] && compiler.list[0][0] == '/';
    }
    static const char *const candidates[] = {"cc", "gcc", "clang"};
    for (int i = 0; i < 3; i++) {
        char *path = search_path(candidates[i]);
        if (path) {
            add(&compiler, path);
            return 1;
        }
    }
    return 0;
}

/* As profileName of host-launch.ts. */
static int profile_path(char *path, size_t size, const char *folder) {
    int length = snprintf(path, size, "%s/profiles/", folder);
    int first = length;
    for (int i = 0; i < compiler.count; i++) {
        length += snprintf(path + length, size - length, i ? " %s" : "%s", compiler.list[i]);
        if ((size_t)length >= size || length - first > 200) return 0;
    }
    for (char *at = path + first; *at; at++)
        if (*at == '/') *at = '%';
    return 1;
}

static char *read_file(int file, size_t *size) {
    struct stat status;
    if (fstat(file, &status) != 0) return NULL;
    char *content = malloc(status.st_size + 1);
    size_t done = 0;
    while (content && done < (size_t)status.st_size) {
        ssize_t part = pread(file, content + done, status.st_size - done, done);
        if (part <= 0) return NULL;
        done += part;
    }
    if (content) content[done] = 0;
    *size = done;
    return content;
}

static int read_profile(const char *folder) {
    char path[PATH_MAX], stamp[64];
    struct stat status;
    if (!profile_path(path, sizeof path, folder) || stat(compiler.list[0], &status) != 0) return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    size_t size;
    char *text = read_file(file, &size);
    close(file);
    if (!text) return 0;
    long long nanoseconds = status.st_mtim.tv_sec * 1000000000ll + status.st_mtim.tv_nsec;
    snprintf(stamp, sizeof stamp, "%lld %lld", (long long)status.st_size, nanoseconds);
    char *line = strsep(&text, "\n");
    if (strcmp(line, stamp) != 0 || !text) return 0;
    clang_file = strsep(&text, "\n");
    struct words *row = &leading;
    while (text && (line = strsep(&text, "\n"))) {
        if (*line) add(row, line);
        else row = &trailing;
    }
    return trailing.count > 0;
}

/* ---------------------------------------------------------------- the command line */

static int one_of(const char *word, const char *const *list) {
    for (; *list; list++) {
        size_t length = strlen(*list);
        if ((*list)[length - 1] == '*' ? strncmp(word, *list, length - 1) == 0 : strcmp(word, *list) == 0) return 1;
    }
    return 0;
}

/* Options whose value is the next word. Those with another kind of value are Node's business. */
static const char *const kept_with_value[] = {"-I", "-D", "-U", "-include", "-imacros", "-isystem", "-idirafter", "-iquote", NULL};
static const char *const dropped_with_value[] = {"-o",  "-L",        "-l", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler",
                                                "-T", "-u", "-z", "-e", "-rpath", NULL};
static const char *const kept[] = {
    "-I*", "-D*", "-U*", "-std=*", "-ansi", "-m64", "-msse", "-msse2", "-fno-builtin*", "-fbuiltin", "-ffreestanding", "-fhosted",
    "-fsigned-char", "-funsigned-char", "-fshort-enums", "-fshort-wchar", "-fpack-struct*", "-fwrapv", "-fno-wrapv", "-ftrapv",
    "-fcommon", "-fno-common", "-fvisibility=*", "-fms-extensions", "-fgnu89-inline", "-fstrict-flex-arrays*",
    "-ffile-prefix-map=*", "-fmacro-prefix-map=*", "-fdebug-prefix-map=*", "-ffast-math", "-fmath-errno", "-fno-math-errno",
    "-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-pie", "-fno-PIE", "-fno-pic", "-fno-PIC", "-pthread", "-undef", NULL};
static const char *const dropped[] = {
    "-c", "-s", "-v", "-r", "-O*", "-g", "-g0", "-g1", "-g2", "-g3", "-ggdb*", "-gdwarf*", "-gz*", "-M*", "-L*", "-l*", "-pipe",
    "-pedantic", "-pedantic-errors", "-rdynamic", "-shared", "-static", "-pie", "-no-pie", "-nostdlib", "-nostartfiles",
    "-nodefaultlibs", "-static-libgcc", "-fstack-*", "-fno-stack-*", "-fcf-protection*", "-fno-plt", "-fexceptions",
    "-fno-exceptions", "-fomit-frame-pointer", "-fno-omit-frame-pointer", "-fstrict-aliasing", "-fno-strict-aliasing",
    "-fstrict-overflow", "-fno-strict-overflow", "-ffunction-sections", "-fdata-sections", "-fdiagnostics*",
    "-fno-diagnostics*", "-fmessage-length=*", "-fasynchronous-unwind-tables", "-fno-asynchronous-unwind-tables",
    "-funwind-tables", "-fno-unwind-tables", "-finline-functions", "-fno-inline*", "-funroll-loops", "-ftree-*",
    "-fno-semantic-interposition", "-fno-delete-null-pointer-checks", "-fmerge-all-constants", "-fno-ident", "-mtune=*", "-specs=*", "--param=*", NULL};
/* What stops before there is an object, or only asks. */
static const char *const no_object[] = {"-E", "-M", "-MM", "-S", "-fsyntax-only", "-###", "--version", "-dump*", "-print*", "-qversion", "-V", NULL};
static const char *const driver_only[] = {"@*", "--help", "-h", "--clang*", "--cc*", "--tangent-*", "-x*", "-flto*", "-", NULL};

/* A linker that gives names another meaning: what it makes is to be told so. */
static int wraps_names(const char *word) {
    return strncmp(word, "-Wl,", 4) == 0 ? strstr(word, "-wrap") != NULL : strncmp(word, "-wrap", 5) == 0 || strncmp(word, "--wrap", 6) == 0;
}

static int has_probe_path(const char *path) {
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    if (strncmp(base, "conftest", 8) == 0 || strcmp(base, "CMakeCCompilerABI.c") == 0) return 1;
    if (strstr(path, "CMakeFiles/CMakeTmp") || strstr(path, "CMakeFiles/CMakeScratch") || strstr(path, "meson-private")) return 1;
    const char *cmake = strstr(path, "CMakeFiles/");
    return cmake && strstr(cmake, "/CompilerId") != NULL;
}

static const char *extension_of(const char *path) {
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? dot + 1 : "";
}

/* Sources that are not plain C. Whatever is neither is for the linker. */
static const char *const other_sources[] = {
    "i",  "h",   "s",   "S",   "sx",  "cc", "cp", "cxx", "cpp", "CPP", "c++", "C",   "ii",  "hh",  "H",   "hp",  "hxx", "hpp", "HPP", "h++",
    "tcc", "m",  "mi",  "mm",  "M",   "mii", "f", "for", "ftn", "F",   "FOR", "fpp", "F90", "f90", "f95", "F95", "f03", "f08", "go",  "ads",
    "adb", "cu", NULL};

static const char *object_name(const char *source) {
    const char *base = strrchr(source, '/');
    char *name = strdup(base ? base + 1 : source);
    strcpy(strrchr(name, '.'), ".o");
    return name;
}

/* `ir` has the words for our clang, `sources` is set; gives the name of the result. If there is nothing to do here, this does not return. */
static const char *plan(void) {
    int compiles = 0, asks = 0, probes = 0, rest = 0, linked = 0, plain = 1, optimises = 0;
    const char *object = NULL;
    char folder[PATH_MAX];
    if (getcwd(folder, sizeof folder) && has_probe_path(folder)) probes = 1;
    for (int i = 0; i < leading.count; i++) add(&ir, leading.list[i]);
    for (int i = 0; given[i]; i++) {
        if (wraps_names(given[i])) become_driver(NULL);
    }
    for (int i = 0; given[i]; i++) {
        const char *word = given[i];
        if (one_of(word, driver_only)) become_driver(NULL);
        if (word[0] != '-') {
            const char *extension = extension_of(word);
            if (has_probe_path(word)) probes = 1;
            if (strcmp(extension, "c") == 0) {
                if (source_count == MAX_SOURCES) become_driver(NULL);
                sources[source_count++] = word;
            } else if (one_of(extension, other_sources)) {
                rest++;
            } else {
                linked++;
            }
            continue;
        }
        if (one_of(word, no_object)) asks = 1;
        if (strcmp(word, "-c") == 0) compiles = 1;
        if (strncmp(word, "-O", 2) == 0) optimises = strcmp(word, "-O0") != 0;
        if (one_of(word, kept_with_value)) {
            if (!given[i + 1]) become_compiler();
            add(&ir, word);
            add(&ir, given[++i]);
        } else if (one_of(word, dropped_with_value)) {
            if (!given[i + 1]) become_compiler();
            i++;
            if (strcmp(word, "-o") == 0) object = given[i];
        } else if (strncmp(word, "-o", 2) == 0) {
            object = word + 2;
        } else if (one_of(word, kept)) {
            add(&ir, word);
        } else if (strncmp(word, "-Wp,", 4) == 0 || (!one_of(word, dropped) && strncmp(word, "-W", 2) != 0)) {
            plain = 0;
        }
    }
    if (object && strcmp(object, "/dev/null") == 0) probes = 1;
    if (asks || probes || (source_count == 0 && rest == 0)) become_compiler();
    /* A word that we do not know may have a value which looks like a source; Node knows more. */
    if (!plain || (compiles ? source_count != 1 : linked > 0) || rest) become_driver(NULL);
    if (!optimises) add(&ir, "-U__OPTIMIZE__");
    for (int i = 0; i < trailing.count; i++) add(&ir, trailing.list[i]);
    source_word = ir.count;
    add(&ir, sources[0]);
    add(&ir, "-o");
    add(&ir, "-");
    return object ? object : compiles ? object_name(sources[0]) : "a.out";
}

/* ---------------------------------------------------------------- both compiles */

static int temporary_file(void) {
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder) folder = "/tmp";
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0) return file;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/tangent-cc-XXXXXX", folder);
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) unlink(path);
    return file;
}

static pid_t start_ir(const char *source, int output) {
    static const char *const influences[] = {"CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "CCC_ADD_ARGS", "NIX_CFLAGS_COMPILE",
                                             "SOURCE_DATE_EPOCH",  "COMPILER_PATH",        "DEPENDENCIES_OUTPUT",
                                             "SUNPRO_DEPENDENCIES"};
    pid_t child = fork();
    if (child != 0) return child;
    for (size_t i = 0; i < sizeof influences / sizeof *influences; i++) unsetenv(influences[i]);
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(nothing, 2);
    ir.list[source_word] = (char *)source;
    execv(clang_file, ir.list);
    _exit(127);
}

static pid_t start_native(void) {
    pid_t child = fork();
    if (child == 0) become_compiler();
    return child;
}

static int status_of(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void cannot_start(void) {
    fprintf(stderr, "tangent cc: cannot start a process: %s\n", strerror(errno));
    exit(1);
}

/* Both, with as many of our clangs at a time as there are processors. The bitcode of each source goes to its file. Gives the status of the
   user's compiler; `is_made`: there is all of the bitcode. */
static int make_both(const int *files, int *is_made) {
    pid_t makers[MAX_SOURCES], native, ended;
    int next = 0, running = 0, native_status = -1, status;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *is_made = 1;
    if ((native = start_native()) < 0) cannot_start();
    for (;;) {
        while (next < source_count && *is_made && native_status <= 0 && (running == 0 || running < processors)) {
            if ((makers[next] = start_ir(sources[next], files[next])) < 0) cannot_start();
            next++;
            running++;
        }
        if (running == 0 && native_status >= 0) return native_status;
        while ((ended = waitpid(-1, &status, 0)) < 0)
            if (errno != EINTR) return 127;
        if (ended == native) {
            native_status = status_of(status);
            for (int i = 0; native_status != 0 && i < next; i++)
                if (makers[i] > 0) kill(makers[i], SIGTERM);
            continue;
        }
        for (int i = 0; i < next; i++) {
            if (makers[i] != ended) continue;
            makers[i] = 0;
            running--;
            if (status_of(status) != 0) *is_made = 0;
        }
    }
}

/* ---------------------------------------------------------------- the section */

static int write_at(int file, const void *bytes, size_t size, off_t at) {
    for (size_t done = 0; done < size;) {
        ssize_t part = pwrite(file, (const char *)bytes + done, size - done, at + done);
        if (part <= 0) return 0;
        done += part;
    }
    return 1;
}

/* The bitcode of all sources, one after the other. */
static char *read_all(const int *files, size_t *size) {
    char *all = NULL;
    *size = 0;
    for (int i = 0; i < source_count; i++) {
        size_t length;
        char *content = read_file(files[i], &length), *grown = content ? realloc(all, *size + length + 1) : NULL;
        if (!grown) return NULL;
        all = grown;
        memcpy(all + *size, content, length);
        *size += length;
        free(content);
    }
    return all;
}

/* The content, the names of sections and the section table go behind the file; then the header tells where. False: it is not a file of
   the kind that can hold it, or could not be written, or an object that was linked has brought such a section. */
static int add_section(const char *path, const int *files) {
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return 0;
    size_t size, content_size;
    char *bytes = read_file(file, &size), *content = read_all(files, &content_size);
    if (!bytes || !content || size < sizeof(Elf64_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG) != 0) return 0;
    Elf64_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 ||
        header.e_shnum >= 0xfeff || header.e_shstrndx >= header.e_shnum || header.e_shoff > size ||
        header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr) > size)
        return 0;
    size_t count = header.e_shnum + 1u;
    Elf64_Shdr *table = calloc(count, sizeof *table);
    memcpy(table, bytes + header.e_shoff, header.e_shnum * sizeof *table);
    Elf64_Shdr *names = &table[header.e_shstrndx], *fresh = &table[count - 1];
    if (names->sh_offset > size || names->sh_size > size - names->sh_offset) return 0;
    for (size_t i = 0; i + 1 < count; i++) {
        if (table[i].sh_name > names->sh_size || names->sh_size - table[i].sh_name < sizeof SECTION) continue;
        if (memcmp(bytes + names->sh_offset + table[i].sh_name, SECTION, sizeof SECTION) == 0) return 0;
    }
    size_t content_at = (size + 7) & ~(size_t)7;
    size_t names_at = content_at + content_size, names_size = names->sh_size + sizeof SECTION;
    size_t table_at = (names_at + names_size + 7) & ~(size_t)7;
    size_t tail_size = table_at + count * sizeof *table - size;
    char *tail = calloc(1, tail_size);
    if (!tail) return 0;
    memcpy(tail + content_at - size, content, content_size);
    memcpy(tail + names_at - size, bytes + names->sh_offset, names->sh_size);
    memcpy(tail + names_at - size + names->sh_size, SECTION, sizeof SECTION);
    fresh->sh_name = names->sh_size;
    fresh->sh_type = SHT_PROGBITS;
    fresh->sh_addralign = 1;
    fresh->sh_offset = content_at;
    fresh->sh_size = content_size;
    names->sh_offset = names_at;
    names->sh_size = names_size;
    memcpy(tail + table_at - size, table, count * sizeof *table);
    header.e_shoff = table_at;
    header.e_shnum = count;
    return write_at(file, tail, tail_size, size) && write_at(file, &header, sizeof header, 0);
}

int main(int count, char **arguments) {
    static const char *const wishes[] = {"TANGENT_UBSAN", "TANGENT_CLANG", "TANGENT_SANITIZER_MACROS", "TANGENT_CC_INSIDE"};
    if (count < 3) return 127;
    root = arguments[1];
    given = arguments + 3;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        const char *value = getenv(wishes[i]);
        if (value && *value) become_driver(NULL);
    }
    if (!choose_compiler() || !read_profile(arguments[2])) become_driver(NULL);
    const char *result = plan();
    int files[MAX_SOURCES], is_made;
    for (int i = 0; i < source_count; i++)
        if ((files[i] = temporary_file()) < 0) become_driver(NULL);
    int status = make_both(files, &is_made);
    if (status != 0) return status;
    struct stat what;
    if (!is_made || (stat(result, &what) == 0 && S_ISREG(what.st_mode) && !add_section(result, files)))
        become_driver("--tangent-native-done");
    return 0;
}
