// Guests that throw or hand over what nobody expects, so that whoever looks at it hangs or breaks.
import { type Attack, any } from "./attack.ts";

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

const ways: Readonly<Record<string, (value: string) => string>> = {
  thrown: (value) => `throw (${value});`,
  "rejected with": (value) => `Promise.reject(${value});`,
  "thrown in a callback": (value) => `setTimeout(() => { throw (${value}); }, 0);`,
};

const others: Readonly<Record<string, string>> = {
  "an exit code that loops": "process.exitCode = { valueOf() { for (;;); } };",
  "Error.prepareStackTrace that loops":
    "Error.prepareStackTrace = () => { for (;;); }; throw new Error('x');",
  "Error.stackTraceLimit that loops":
    "Object.defineProperty(Error, 'stackTraceLimit', { get() { for (;;); } }); throw new Error('x');",
  "Object.prototype with a getter that loops":
    "Object.defineProperty(Object.prototype, 'then', { get() { for (;;); } }); import('node:fs');",
  "Object.prototype with a setter":
    "Object.defineProperty(Object.prototype, 'value', { set() { for (;;); }, get() { for (;;); } }); throw new Error('x');",
  "Array.prototype.push that loops":
    "Array.prototype.push = function () { for (;;); }; throw new Error('x');",
  "Promise.prototype.then that throws":
    "Promise.prototype.then = () => { throw new Error('x'); }; require('node:fs/promises').readFile('/etc/passwd');",
  "Function.prototype.call replaced":
    "Function.prototype.call = Function.prototype.apply = () => { throw 1; }; require('node:fs').readFileSync('/etc/passwd'); setTimeout(() => {}, 1);",
  "a polluted prototype before a call":
    "Object.prototype.encoding = 'nope'; Object.prototype.mode = {}; Object.prototype.cwd = 7; require('node:child_process').spawnSync('true'); require('node:fs').readFileSync('/etc/passwd');",
  "Symbol.iterator removed":
    "delete Array.prototype[Symbol.iterator]; require('node:fs').readdirSync('/'); console.log([1]);",
  "globals removed":
    "for (const k of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[k]; } catch {} require('fs').readdirSync('/');",
  "process removed": "globalThis.process = null; throw new Error('x');",
  "process.exit replaced":
    "process.reallyExit = process.exit = process._exiting = () => {}; throw new Error('x');",
  "process.emit that loops": "process.emit = () => { for (;;); };",
  "frozen builtins":
    "for (const o of [Object, Array, Promise, Map, Error, process, globalThis]) try { Object.freeze(o); Object.freeze(o.prototype); } catch {} setTimeout(() => console.log(1), 1);",
};

export const thrownAttacks: readonly Attack[] = [
  ...Object.entries(ways).flatMap(([way, code]) =>
    Object.entries(values).map(([name, value]) => ({
      name: `${way === "rejected with" ? `rejected with ${name}` : `${name} ${way}`}`,
      kind: "thrown",
      code: code(value),
      ends: any,
    })),
  ),
  ...Object.entries(others).map(([name, code]) => ({ name, kind: "pollution", code, ends: any })),
];
