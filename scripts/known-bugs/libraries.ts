// Known bugs of libraries: cJSON and libyaml. cJSON comes without a program, so it has a driver here that reads a document and does to it
// what the words say, with the library's own checks as the only ones; libyaml is driven by its own test programs.

import type { KnownProgram } from "./bug.js";

const CJSON_DRIVER = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cJSON.h"
/* cjson-edit FILE print | get NAME | set NAME VALUE | copy FROM TO | move NAME ARRAY INDEX | minify */
int main(int argc, char **argv) {
    if (argc < 3) return 2;
    FILE *file = fopen(argv[1], "rb");
    if (file == NULL) return 2;
    char buffer[4096];
    size_t length = fread(buffer, 1, sizeof buffer - 1, file);
    fclose(file);
    char *text = malloc(length + (strcmp(argv[2], "minify") == 0));
    memcpy(text, buffer, length);
    if (strcmp(argv[2], "minify") == 0) {
        text[length] = 0;
        cJSON_Minify(text);
        puts(text);
        return 0;
    }
    cJSON *document = cJSON_ParseWithLength(text, length);
    free(text);
    if (document == NULL) return 1;
    if (strcmp(argv[2], "get") == 0 && argc == 4) {
        cJSON *item = cJSON_GetObjectItemCaseSensitive(document, argv[3]);
        if (item == NULL) return 1;
        puts(cJSON_Print(item));
    } else if (strcmp(argv[2], "set") == 0 && argc == 5) {
        cJSON_SetValuestring(cJSON_GetObjectItemCaseSensitive(document, argv[3]), argv[4]);
        puts(cJSON_Print(document));
    } else if (strcmp(argv[2], "copy") == 0 && argc == 5) {
        cJSON *from = cJSON_GetObjectItemCaseSensitive(document, argv[3]);
        cJSON *to = cJSON_GetObjectItemCaseSensitive(document, argv[4]);
        if (from == NULL || to == NULL) return 1;
        cJSON_SetValuestring(to, cJSON_GetStringValue(from));
        puts(cJSON_Print(document));
    } else if (strcmp(argv[2], "move") == 0 && argc == 6) {
        cJSON *array = cJSON_GetObjectItemCaseSensitive(document, argv[4]);
        cJSON *item = cJSON_DetachItemFromObjectCaseSensitive(document, argv[3]);
        if (!cJSON_IsArray(array)) return 1;
        cJSON_InsertItemInArray(array, atoi(argv[5]), item);
        puts(cJSON_Print(document));
    } else {
        puts(cJSON_PrintUnformatted(document));
    }
    cJSON_Delete(document);
    return 0;
}
`;

const MEMORY = /overflow|out-of-bounds|wild|null|use-after|invalid|unaddressable|segv/i;

export const LIBRARIES: readonly KnownProgram[] = [
  {
    name: "cjson",
    source: "cjson",
    reverse: [
      "0002-Fix-heap-buffer-overflow.patch",
      "0002-add-null-check-to-cjson-setvaluestring.patch",
      "0001-add-null-checkings.patch",
    ],
    edits: [
      {
        file: "cJSON.c",
        find: / && \(current_element->string != NULL\) && \(strcmp\(/,
        replace: " && (strcmp(",
      },
      {
        file: "cJSON.c",
        find: /for \(; \(\*input\)\[0\] != '\\0'; \+\+\(\*input\)\)(\s*\{\s*if \(\(\(\*input\)\[0\] == '\*'\))/,
        replace: "for (;; ++(*input))$1",
      },
    ],
    files: { "cjson-edit.c": CJSON_DRIVER },
    build: "$CC -g -O1 -o cjson-edit cjson-edit.c cJSON.c -lm",
    prepare: `printf '{"l":[1],"k":true}' > a.json
printf '{"a":"x"}' > b.json
printf '{ "a": 1, /* two */ "b": "c" }' > c.json
printf '[ ]' > d.json
printf '{"a":"","b":""}' > e.json`,
    seeds: `./cjson-edit b.json print
./cjson-edit b.json set a z
./cjson-edit d.json get a
./cjson-edit e.json copy a b
./cjson-edit a.json move k l 0
./cjson-edit c.json minify`,
    seconds: 150,
    bugs: [
      {
        reference: "cJSON issue 800 (Debian 0002-Fix-heap-buffer-overflow)",
        what: "parse_object reads past the buffer when nothing follows the comma",
        by: { reverse: ["0002-Fix-heap-buffer-overflow.patch"] },
        kinds: MEMORY,
        function: /^parse_string$/,
        line: /buffer_at_offset\(input_buffer\)\[0\]/,
      },
      {
        reference: "CVE-2019-1010239",
        what: "the name of an array's element is a null pointer",
        by: { edits: [0] },
        kinds: MEMORY,
        function: /^get_object_item$|^str(case)?cmp$/,
      },
      {
        reference: "CVE-2019-11835",
        what: "cJSON_Minify reads past a comment without an end",
        by: { edits: [1] },
        kinds: MEMORY,
        function: /^skip_multiline_comment$/,
      },
      {
        reference: "CVE-2023-50472",
        what: "cJSON_SetValuestring with a null object",
        by: {
          own: [
            {
              file: "cJSON.c",
              find: /\(object == NULL\) \|\| !\(object->type & cJSON_String\)/,
              replace: "!(object->type & cJSON_String)",
            },
          ],
        },
        kinds: MEMORY,
        function: /^cJSON_SetValuestring$/,
        line: /object->type/,
      },
      {
        reference: "CVE-2024-31755",
        what: "cJSON_SetValuestring with a null string",
        by: { reverse: ["0002-add-null-check-to-cjson-setvaluestring.patch"] },
        kinds: MEMORY,
        function: /^cJSON_SetValuestring$/,
        line: /strlen|strcpy/,
      },
      {
        reference: "CVE-2023-50471",
        what: "cJSON_InsertItemInArray with a null item",
        by: { own: [{ file: "cJSON.c", find: /which < 0 \|\| newitem == NULL/, replace: "which < 0" }] },
        kinds: MEMORY,
        function: /^cJSON_InsertItemInArray$/,
        line: /newitem/,
      },
    ],
  },
  {
    name: "libyaml",
    source: "libyaml",
    reverse: [],
    edits: [
      {
        file: "src/scanner.c",
        find: /if \(!STRING_EXTEND\(parser, string\)\)\s*goto error;(\s*if \(!yaml_parser_scan_uri_escapes)/,
        replace: "$1",
      },
      {
        file: "src/scanner.c",
        find: /(\s+&& parser->indent == \(ptrdiff_t\)parser->mark\.column\);\n)/,
        replace: "$1    assert(parser->simple_key_allowed || !required);\n",
      },
    ],
    build: `for v in MAJOR:0 MINOR:2 PATCH:5; do d="$d -DYAML_VERSION_\${v%%:*}=\${v##*:}"; done
for p in run-parser run-scanner; do
$CC -g -O1 $d '-DYAML_VERSION_STRING="0.2.5"' -Iinclude -Isrc -o $p tests/$p.c src/api.c src/reader.c src/scanner.c src/parser.c || exit 1; done`,
    prepare: `printf -- '--- !<tag:a.b,2002:%%41%%42%%43%%44%%45%%46>\\nx: y\\n' > escapes.yaml
printf " a: 'b\\n c'\\n" > wrapped.yaml`,
    seeds: `for f in wrapped.yaml escapes.yaml; do ./run-scanner $f; ./run-parser $f; done`,
    seconds: 120,
    bugs: [
      {
        reference: "CVE-2014-2525",
        what: "escapes in a URI are written past the string",
        by: { edits: [0] },
        kinds: MEMORY,
        function: /^yaml_parser_scan_uri_escapes$/,
      },
      {
        reference: "CVE-2014-9130",
        what: "an assertion about simple keys",
        by: { edits: [1] },
        kinds: /assert|abort/,
        function: /^yaml_parser_save_simple_key$/,
      },
    ],
  },
];
