// Two releases of Lua, each compiled by one command.

import type { BedPackage } from "./bed-bug.js";

/** What Debian's build makes before it compiles. */
const MULTIARCH = '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"\n';

const MANY = Array.from({ length: 190 }, (_, at) => `p${at}`).join(", ");

export const LUA51: BedPackage = {
  source: "lua5.1",
  files: { "src/lua5.1-deb-multiarch.h": MULTIARCH },
  build: "cd src; $CC $CFLAGS -o ../luaprog $(ls *.c | grep -v -x -e luac.c -e print.c) -lm",
  program: "luaprog",
  bugs: [
    {
      name: "lua51-vararg",
      reference: "Lua 5.1.5 bug (Debian 0004)",
      kind: "heap-buffer-overflow",
      what: "a vararg function with very many parameters, called with few arguments on a fresh stack",
      reverse: ["0004-Fix-stack-overflow-in-vararg-functions.patch"],
      places: ["src/ldo.c:232", "src/ldo.c:233"],
      arguments: ["@@"],
      ownSeeds: ["cf", "echo", "factorial", "fibfor", "hello", "printf", "sieve", "sort"].map(
        (name) => `test/${name}.lua`,
      ),
      seeds: {
        "vararg.lua":
          "local function f(a, b, ...)\n  return select('#', ...), a, b\nend\nprint(f(1))\nprint(f(1, 2, 3, 4))\n",
      },
      proof: `local function wide(${MANY}, ...) return p0, ... end\nprint(coroutine.wrap(wide)())\n`,
    },
  ],
};

export const LUA54: BedPackage = {
  source: "lua5.4",
  files: { "src/lua5.4-deb-multiarch.h": MULTIARCH },
  build: "cd src; $CC $CFLAGS -o ../luaprog $(ls *.c | grep -v -x -e luac.c) -lm",
  program: "luaprog",
  bugs: [
    {
      name: "lua54-env",
      reference: "CVE-2022-28805",
      kind: "out of bounds / wild access",
      what: "_ENV is a constant: a register that is not there",
      reverse: ["0004-cve-2022-28805.patch"],
      places: ["src/lvm.c:1334"],
      arguments: ["@@"],
      seeds: {
        "const.lua": "local width <const> = 8\nlocal name <const> = 'box'\nprint(name, width * 2)\n",
        "env.lua":
          "local function make()\n  local _ENV = { print = print }\n  x = 5\n  print(x)\n  return _ENV\nend\nprint(make().x)\n",
        "close.lua":
          "do\n  local h <close> = setmetatable({}, { __close = function() print('closed') end })\n  print('open')\nend\n",
        "loop.lua": "local t = {}\nfor i = 1, 5 do t[#t + 1] = i * i end\nprint(table.concat(t, ','))\n",
        "strings.lua": "local s = 'a-b-c'\nfor w in s:gmatch('%a') do io.write(w, ' ') end\nprint(#s, s:upper())\n",
        "goto.lua": "local i = 1\n::top::\nif i < 4 then i = i + 1; goto top end\nprint(i)\n",
      },
      // The more variables there are before it, the farther away is the register that is taken for it.
      proof: `local ${"a, ".repeat(49)}a\nlocal function set()\n  local _ENV <const> = 7\n  total = 3\nend\nset()\n`,
    },
  ],
};
