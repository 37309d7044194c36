// Guests that throw or hand over what nobody expects, so that whoever looks at it hangs or breaks.
import { type Attack, attacks, type Expected } from "./attack.ts";

const values: Readonly<Record<string, string>> = {
  "a Proxy whose getter loops": "new Proxy({}, { get() { for (;;); } })",
  "a Proxy of an error that loops":
    "new Proxy(new Error('x'), { get() { for (;;); }, getPrototypeOf() { for (;;); } })",
  "a Proxy that throws itself":
    "(() => { const p = new Proxy({}, { get() { throw p; } }); return p; })()",
  "a revoked Proxy":
    "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })()",
  "a message that loops": "{ get message() { for (;;); } }",
  "a stack that loops": "Object.defineProperty(new Error('x'), 'stack', { get() { for (;;); } })",
  "a stack that throws":
    "Object.defineProperty(new Error('x'), 'stack', { get() { throw new Error('y'); } })",
  "a name that is an object":
    "Object.assign(new Error('x'), { name: { toString() { for (;;); } } })",
  "a then that loops": "{ get then() { for (;;); } }",
  "a then that never answers": "{ then() {} }",
  "a toString that loops": "{ toString() { for (;;); } }",
  "an inspect that loops": "{ [Symbol.for('nodejs.util.inspect.custom')]() { for (;;); } }",
  "a toStringTag that loops": "{ get [Symbol.toStringTag]() { for (;;); } }",
  "a cause that is itself": "(() => { const e = new Error('x'); e.cause = e; return e; })()",
  "an AggregateError of itself":
    "(() => { const e = new AggregateError([]); e.errors.push(e); return e; })()",
  "a huge message": "new Error('x'.repeat(1e8))",
  "a symbol": "Symbol('x')",
  null: "null",
  undefined: "undefined",
  "a function": "function f() { return f; }",
  "a huge bigint": "10n ** 100000n",
  "an object without a prototype": "Object.create(null)",
  "a typed array of a detached buffer":
    "(() => { const b = new Uint8Array(8); structuredClone(b, { transfer: [b.buffer] }); return b; })()",
  "a generator": "(function* () { for (;;) yield; })()",
  "a class with a static block's error":
    "class A extends Error { get message() { return new A(); } }",
};

const stopped: Expected = { ends: "stopped" };
const nothingToSay: Expected = { ends: "error", says: "Uncaught error" };

/** Values that nobody can look at without an end, or without an error; the others end as in Node. */
const whenThrown: Readonly<Record<string, Expected>> = {
  "a Proxy whose getter loops": stopped,
  "a Proxy of an error that loops": stopped,
  "a message that loops": stopped,
  "a stack that loops": stopped,
  "a name that is an object": stopped,
  "a toStringTag that loops": stopped,
  "a Proxy that throws itself": nothingToSay,
  "a revoked Proxy": nothingToSay,
  "a stack that throws": nothingToSay,
  "a toString that loops": { ends: "error", says: "{ toString: [Function: toString] }" },
  "a huge message": { ends: "VM memory" },
};

const whenRejected: Readonly<Record<string, Expected>> = {
  "a Proxy of an error that loops": stopped,
  "a stack that loops": stopped,
  "a name that is an object": stopped,
  "a stack that throws": nothingToSay,
  "a huge message": { ends: "VM memory" },
};

const pollution: readonly Attack[] = [
  ...attacks(
    "pollution",
    { ends: "as in Node" },
    {
      "an exit code that loops": "process.exitCode = { valueOf() { for (;;); } };",
      "Error.stackTraceLimit that loops":
        "Object.defineProperty(Error, 'stackTraceLimit', { get() { for (;;); } }); throw new Error('x');",
      "Object.prototype with a getter that loops":
        "Object.defineProperty(Object.prototype, 'then', { get() { for (;;); } }); import('node:fs');",
      "Promise.prototype.then that throws":
        "Promise.prototype.then = () => { throw new Error('x'); }; require('node:fs/promises').readFile('/etc/passwd');",
      "process removed": "globalThis.process = null; throw new Error('x');",
      "process.exit replaced":
        "process.reallyExit = process.exit = process._exiting = () => {}; throw new Error('x');",
      "frozen builtins":
        "for (const o of [Object, Array, Promise, Map, Error, process, globalThis]) try { Object.freeze(o); Object.freeze(o.prototype); } catch {} setTimeout(() => console.log(1), 1);",
    },
  ),
  ...attacks(
    "pollution",
    { ends: "stopped" },
    {
      "Error.prepareStackTrace that loops":
        "Error.prepareStackTrace = () => { for (;;); }; throw new Error('x');",
      "Array.prototype.push that loops":
        "Array.prototype.push = function () { for (;;); }; throw new Error('x');",
      "process.emit that loops": "process.emit = () => { for (;;); };",
    },
  ),
  ...attacks(
    "pollution",
    { ends: "error", says: "Uncaught error" },
    {
      "Function.prototype.call replaced":
        "Function.prototype.call = Function.prototype.apply = () => { throw 1; }; require('node:fs').readFileSync('/etc/passwd'); setTimeout(() => {}, 1);",
      "a polluted prototype before a call":
        "Object.prototype.encoding = 'nope'; Object.prototype.mode = {}; Object.prototype.cwd = 7; require('node:child_process').spawnSync('true'); require('node:fs').readFileSync('/etc/passwd');",
    },
  ),
  ...attacks(
    "pollution",
    { ends: "internal error" },
    {
      "Symbol.iterator removed":
        "delete Array.prototype[Symbol.iterator]; require('node:fs').readdirSync('/'); console.log([1]);",
      "globals removed":
        "for (const k of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[k]; } catch {} require('fs').readdirSync('/');",
    },
  ),
  ...attacks(
    "pollution",
    { ends: "error", says: "Error: x" },
    {
      "Object.prototype with a setter":
        "Object.defineProperty(Object.prototype, 'value', { set() { for (;;); }, get() { for (;;); } }); throw new Error('x');",
    },
  ),
];

function thrown(
  name: (value: string) => string,
  code: (value: string) => string,
  expected: Readonly<Record<string, Expected>>,
): Attack[] {
  return Object.entries(values).map(([value, source]) => ({
    name: name(value),
    kind: "thrown",
    code: code(source),
    expected: expected[value] ?? { ends: "as in Node" },
  }));
}

export const thrownAttacks: readonly Attack[] = [
  ...thrown(
    (value) => `${value} thrown`,
    (source) => `throw (${source});`,
    whenThrown,
  ),
  ...thrown(
    (value) => `rejected with ${value}`,
    (source) => `Promise.reject(${source});`,
    whenRejected,
  ),
  ...thrown(
    (value) => `${value} thrown in a callback`,
    (source) => `setTimeout(() => { throw (${source}); }, 0);`,
    whenThrown,
  ),
  ...pollution,
];
