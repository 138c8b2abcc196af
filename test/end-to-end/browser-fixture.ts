// A real browser for tests: Debian's chromium, spoken to by its own protocol over two pipes, so that nothing needs to be installed with the
// project. One page at a time.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

const BROWSER = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);
/** Why tests that need one are skipped, or false. */
export const NO_BROWSER = BROWSER === undefined ? "chromium is not on PATH (apt-get install chromium)" : false;

interface Answer {
  readonly id?: number;
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly message: string };
}

export class Browser {
  private readonly profile = mkdtempSync(join(tmpdir(), "tangent-browser-"));
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private session = "";
  private count = 0;
  private rest = "";

  private constructor() {
    const words = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe"];
    this.child = spawn(BROWSER ?? "", [...words, `--user-data-dir=${this.profile}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    (this.child.stdio[4] as Readable).setEncoding("utf8").on("data", (text: string) => this.take(text));
  }

  static async open(): Promise<Browser> {
    const browser = new Browser();
    const { targetInfos } = (await browser.send("Target.getTargets")) as {
      readonly targetInfos: readonly { readonly type: string; readonly targetId: string }[];
    };
    const page = targetInfos.find(({ type }) => type === "page");
    const { targetId } =
      page ?? ((await browser.send("Target.createTarget", { url: "about:blank" })) as { targetId: string });
    const attached = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    browser.session = String(attached.sessionId);
    await browser.send("Page.enable");
    return browser;
  }

  async size(width: number, height: number, isDark = false): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 });
    const features = [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }];
    await this.send("Emulation.setEmulatedMedia", { features });
  }

  async visit(url: string): Promise<void> {
    await this.send("Page.navigate", { url });
  }

  /** What an expression comes to in the page; a promise is waited for. */
  async ask(expression: string): Promise<unknown> {
    const answer = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    const { result, exceptionDetails } = answer as {
      readonly result: { readonly value?: unknown };
      readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
    };
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? "it failed");
    return result.value;
  }

  /** Until an expression is true; the last value of the other one is in the message if that never happens. */
  async until(expression: string, shown = "document.body.innerText.slice(0, 2000)"): Promise<void> {
    for (let turn = 0; turn < 600; turn++) {
      if ((await this.ask(`Boolean(${expression})`).catch(() => false)) === true) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`never: ${expression}\n${String(await this.ask(shown).catch(String))}`);
  }

  /** A key with a character, or Enter, Escape. */
  async press(key: string): Promise<void> {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const codes: { readonly [name: string]: number } = { Enter: 13, Escape: 27 };
    const code = codes[key] ?? key.toUpperCase().charCodeAt(0);
    const parts = { key, windowsVirtualKeyCode: code };
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", ...parts, ...(text === undefined ? {} : { text }) });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...parts });
  }

  async picture(): Promise<Buffer> {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(String(data), "base64");
  }

  async close(): Promise<void> {
    const gone = new Promise((done) => this.child.once("exit", done));
    this.child.kill("SIGKILL");
    await gone;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private send(method: string, params: object = {}): Promise<{ readonly [name: string]: unknown }> {
    const id = ++this.count;
    return new Promise((done, failed) => {
      this.waiting.set(id, ({ result, error }) =>
        error === undefined ? done(result ?? {}) : failed(new Error(`${method}: ${error.message}`)),
      );
      const sessionId = this.session === "" ? {} : { sessionId: this.session };
      (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...sessionId })}\0`);
    });
  }

  private take(text: string): void {
    const parts = (this.rest + text).split("\0");
    this.rest = parts.pop() ?? "";
    for (const part of parts) {
      const answer = JSON.parse(part) as Answer;
      const known = answer.id === undefined ? undefined : this.waiting.get(answer.id);
      if (answer.id === undefined || known === undefined) continue;
      this.waiting.delete(answer.id);
      known(answer);
    }
  }
}
