import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { nativeSourceHash, prebuiltBinary } from "../../scripts/build-native.mjs";
import { notJailable, unless } from "../support/unless.ts";
import { GuestIsolate, readExpression, runCasesInNode } from "./guest-isolate.ts";

describe("the guest's native module", unless(notJailable), () => {
  it("is the build of the sources beside it: run `npm run native` after a change", () => {
    using guest = new GuestIsolate();
    expect(guest.run("native.sourceHash")).toBe(nativeSourceHash());
  });

  it("is small", () => {
    expect(statSync(prebuiltBinary).size).toBeLessThan(300_000);
  });

  it.each(["buffer-cases.cjs", "object-cases.cjs", "code-cases.cjs"])(
    "does what Node's own bindings do: %s",
    { timeout: 120_000 },
    async (name) => {
      using guest = new GuestIsolate();
      const ours = guest.runCases(name);
      const theirs = await runCasesInNode(name);
      expect(ours.length).toBeGreaterThan(100);
      expect(ours.filter((line, index) => line !== theirs[index])).toEqual([]);
      expect(ours.length).toBe(theirs.length);
    },
  );

  it("runs microtasks while a call lasts, and none twice", () => {
    using guest = new GuestIsolate();
    const order = guest.run(`
      const order = [];
      Promise.resolve().then(() => { order.push("first"); native.runMicrotasks(); order.push("not nested"); }).then(() => order.push("second"));
      native.runMicrotasks();
      native.enqueueMicrotask(() => order.push("third"));
      native.runMicrotasks();
      order.join()`);
    expect(order).toBe("first,not nested,second,third");
  });

  it("tells of rejected promises, and of handlers that come late, and bears a callback that throws", () => {
    using guest = new GuestIsolate();
    const events = guest.run(`
      const events = [];
      native.setPromiseRejectCallback((type, promise, reason) => { events.push(type + String(reason?.message)); throw new Error("callback"); });
      const promise = Promise.reject(new Error("why"));
      promise.catch(() => {});
      events.join()`);
    expect(events).toBe("0why,1undefined");
  });

  it("keeps continuation data with a promise's reactions", () => {
    using guest = new GuestIsolate();
    const seen = guest.run(`
      const seen = [];
      native.setContinuationPreservedEmbedderData("one");
      const promise = Promise.resolve().then(() => seen.push(native.getContinuationPreservedEmbedderData()));
      native.setContinuationPreservedEmbedderData("two");
      native.runMicrotasks();
      seen.push(native.getContinuationPreservedEmbedderData());
      seen.join()`);
    expect(seen).toBe("one,two");
  });

  it("calls promise hooks", () => {
    using guest = new GuestIsolate();
    const calls = guest.run(`
      const calls = [];
      native.setPromiseHooks(() => calls.push("init"), () => calls.push("before"), () => calls.push("after"), () => calls.push("settled"));
      Promise.resolve().then(() => {});
      native.runMicrotasks();
      native.setPromiseHooks();
      Promise.resolve();
      calls.join()`);
    expect(calls).toBe("init,settled,init,before,settled,after");
  });

  it("hides what private symbols name", () => {
    using guest = new GuestIsolate();
    const seen = guest.run(`
      const { arrow_message_private_symbol: key } = native.privateSymbols;
      const object = {};
      object[key] = 5;
      [object[key], Reflect.ownKeys(object).length, key in {}, new Proxy(object, {})[key]].join()`);
    expect(seen).toBe("5,0,false,");
  });

  it("takes symbols of the library's own in the place of private ones", () => {
    using guest = new GuestIsolate();
    const seen = guest.run(`
      const arrow = Symbol("arrow");
      native.setSymbols({ ...symbols, arrow_message_private_symbol: arrow });
      try { new native.ModuleWrap("m", undefined, "let x = ;", 0, 0) } catch (error) { error[arrow] }`);
    expect(seen).toBe("m:1\nlet x = ;\n        ^\n");
  });
});

describe("the guest's native module under attack", unless(notJailable), () => {
  it("takes a decoder's state that no decoder gets into for a new one", () => {
    using guest = new GuestIsolate();
    const wrong = guest.run(`
      const wrong = [];
      const decode = (missing, buffered, encoding, chunk) =>
        native.stringDecoderDecode(new Uint8Array([65, 66, 67, 68, missing, buffered, encoding]), chunk);
      const numbers = [...Array(9).keys(), 127, 128, 252, 253, 254, 255];
      for (const encoding of [0, 1, 2, 3, 4, 5, 7]) for (const missing of numbers) for (const buffered of numbers) {
        const isCut = ![0, 4, 5].includes(encoding);
        if (isCut && missing > 0 && buffered > 0 && missing + buffered <= 4) continue;
        for (let length = 0; length < 5; length++) {
          const chunk = new Uint8Array(length).fill(97);
          if (decode(missing, buffered, encoding, chunk) !== decode(0, 0, encoding, chunk))
            wrong.push([encoding, missing, buffered, length].join());
        }
      }
      wrong.join(" ")`);
    expect(wrong).toBe("");
  });

  const runChild = async (name: string, args: readonly string[] = []): Promise<string> => {
    const script = join(import.meta.dirname, "fixtures", name);
    const { stdout } = await promisify(execFile)(process.execPath, [
      script,
      prebuiltBinary,
      ...args,
    ]);
    return stdout;
  };

  it("survives arguments of every wrong kind", { timeout: 120_000 }, async () => {
    expect(await runChild("survive-junk.cjs", [readExpression("junk-cases.cjs")])).toBe("survived");
  });

  it("survives native calls at the end of the stack", { timeout: 120_000 }, async () => {
    expect(await runChild("survive-recursion.cjs")).toBe("survived");
  });

  it("survives isolates that end in the middle of a call", { timeout: 120_000 }, async () => {
    expect(await runChild("survive-disposal.cjs")).toBe("survived");
  });
});
