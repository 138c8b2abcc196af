// Small programs that are compiled by one command: giflib's giftool, indent and jhead. Where a package has its compiler asked by a script,
// the answers are given here.

import type { BedPackage } from "./bed-bug.js";

const GIF_TOP = "GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff";
const GIF_IMAGE = ",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0";

export const GIFLIB: BedPackage = {
  source: "giflib",
  build: `$CC $CFLAGS -o giftool giftool.c qprintf.c getarg.c dgif_lib.c egif_lib.c gifalloc.c gif_err.c gif_font.c \\
  gif_hash.c openbsd-reallocarray.c quantize.c -lm`,
  program: "giftool",
  bugs: [
    {
      name: "giflib-gcb",
      reference: "CVE-2026-26740",
      kind: "heap-buffer-overflow",
      what: "giftool -d writes a graphics control block into a shorter extension",
      reverse: ["CVE-2026-26740.patch"],
      places: ["egif_lib.c:670", "egif_lib.c:666", "egif_lib.c:669", "egif_lib.c:671", "egif_lib.c:692"],
      arguments: ["-d", "10"],
      seeds: { "delay.gif": `${GIF_TOP}!\xf9\x04\0\x0a\0\0\0${GIF_IMAGE};` },
      ownSeeds: ["gifgrid", "treescap", "treescap-interlaced", "x-trans"].map((name) => `pic/${name}.gif`),
      proof: `${GIF_TOP}!\xf9\x01\0\0${GIF_IMAGE};`,
    },
  ],
};

const INDENT_CONFIG = `#define PACKAGE "indent"
#define VERSION "2.2.12"
#define LOCALEDIR "/usr/share/locale"
${["DIRENT_H", "MALLOC_H", "UNISTD_H", "UTIME_H", "MEMCPY", "MEMMOVE", "STRCHR", "UTIME"]
  .map((name) => `#define HAVE_${name} 1\n`)
  .join("")}`;

/** With what stands before it, it ends where the buffer of 1024 characters does. */
const COMMENT = `/*${"-".repeat(1018)}*/`;

export const INDENT: BedPackage = {
  source: "indent",
  files: { "config.h": INDENT_CONFIG },
  build: "$CC $CFLAGS -w -DHAVE_CONFIG_H -I. -Isrc -o indent $(ls src/*.c | grep -v -e gperf -e wildexp)",
  program: "indent",
  bugs: [
    {
      name: "indent-40305",
      reference: "CVE-2023-40305",
      kind: "heap-buffer-overflow",
      what: "a comment before a brace that fills the buffer to its end",
      reverse: ["04-fix-a-heap-buffer-overwrite.patch"],
      places: ["src/indent.c:231", "src/indent.c:232"],
      arguments: ["-bl", "-st", "@@"],
      seeds: {},
      ownSeeds: ["bbreak", "block-comments", "braces", "case", "comments", "do", "else-comment", "else-comment-2"].map(
        (name) => `regression/input/${name}.c`,
      ),
      proof: `int f (int a)\n{\n  if (a) g ();\n  else ${COMMENT} {\n    return 1;\n  }\n  return 0;\n}\n`,
    },
  ],
};

const u16 = (number: number): string => String.fromCharCode(number >> 8, number & 255);
const section = (marker: number, body: string): string =>
  `\xff${String.fromCharCode(marker)}${u16(body.length + 2)}${body}`;

/** One directory with the date, which stands so many bytes behind it. */
function exif(gap: number): string {
  const offset = 8 + 2 + 12 + 4 + gap;
  const date = `${u16(0x132)}${u16(2)}\0\0${u16(20)}\0\0${u16(offset)}`;
  return section(0xe1, `Exif\0\0MM\0*\0\0\0\x08${u16(1)}${date}\0\0\0\0${"\0".repeat(gap)}2020:05:06 07:08:09\0`);
}

const IMAGE = `${section(0xc0, "\x08\0\x01\0\x01\x01\x01\x11\0")}${section(0xda, "\x01\x01\0\0?\0")}\x12\x34\xff\xd9`;
const JFIF = section(0xe0, "JFIF\0\x01\x01\0\0\x01\0\x01\0\0");

export const JHEAD: BedPackage = {
  source: "jhead",
  build: "$CC $CFLAGS -w -o jhead $(ls *.c | grep -v -x myglob.c) -lm",
  program: "jhead",
  bugs: [
    {
      name: "jhead-34055",
      reference: "CVE-2021-34055",
      kind: "heap-buffer-overflow",
      what: "a damaged Exif section before a good one, and a date to be set",
      reverse: ["fix_cve_2021_34055"],
      places: ["jhead.c:1190"],
      isShared: true,
      arguments: ["-ts2021:01:01-00:00:00", "@@"],
      seeds: {
        "date.jpg": `\xff\xd8${exif(0)}${IMAGE}`,
        "far.jpg": `\xff\xd8${JFIF}${exif(20)}${IMAGE}`,
        "comment.jpg": `\xff\xd8${section(0xfe, "a comment")}${exif(4)}${IMAGE}`,
        "plain.jpg": `\xff\xd8${JFIF}${IMAGE}`,
        "twice.jpg": `\xff\xd8${exif(0)}${section(0xe1, "http:comment\0<x/>")}${IMAGE}`,
      },
      proof: `\xff\xd8${section(0xe1, "Exif\0\0QQ\0*\0\0\0\x08\0\0\0\0")}${exif(40)}${IMAGE}`,
    },
  ],
};
