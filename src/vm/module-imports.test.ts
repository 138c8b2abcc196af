import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProgramImage } from "../jit/image.js";
import { instantiate, loadModule } from "../jit/load-module.js";
import { IMPORTED_FUNCTIONS, moduleTrouble } from "../jit/module-imports.js";
import { Machine } from "./machine.js";
import { DEFAULT_OPTIONS } from "./run-options.js";
import { NO_VALUES, tinyImage } from "./tiny-module.js";

const IMAGE = tinyImage([{ name: "start", signature: NO_VALUES, body: [] }]);
const { wasm: WASM } = IMAGE;
const HEADER_BYTES = 8;

/** Names of the same length keep everything else in its place. */
function renamed(name: string, other: string): Uint8Array {
  assert.equal(name.length, other.length);
  const copy = Uint8Array.from(WASM);
  copy.set(Buffer.from(other), Buffer.from(WASM).indexOf(name));
  return copy;
}

function withSection(id: number, ...content: number[]): Uint8Array {
  return Uint8Array.from([...WASM.subarray(0, HEADER_BYTES), id, content.length, ...content]);
}

function run(wasm: Uint8Array): unknown {
  const image: ProgramImage = { ...IMAGE, wasm };
  return new Machine(image, DEFAULT_OPTIONS).run(loadModule(image));
}

describe("what a module may import", () => {
  it("the boundary's functions and the memory", () => {
    assert.equal(moduleTrouble(WASM), null);
    run(WASM);
  });

  it("nothing that an object of JavaScript has by itself, and nothing from elsewhere", () => {
    for (const [name, other] of [
      ["syscall", "valueOf"],
      ["makeSymbolic", "__proto__\0\0\0"],
      ["endSilently", "constructor"],
      ["host", "node"],
    ]) {
      assert.match(moduleTrouble(renamed(name, other)) ?? "", /imports .*, which is not offered to programs/);
      assert.throws(() => run(renamed(name, other)), /what was given as a program's translation is none: it imports/);
    }
  });

  it("nothing with another type, and no memory of another size", () => {
    // One function with a parameter and no result: as `prefer`.
    assert.match(moduleTrouble(renamed("prefer", "assume")) ?? "", /imports host\.assume with another type/);
    const large = Uint8Array.from(WASM);
    // Its limits follow the name and the kind.
    large[Buffer.from(WASM).indexOf("\x06memory\x02", 0, "latin1") + 8] = 3;
    assert.match(moduleTrouble(large) ?? "", /imports host\.memory with another size/);
  });

  it("a module that brings a memory, starts by itself, or has types of another kind is none", () => {
    assert.match(moduleTrouble(withSection(5, 1, 0, 1)) ?? "", /a memory of its own/);
    assert.match(moduleTrouble(withSection(8, 0)) ?? "", /before it is started/);
    assert.match(moduleTrouble(withSection(1, 1, 0x5f, 0)) ?? "", /types that no translation has/);
  });

  it("of what passes, however it was cut or changed, V8 sees no other imports either", () => {
    const cut = Array.from(WASM, (_, length) => WASM.subarray(0, length));
    const changed = [...WASM.keys()].flatMap((at) =>
      [1, 0x7f, 0x80, 0xff].map((change) => WASM.map((byte, index) => (index === at ? byte ^ change : byte))),
    );
    assert.equal(moduleTrouble(cut[WASM.indexOf(0x60) + 1]), "it is cut short or damaged");
    let passed = 0;
    for (const wasm of [...cut, ...changed]) {
      if (moduleTrouble(wasm) !== null || !WebAssembly.validate(wasm)) continue;
      passed++;
      for (const { module, name } of WebAssembly.Module.imports(new WebAssembly.Module(wasm))) {
        assert.ok(module === "host" && (name === "memory" || IMPORTED_FUNCTIONS.has(name)), `${module}.${name}`);
      }
    }
    assert.ok(passed > 0);
  });

  it("a module that was made elsewhere is not instantiated", () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 0x1_0000 });
    assert.throws(() => instantiate(new WebAssembly.Module(WASM), {}, memory), /nobody has looked/);
  });
});
