// procmail's formail, compiled by one command: its configuration asks for what every system has today, so the answers are given here. And
// unshar of the sharutils.

import type { BedPackage } from "./bed-bug.js";
import { SETTLE } from "./patch.js";

const FROM = "From joe@example.org Mon Jan  6 10:00:00 2020\n";
const LETTERS = {
  plain: `${FROM}From: joe@example.org\nTo: ann@example.org\nSubject: hello\n\nhow are you\n`,
  named: 'From: "Joe, of Example" <joe@example.org>\nTo: ann@example.org\nSubject: re: x\n\ntext\n',
  reply: "From: joe@example.org (Joe)\nReply-To: list@example.org\nSubject: a\nMessage-ID: <1.2@example.org>\n\nz\n",
  thread:
    "From: a@b.c\nSubject: deep\nReferences: <1@b.c>\n <2@b.c>\nMessage-ID: <3@b.c>\nIn-Reply-To: <2@b.c>\n\nmore\n",
  received:
    "Return-Path: <a@b.c>\nReceived: from x by y; Mon, 6 Jan 2020 10:00:00 +0000\nFrom: a@b.c\nSubject:\n\n>From me\n",
};

export const PROCMAIL: BedPackage = {
  source: "procmail",
  files: {
    "autoconf.h": "#define NOstrlcat\n#define NO_COMSAT\n#define NOpw_class\n#define NOsetrgid\n#define NObcopy\n",
  },
  build: `set --; for part in formail common formisc fields ecommon acommon sublib; do set -- "$@" src/$part.c; done
$CC $CFLAGS -w -std=gnu89 -I. -o formail "$@"`,
  program: "formail",
  bugs: [
    {
      name: "procmail-loadbuf",
      reference: "Debian bug 876511 (CVE-2017-16844)",
      kind: "heap-buffer-overflow",
      what: "formail -r: two long fields, one after the other",
      reverse: ["30"],
      places: ["src/formisc.c:108"],
      arguments: ["-r"],
      seeds: LETTERS,
      proof: `From: a@b.c\nSubject: x\nMessage-ID: <${"m".repeat(300)}@h>\nReferences: ${"r".repeat(300)}\n\nbody\n`,
    },
    {
      name: "procmail-3618",
      reference: "CVE-2014-3618",
      kind: "heap-buffer-overflow",
      what: "formail -r: a quote that nothing follows",
      reverse: ["27"],
      // The second is where the byte behind the buffer is a zero: the end of the text is written behind it.
      places: ["src/formisc.c:92", "src/formisc.c:66"],
      arguments: ["-r"],
      seeds: LETTERS,
      proof: 'From: joe "\n\nbody\n',
    },
  ],
};

export const SHARUTILS: BedPackage = {
  source: "sharutils",
  configure: `${SETTLE}
./configure --disable-dependency-tracking --disable-nls`,
  build: `make -C lib CC="$CC"; make -C libopts CC="$CC"; make -C src unshar CC="$CC"`,
  program: "src/unshar",
  // The buffer has room for a line of BUFSIZ characters, and musl's is smaller than what the program reserves.
  needsGlibc: true,
  bugs: [
    {
      name: "sharutils-97",
      reference: "CVE-2018-1000097",
      kind: "heap-buffer-overflow",
      what: "unshar: a line longer than the buffer",
      reverse: ["01-fix-heap-buffer-overflow-cve-2018-1000097.patch"],
      places: ["src/unshar.c:160", "src/unshar.c:243"],
      arguments: ["@@"],
      seeds: {
        "one.shar": "#!/bin/sh\n# This is a shell archive\necho x - a\nexit 0\n",
        "mail.shar": "From: a@b.c\nSubject: files\n\nhere they are\n\n#! /bin/sh\necho made\nexit 0\n",
        "cut.shar": "Hello\n--- cut here ---\n: shell\necho x\nexit 0\n",
        "text.shar": "nothing here\nbut text\n",
      },
      proof: `${"x".repeat(9000)}\n# no archive\n`,
    },
  ],
};
