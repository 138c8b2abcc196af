// A small converter of marked-up text to HTML, for `bench:seeds`: headings, lists, quotes, code, emphasis, links, escapes. It is
// written as such programs are: a buffer per line, tables, some copying, options.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 256, MOST_DEPTH = 8 };

struct output {
  char *bytes;
  size_t length, room;
};

static struct output out;
static int wraps, numbers_headings, headings;

static void put(const char *text, size_t length) {
  if (out.length + length + 1 > out.room) {
    out.room = (out.length + length + 1) * 2;
    out.bytes = realloc(out.bytes, out.room);
    if (out.bytes == NULL) exit(3);
  }
  memcpy(out.bytes + out.length, text, length);
  out.length += length;
  out.bytes[out.length] = 0;
}

static void puts_out(const char *text) { put(text, strlen(text)); }

static void escaped(char c) {
  switch (c) {
    case '<': puts_out("&lt;"); break;
    case '>': puts_out("&gt;"); break;
    case '&': puts_out("&amp;"); break;
    case '"': puts_out("&quot;"); break;
    default: put(&c, 1);
  }
}

static const char *span(const char *at, char mark, const char *tag) {
  char word[MOST_LINE];
  size_t n = 0;
  const char *from = at + 1;
  while (*from != 0 && *from != mark && n < sizeof word - 1) word[n++] = *from++;
  if (*from != mark || n == 0) return NULL;
  word[n] = 0;
  puts_out("<");
  puts_out(tag);
  puts_out(">");
  for (size_t k = 0; k < n; k++) escaped(word[k]);
  puts_out("</");
  puts_out(tag);
  puts_out(">");
  return from + 1;
}

static const char *link_at(const char *at) {
  const char *close = strchr(at, ']');
  if (close == NULL || close[1] != '(') return NULL;
  const char *end = strchr(close, ')');
  if (end == NULL) return NULL;
  puts_out("<a href=\"");
  for (const char *p = close + 2; p < end; p++) escaped(*p);
  puts_out("\">");
  for (const char *p = at + 1; p < close; p++) escaped(*p);
  puts_out("</a>");
  return end + 1;
}

static void inline_text(const char *at) {
  while (*at != 0) {
    const char *next = NULL;
    if (*at == '*') next = span(at, '*', "em");
    else if (*at == '_') next = span(at, '_', "strong");
    else if (*at == '`') next = span(at, '`', "code");
    else if (*at == '[') next = link_at(at);
    else if (*at == '\\' && ispunct((unsigned char)at[1])) {
      escaped(at[1]);
      next = at + 2;
    }
    if (next == NULL) escaped(*at++);
    else at = next;
  }
}

static int depth_of(const char *line, char mark) {
  int depth = 0;
  while (line[depth] == mark && depth < MOST_DEPTH) depth++;
  return depth;
}

static void heading(const char *line) {
  char tag[4] = "h1";
  int depth = depth_of(line, '#');
  tag[1] = (char)('0' + (depth > 6 ? 6 : depth));
  puts_out("<");
  puts_out(tag);
  puts_out(">");
  if (numbers_headings) {
    char number[16];
    snprintf(number, sizeof number, "%d. ", ++headings);
    puts_out(number);
  }
  line += depth;
  while (*line == ' ') line++;
  inline_text(line);
  puts_out("</");
  puts_out(tag);
  puts_out(">\n");
}

static int in_list;

static void end_list(void) {
  while (in_list > 0) {
    puts_out("</ul>\n");
    in_list--;
  }
}

static void item(const char *line) {
  int depth = 0;
  while (line[depth] == ' ') depth++;
  int level = depth / 2 + 1;
  if (level > MOST_DEPTH) level = MOST_DEPTH;
  while (in_list < level) {
    puts_out("<ul>\n");
    in_list++;
  }
  while (in_list > level) {
    puts_out("</ul>\n");
    in_list--;
  }
  puts_out("<li>");
  inline_text(line + depth + 2);
  puts_out("</li>\n");
}

static void convert(const char *line) {
  const char *text = line + strspn(line, " ");
  if (*text == '-' && text[1] == ' ') {
    item(line);
    return;
  }
  end_list();
  if (*line == 0) return;
  if (*line == '#') heading(line);
  else if (*line == '>') {
    puts_out("<blockquote>");
    inline_text(line + 1);
    puts_out("</blockquote>\n");
  } else if (strncmp(line, "    ", 4) == 0) {
    puts_out("<pre>");
    for (const char *p = line + 4; *p != 0; p++) escaped(*p);
    puts_out("</pre>\n");
  } else {
    puts_out("<p>");
    inline_text(line);
    puts_out("</p>\n");
  }
}

int main(int argc, char **argv) {
  char line[MOST_LINE];
  for (int n = 1; n < argc; n++) {
    if (strcmp(argv[n], "--page") == 0) wraps = 1;
    else if (strcmp(argv[n], "--number") == 0) numbers_headings = 1;
    else {
      fprintf(stderr, "marks: what is %s?\n", argv[n]);
      return 2;
    }
  }
  if (wraps) puts_out("<html><body>\n");
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    convert(line);
  }
  end_list();
  if (wraps) puts_out("</body></html>\n");
  if (out.length > 0) fwrite(out.bytes, 1, out.length, stdout);
  free(out.bytes);
  return 0;
}
