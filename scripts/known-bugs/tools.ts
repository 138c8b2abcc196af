// Known bugs of command-line tools.

import type { KnownProgram } from "./bug.js";

const MEMORY = /overflow|wild|null|use-after|invalid-free|double-free|read-only|negative-size/;

/** Writes small archives of one file each, with the extra fields that archivers of other systems write. */
const MAKE_ZIPS = `import { writeFileSync } from "node:fs";
import { crc32 } from "./crc32.mjs";
const u16 = (n) => Buffer.from([n & 255, n >> 8]);
const u32 = (n) => Buffer.concat([u16(n & 0xffff), u16(n >>> 16)]);
const u64 = (n) => Buffer.concat([u32(n), u32(0)]);
function zip(path, { extra = Buffer.alloc(0), method = 0, size = null, host = 0 } = {}) {
  const name = Buffer.from("a.txt"), data = Buffer.from("hi\\n");
  const middle = Buffer.concat([u16(0), u16(method), u32(0x58210000), u32(crc32(data)), u32(size ?? data.length), u32(size ?? data.length),
    u16(name.length), u16(extra.length)]);
  const local = Buffer.concat([Buffer.from("PK\\x03\\x04"), u16(20), middle, name, extra, data]);
  const central = Buffer.concat([Buffer.from("PK\\x01\\x02"), u16(20 | host << 8), u16(20), middle, u16(0), u16(0), u16(0), u32(0x81a40000), u32(0), name, extra]);
  const end = Buffer.concat([Buffer.from("PK\\x05\\x06"), u16(0), u16(0), u16(1), u16(1), u32(central.length), u32(local.length), u16(0)]);
  writeFileSync(path, Buffer.concat([local, central, end]));
}
const field = (id, ...parts) => { const body = Buffer.concat(parts); return Buffer.concat([u16(id), u16(body.length), body]); };
zip("plain.zip");
zip("method.zip", { method: 99 });
zip("unix.zip", { host: 3 });
zip("vms.zip", { extra: field(0x0c, u32(crc32(Buffer.from("abcd"))), Buffer.from("abcd")) });
zip("os2.zip", { extra: field(9, u32(4), u16(0), u32(crc32(Buffer.from("wxyz"))), Buffer.from("wxyz")) });
zip("zip64.zip", { extra: field(1, u64(3), u64(3)), size: 0xffffffff });
zip("unicode.zip", { extra: field(0x7075, Buffer.from([1]), u32(crc32(Buffer.from("a.txt"))), Buffer.from("a\\u00e9.txt")) });
`;

const CRC32 = `export function crc32(data) {
  let crc = -1;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
`;

/** Debian's patches are newer than what autoconf and automake made; they are not to be made again. */
const SETTLE =
  "touch aclocal.m4; sleep 1; find . -name Makefile.in -o -name configure -o -name 'config*.in' | xargs touch";

export const TOOLS: readonly KnownProgram[] = [
  {
    name: "unzip",
    source: "unzip=6.0-28",
    reverse: [
      "28-cve-2022-0529-and-cve-2022-0530.patch",
      "19-cve-2016-9844-zipinfo-buffer-overflow.patch",
      "18-cve-2014-9913-unzip-buffer-overflow.patch",
      "12-cve-2014-9636-test-compr-eb.patch",
      "10-cve-2014-8140-test-compr-eb.patch",
      "09-cve-2014-8139-crc-overflow.patch",
      "08-allow-greater-hostver-values.patch",
      "07-increase-size-of-cfactorstr.patch",
    ],
    edits: [{ file: "process.c", find: /if \(offset\s*\+ [48] > ef_len\)\s*return PK_ERR;/g, replace: "" }],
    files: { "make-zips.mjs": MAKE_ZIPS, "crc32.mjs": CRC32 },
    build: `make -f unix/Makefile unzip CC="$CC" LD="$CC" LF2="" CF="-g -O1 -w -std=gnu89 -I. -Iunix -DUNIX -DUNICODE_SUPPORT -DUNICODE_WCHAR -DUTF8_MAYBE_NATIVE -DNO_LCHMOD -DLARGE_FILE_SUPPORT -DZIP64_SUPPORT -DHAVE_DIRENT_H -DHAVE_TERMIOS_H -D_FILE_OFFSET_BITS=64"`,
    prepare: "node make-zips.mjs",
    seeds: `./unzip -v method.zip
./unzip -v plain.zip
./unzip -Z method.zip
./unzip -Z unix.zip
./unzip -t vms.zip
./unzip -t os2.zip
./unzip -l zip64.zip
./unzip -l unicode.zip`,
    seconds: 420,
    bugs: [
      {
        reference: "CVE-2014-9913",
        what: "unzip -v prints a method above 999 into eight bytes",
        by: { reverse: ["18-cve-2014-9913-unzip-buffer-overflow.patch"] },
        kinds: MEMORY,
        function: /^list_files$/,
        line: /methbuf/,
      },
      {
        reference: "Debian bug 741384 (07-increase-size-of-cfactorstr)",
        what: "a compression factor of many digits in ten bytes",
        by: { reverse: ["07-increase-size-of-cfactorstr.patch"] },
        kinds: MEMORY,
        function: /^list_files$/,
        line: /cfactorstr|CompFactorStr/,
      },
      {
        reference: "CVE-2016-9844",
        what: "zipinfo prints a method above 999 into five bytes",
        by: { reverse: ["19-cve-2016-9844-zipinfo-buffer-overflow.patch"] },
        kinds: MEMORY,
        function: /^zi_short$/,
        line: /methbuf/,
      },
      {
        reference: "Debian 08-allow-greater-hostver-values",
        what: "zipinfo prints a version of the archiver of 10.0 or more into four bytes",
        by: { reverse: ["08-allow-greater-hostver-values.patch"] },
        kinds: MEMORY,
        function: /^zi_short$/,
        line: /attribs\[12\]/,
      },
      {
        reference: "CVE-2014-8139",
        what: "the checksum of an extra field shorter than its checksum",
        by: { reverse: ["09-cve-2014-8139-crc-overflow.patch"] },
        kinds: MEMORY,
        function: /^crc32$|^TestExtraField$/,
        command: /vms/,
      },
      {
        reference: "CVE-2014-8140",
        what: "a compressed extra field without room for its own header",
        by: { reverse: ["10-cve-2014-8140-test-compr-eb.patch"] },
        kinds: MEMORY,
        function: /^test_compr_eb$|^memextract$/,
        line: /make(word|long)|eb_cmpr_offs/,
      },
      {
        reference: "CVE-2014-9636",
        what: "a stored extra field longer than it says",
        by: { reverse: ["12-cve-2014-9636-test-compr-eb.patch"] },
        kinds: MEMORY,
        function: /^memextract$/,
        line: /memcpy/,
      },
      {
        reference: "CVE-2014-8141",
        what: "a Zip64 extra field too short for what is read from it",
        by: { edits: [0] },
        kinds: MEMORY,
        function: /^getZip64Data$|^makeint64$/,
      },
      {
        reference: "CVE-2022-0530",
        what: "a Unicode name that cannot be converted is a null pointer",
        by: { reverse: ["28-cve-2022-0529-and-cve-2022-0530.patch"] },
        kinds: /null/,
        function: /^do_string$|^wide_to_local_string$/,
        line: /strlen\(fn\)|fn\[|wide_string\[wsize\]/,
      },
      {
        reference: "CVE-2022-0529",
        what: "a Unicode name's escapes are written past the buffer",
        by: { reverse: ["28-cve-2022-0529-and-cve-2022-0530.patch"] },
        kinds: /overflow/,
        function: /^wide_to_local_string$/,
        line: /strcat/,
        miss: "the escapes outgrow the buffer only if nearly all of the name are UTF-8 forms of five or six bytes: too far from the seed",
      },
    ],
  },
  {
    name: "giflib",
    source: "giflib",
    reverse: ["CVE-2026-26740.patch", "fix-get-args-segment-violation.patch"],
    build: `for p in gif2rgb giftool giftext gifbuild; do
$CC -g -O1 -w -std=gnu99 -o $p $p.c dgif_lib.c egif_lib.c gifalloc.c gif_err.c gif_font.c gif_hash.c openbsd-reallocarray.c quantize.c getarg.c qprintf.c -lm || exit 1; done`,
    prepare: `printf 'GIF89a\\002\\000\\002\\000\\200\\000\\000\\000\\000\\000\\377\\377\\377\\041\\376\\003hi!\\000\\041\\371\\004\\000\\012\\000\\000\\000\\054\\000\\000\\000\\000\\002\\000\\002\\000\\000\\002\\003\\104\\002\\005\\000\\073' > small.gif`,
    seeds: `./gif2rgb -o out.rgb small.gif
./giftool -d 10 < small.gif > out.gif
./gif2rgb -h`,
    seconds: 150,
    bugs: [
      {
        reference: "CVE-2022-28506 (not fixed in bookworm)",
        what: "gif2rgb takes a colour past the colour map",
        kinds: MEMORY,
        function: /^DumpScreen2RGB$/,
      },
      {
        reference: "CVE-2026-26740",
        what: "giftool -d writes a graphics control block into an extension that is shorter",
        by: { reverse: ["CVE-2026-26740.patch"] },
        kinds: MEMORY,
        function: /^EGifGCBToSavedExtension$|^EGifGCBToExtension$/,
      },
      {
        reference: "Debian bugs 715963, 715964, 715967",
        what: "an option without its argument at the end of the command line",
        by: { reverse: ["fix-get-args-segment-violation.patch"] },
        kinds: MEMORY,
        function: /^GAGetParmeters$|^GAGetArgs$|^GAGetMultiParmeters$/,
        miss: "options are read first, and the decisions deepest in the run come first: the time ended at distance 3",
      },
    ],
  },
  {
    name: "patch",
    source: "patch",
    reverse: [
      "0009-Fix_failed_assertion_outstate-after_newline.patch",
      "0008-Avoid_invalid_memory_access_in_context_format_diffs.patch",
      "Fix_segfault_with_mangled_rename_patch.patch",
    ],
    edits: [
      { file: "src/pch.c", find: /if \(inerrno != ENOENT\)/, replace: "assert (! inerrno);\n\tif (inerrno != ENOENT)" },
      { file: "src/pch.c", find: /\(p_len\[line\] > 0\) && \(p_line\[line\]/, replace: "(p_line[line]" },
    ],
    configure: `${SETTLE}; ./configure --disable-dependency-tracking --disable-xattr`,
    build: "make",
    prepare: `printf 'diff --git a/f b/g\\nrename from f\\nrename to g\\n--- a/f\\n+++ b/g\\n@@ -1 +1 @@\\n-old\\n+new\\n' > rename.diff
printf '*** a\\n--- b\\n***************\\n*** 6 ****\\n- b\\n--- 5 ----\\n' > context.diff
printf '*** a\\n--- b\\n***************\\n*** 1 ****\\n! a\\n--- 1 ----\\n! A\\n***************\\n*** 3 ****\\n! c\\n--- 3 ----\\n! C\\n' > context2.diff
printf -- '--- foo\\n+++ foo\\n1c\\nbar\\n.\\n' > ed.diff
printf -- '--- a\\n+++ a\\n@@ -1 +1 @@\\n-one\\n+two\\n--- a\\n+++ a\\n@@ -1 +1 @@\\n-two\\n+three\\n' > twice.diff
printf -- '--- f\\n+++ f\\n@@ -1,2 +1,2 @@\\n-1\\n+1a\\n \\n\\\\ No newline at end of file\\n' > newline.diff
mkdir -p t`,
    seeds: `cd t
echo old > f; ../src/patch -p1 -i ../rename.diff
printf 'a\\na\\na\\na\\na\\nb\\na\\n' > a; ../src/patch -i ../context.diff
printf 'a\\nb\\nc\\n' > a; ../src/patch -i ../context2.diff
echo foo > foo; ../src/patch -i ../ed.diff
echo one > a; ../src/patch -o a.new a -i ../twice.diff
echo 1 > f; ../src/patch -p0 -i ../newline.diff`,
    seconds: 200,
    bugs: [
      {
        reference: "CVE-2018-6951",
        what: "a rename with only one name",
        by: { reverse: ["Fix_segfault_with_mangled_rename_patch.patch"] },
        kinds: MEMORY,
        function: /^intuit_diff_type$/,
        miss: "not found up to distance 3; nor could it be reproduced by hand from this seed",
      },
      {
        reference: "Debian 0008-Avoid_invalid_memory_access_in_context_format_diffs",
        what: "a context diff's hunk that begins with its second half",
        by: { reverse: ["0008-Avoid_invalid_memory_access_in_context_format_diffs.patch"] },
        kinds: /overflow/,
        function: /^another_hunk$/,
        line: /p_Char\[p_end - 1\]/,
      },
      {
        reference: "Debian 0009-Fix_failed_assertion_outstate-after_newline",
        what: "-o with a file that does not end in a newline, then another",
        by: { reverse: ["0009-Fix_failed_assertion_outstate-after_newline.patch"] },
        kinds: /assert/,
        function: /^apply_hunk$/,
        command: / -o /,
        miss: "not from the test with -o; the same assertion fails without -o, in the unmodified program too (docs/results/known-bugs.md)",
      },
      {
        reference: "Debian Allow_input_files_to_be_missing_for_ed-style_patches",
        what: "an ed script for a file that does not exist",
        by: { edits: [0] },
        kinds: /assert/,
        function: /^do_ed_script$/,
      },
      {
        reference: "CVE-2016-10713",
        what: "pch_write_line looks before an empty line",
        by: { edits: [1] },
        kinds: MEMORY,
        function: /^pch_write_line$/,
      },
      {
        reference: "CVE-2018-6952 (not fixed in bookworm)",
        what: "another_hunk frees a line twice",
        kinds: /double-free|invalid-free|use-after/,
        function: /^another_hunk$/,
      },
    ],
  },
  {
    name: "gzip",
    source: "gzip",
    reverse: [],
    edits: [
      {
        file: "unpack.c",
        find: /if \(max_leaves - \(len == max_len\) < leaves\[len\]\)\s*gzip_error \("too many leaves in Huffman tree"\);/,
        replace: "",
      },
      { file: "unpack.c", find: /if \(\(nodes >> 1\) != 1\)\s*gzip_error \([^)]*\);/, replace: "" },
      { file: "unlzh.c", find: /if \(\(start\[17\] & 0xffff\) != 0\)\s*gzip_error \([^)]*\);/, replace: "" },
      { file: "unlzh.c", find: /if \(\(unsigned\) 1 << tablebits < nextcode\)\s*gzip_error \([^)]*\);/, replace: "" },
      { file: "unlzh.c", find: /if \(16 < c\)\s*gzip_error \([^)]*\);/, replace: "" },
      { file: "unlzw.c", find: /if \(256 <= code\)\s*gzip_error \([^)]*\);/, replace: "" },
    ],
    configure: `${SETTLE}; ./configure --disable-dependency-tracking`,
    build: "make version.h && make -C lib && make gzip",
    prepare: `printf '\\037\\036\\000\\000\\000\\006\\003\\001\\001\\000\\141\\156\\142\\026\\310' > banana.z
printf '\\037\\240\\000\\003\\000\\000\\006\\020\\000\\000\\000' > aaa.lzh
printf '\\037\\235\\220\\141\\304\\004\\004' > ab.Z`,
    seeds: `./gzip -dc < banana.z
./gzip -dc < aaa.lzh
./gzip -dc < ab.Z`,
    seconds: 300,
    bugs: [
      {
        reference: "CVE-2006-4336",
        what: "unpack: more leaves than the prefix table has room for",
        by: { edits: [0, 1] },
        kinds: MEMORY,
        function: /^build_tree$/,
      },
      {
        reference: "CVE-2006-4335/4337",
        what: "unlzh: code lengths that do not make a table",
        by: { edits: [2, 3, 4] },
        kinds: MEMORY,
        function: /^make_table$/,
      },
      {
        reference: "gzip 1.4 (test helin-segv)",
        what: "unlzw: a first code that is no character",
        by: { edits: [5] },
        kinds: MEMORY,
        function: /^unlzw$/,
      },
    ],
  },
];
