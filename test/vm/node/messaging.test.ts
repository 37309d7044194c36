import { describeLikeNode } from "../../support/node-beside.ts";

describeLikeNode("messages within a thread", {
  "clones what can be cloned, and says what can not": `
    const clone = (value, options) => { try { console.log(structuredClone(value, options)); } catch (error) { console.log(error.name, error.message, error.code); } };
    const circle = { name: "circle" }; circle.self = circle;
    for (const value of [undefined, 1n, "\\ud800", new Date(5), /x/gi, new Map([[{ a: 1 }, new Set([1])]]), circle, [1, , 3],
      new RangeError("far", { cause: 1 }).message, new Uint16Array([1, 2]), new DataView(new ArrayBuffer(2)), new DOMException("m", "AbortError").name,
      () => 1, Symbol("s"), { f() {} }, new WeakMap(), Promise.resolve()]) clone(value);
    const buffer = new ArrayBuffer(4);
    clone({ buffer }, { transfer: [buffer] });
    console.log(buffer.byteLength, buffer.detached);
    clone(1, { transfer: [buffer] }); clone(1, { transfer: [{}] }); clone(1, { transfer: 1 });
    const twice = new ArrayBuffer(1); clone(1, { transfer: [twice, twice] });
    const shared = new SharedArrayBuffer(4); const other = structuredClone(shared);
    new Int32Array(shared)[0] = 7; console.log(new Int32Array(other)[0]);
    try { structuredClone(); } catch (error) { console.log(error.code, error.message); }`,
  "carries messages and ports through channels": `
    const { MessageChannel, MessagePort, receiveMessageOnPort, markAsUntransferable } = require("node:worker_threads");
    const { port1, port2 } = new MessageChannel();
    port1.postMessage({ a: 1 }); port1.postMessage(2);
    console.log(receiveMessageOnPort(port2), receiveMessageOnPort(port2), receiveMessageOnPort(port2));
    for (const run of [() => new MessagePort(), () => MessageChannel(), () => port1.postMessage(), () => port1.postMessage(1, [port1]),
      () => port1.postMessage(port2), () => port1.postMessage(1, 5), () => receiveMessageOnPort({})]) {
      try { console.log(run()); } catch (error) { console.log(error.name, error.code, error.message); }
    }
    const kept = new ArrayBuffer(1); markAsUntransferable(kept);
    try { port1.postMessage(1, [kept]); } catch (error) { console.log(error.message); }
    const inner = new MessageChannel();
    inner.port2.postMessage("early");
    port2.on("message", ({ port, bytes }) => {
      console.log("got", port instanceof MessagePort, bytes);
      port.on("message", (text) => { console.log(text); if (text === "late") port.close(); });
    });
    const bytes = new Uint8Array([1, 2, 3]);
    port1.postMessage({ port: inner.port1, bytes }, [inner.port1, bytes.buffer]);
    inner.port2.postMessage("late");
    inner.port2.on("close", () => { console.log("inner closed"); port1.close(); });
    port2.on("close", () => console.log("closed", port2.hasRef(), port1.postMessage("after")));
    console.log(bytes.length, port1.hasRef(), port2.hasRef());`,
  broadcasts: `
    const [a, b, c] = ["x", "x", "y"].map((name) => new BroadcastChannel(name));
    b.onmessage = ({ data, target }) => { console.log("b", data, target === b); a.close(); b.close(); c.close(); };
    c.onmessage = () => console.log("wrong");
    a.postMessage({ n: 1 });
    try { a.postMessage(() => 1); } catch (error) { console.log(error.name); }
    c.unref();
    console.log(a.name, a);`,
  "hides what is private to Node": `
    const util = require("node:util");
    const error = new Error("x"); try { throw error; } catch {}
    console.log(Object.getOwnPropertySymbols(new Blob([])).map(String), Reflect.ownKeys(new DOMException("a")).length);
    console.log(util.inspect(new AbortController().signal), Object.getOwnPropertySymbols(error), { ...process.versions }.node === process.versions.node);`,
});

describeLikeNode("order of the loop", {
  "runs ticks, microtasks, timers and immediates in Node's order": `
    process.on("beforeExit", () => console.log("beforeExit")).on("exit", (code) => console.log("exit", code));
    process.on("uncaughtException", (error) => console.log("uncaught", error.message));
    setTimeout(() => {
      console.log("timer");
      process.nextTick(() => console.log("tick of timer"));
      Promise.resolve().then(() => console.log("microtask of timer"));
      setTimeout(() => console.log("second timer"), 50);
      setImmediate(() => { console.log("immediate"); process.nextTick(() => console.log("tick of immediate")); setImmediate(() => console.log("next turn")); });
      setImmediate(() => { throw new Error("immediate"); });
      setImmediate(() => console.log("after the error"));
    }, 1);
    process.nextTick(() => { console.log("tick"); process.nextTick(() => console.log("tick of tick")); queueMicrotask(() => console.log("microtask of tick")); });
    process.nextTick(() => { throw new Error("tick"); });
    process.nextTick(() => console.log("tick after the error"));
    Promise.resolve().then(() => { console.log("microtask"); process.nextTick(() => console.log("tick of microtask")); }).then(() => console.log("second microtask"));
    queueMicrotask(() => { throw new Error("microtask"); });
    setTimeout(() => {}, 1e6).unref(); setImmediate(() => console.log("never waited for")).unref();
    // The first timer is due before the loop begins.
    for (const start = Date.now(); Date.now() - start < 5; );`,
  "keeps contexts and ids through asynchronous work": `
    const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId, triggerAsyncId } = require("node:async_hooks");
    const store = new AsyncLocalStorage();
    console.log(executionAsyncId(), triggerAsyncId());
    const seen = [];
    const hook = createHook({ init: (id, type) => seen.push(type), destroy: () => seen.push("destroy") }).enable();
    store.run({ n: 1 }, async () => {
      await null; console.log(store.getStore());
      await new Promise((resolve) => setTimeout(resolve, 2)); console.log(store.getStore());
      setImmediate(() => console.log(store.getStore()));
      require("node:fs").stat(".", () => console.log(store.getStore()));
      store.exit(() => queueMicrotask(() => console.log(store.getStore())));
    });
    const resource = new AsyncResource("MINE");
    resource.runInAsyncScope(() => console.log(executionAsyncId() === resource.asyncId()));
    resource.emitDestroy();
    process.on("exit", () => { hook.disable(); console.log(seen.includes("MINE"), seen.includes("Timeout"), seen.includes("PROMISE"), seen.includes("destroy")); });`,
});
