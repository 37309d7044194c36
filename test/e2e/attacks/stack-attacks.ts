// Guests at the end of their stack, where engines have least room for mistakes.
import { type Attack, attacks } from "./attack.ts";

/** Run at the deepest frame there is, where a call into the engine may have no stack left. */
const atTheEdge: Readonly<Record<string, string>> = {
  "eval of a long array": "(0, eval)('[' + '1+2*3,'.repeat(500) + ']')",
  "a regular expression": "/(?:(?:(?:a*)*)*)*b/.test('a'.repeat(20) + 'b')",
  "making a regular expression": "new RegExp('(' + 'a|'.repeat(500) + 'b)').test('c')",
  "JSON.parse": "JSON.parse('['.repeat(500) + ']'.repeat(500))",
  "JSON.stringify": "JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ i })))",
  sort: "Array.from({ length: 100 }, (_, i) => -i).sort((a, b) => a - b)",
  "toString of nested arrays": "String(nested)",
  "a Proxy of Proxies": "proxy.x",
  "new Function": "new Function('a', 'return ' + 'a+'.repeat(300) + '1')(1)",
  "a WebAssembly module": "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
  Intl: "new Intl.NumberFormat('de').format(1e6)",
  structuredClone: "structuredClone({ a: [1, { b: 2 }] })",
  localeCompare: "'ä'.localeCompare('z', 'de')",
  "an error's stack": "new Error('x').stack",
  "a syscall": "require('node:fs').existsSync('/tmp')",
  require: "require('node:zlib')",
  Date: "new Date('2020-01-01').toLocaleString('de')",
  "bigint division": "(2n ** 5000n) / (3n ** 100n)",
  "replace with a function": "'a'.repeat(100).replace(/a/g, () => 'b')",
  "a tagged template": "String.raw({ raw: ['a', 'b'] }, 1)",
};

const nested = [
  "let nested = []; for (let i = 0; i < 1000; i++) nested = [nested];",
  "let proxy = {}; for (let i = 0; i < 1000; i++) proxy = new Proxy(proxy, {});",
].join(" ");

const recursions: readonly Attack[] = [
  ...attacks(
    "stack",
    { ends: "error", says: "RangeError: Maximum call stack size exceeded" },
    {
      "plain recursion": "function f() { f(); } f();",
      "recursion with many arguments": "function f(...a) { return f(...a, ...a); } f(1, 2, 3);",
      "getters that read themselves": "const o = { get a() { return this.a; } }; o.a;",
      "a Proxy that asks itself":
        "const p = new Proxy({}, { get(t, k, r) { return r[k]; } }); p.x;",
      "a Proxy as its own prototype":
        "const t = {}; const p = new Proxy(t, {}); Object.setPrototypeOf(t, p); t.missing;",
      "toString that calls itself": "const o = { toString() { return '' + this; } }; '' + o;",
      "toJSON that calls itself":
        "const o = { toJSON() { return JSON.stringify(this); } }; JSON.stringify(o);",
      "valueOf in a comparison": "const o = { valueOf() { return this < 1; } }; o < 1;",
      "Symbol.toPrimitive": "const o = { [Symbol.toPrimitive]() { return +this; } }; +o;",
      constructors: "class A { constructor() { new A(); } } new A();",
      "async functions": "async function f() { await f(); } f();",
      "generators that delegate": "function* g() { yield* g(); } [...g()];",
      "a replacer": "'x'.replace(/x/, function f() { return 'x'.replace(/x/, f); });",
      "a comparator": "[2, 1].sort(function f() { return [2, 1].sort(f).length; });",
      "eval in eval": "const code = 'eval(code)'; eval(code);",
      "deep source text": "(0, eval)('('.repeat(1e5) + '1' + ')'.repeat(1e5));",
      "a deep object that is cloned":
        "let o = {}; for (let i = 0; i < 2e5; i++) o = { o }; structuredClone(o);",
    },
  ),
  ...attacks(
    "stack",
    { ends: "heap limit" },
    {
      "deep JSON": "JSON.parse('['.repeat(1e6) + ']'.repeat(1e6));",
      "a deep rope": "let s = 'x'; for (let i = 0; i < 3e6; i++) s = s + 'y' + i % 2; /z/.test(s);",
      "errors caused by errors":
        "let e = new Error('x'); for (let i = 0; i < 1e5; i++) e = new Error('y', { cause: e }); throw e;",
    },
  ),
  ...attacks(
    "stack",
    { ends: "error", says: "SyntaxError: Invalid regular expression" },
    {
      "a deep regular expression": "new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('');",
    },
  ),
  ...attacks(
    "stack",
    { ends: "exit", prints: "1615576\n" },
    {
      "a deep object that is printed":
        "let o = {}; for (let i = 0; i < 2e5; i++) o = { o }; console.log(require('node:util').inspect(o, { depth: Infinity }).length);",
    },
  ),
  ...attacks(
    "stack",
    { ends: "exit" },
    {
      "a chain of bound functions":
        "let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f();",
      "a chain of promises":
        "let p = Promise.resolve(); for (let i = 0; i < 1e5; i++) p = Promise.resolve(p).then((x) => x); p.then(() => 1);",
      "Error.prepareStackTrace":
        "Error.prepareStackTrace = () => new Error('x').stack; new Error('y').stack;",
    },
  ),
  ...attacks(
    "stack",
    { ends: "stopped" },
    {
      "recursion that is caught at every level":
        "let n = 0; function f() { if (++n > 5e6) return; try { f(); } catch { f(); } } f();",
    },
  ),
];

export const stackAttacks: readonly Attack[] = [
  ...Object.entries(atTheEdge).map(([name, expression]) => ({
    name: `${name} at the end of the stack`,
    kind: "stack",
    code: `${nested} let n = 0; function f() { try { f(); } catch { if (++n < 2000) try { ${expression}; } catch {} } } f();`,
    expected: { ends: "exit" } as const,
  })),
  ...recursions,
];
