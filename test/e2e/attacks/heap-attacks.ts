// Guests that fill memory: V8's heap, and what lies outside it.
import { type Attack, attacks } from "./attack.ts";

const inTheHeap: readonly Attack[] = [
  ...attacks(
    "heap",
    { ends: "heap limit" },
    {
      arrays: "const a = []; for (;;) a.push(new Array(1000).fill(1.5));",
      objects: "const a = []; for (;;) a.push({ a: 1, b: { c: 2 } });",
      strings:
        "let s = 'x'; const a = []; for (;;) { s += s.length < 1e6 ? s : 'y'; a.push(s + a.length); }",
      "strings made flat":
        "const a = []; for (let i = 0; ; i++) a.push(('x' + i).repeat(1e5).toUpperCase());",
      closures:
        "const a = []; for (let i = 0; ; i++) { const big = [i, i, i, i]; a.push(() => big); }",
      promises: "const a = []; for (;;) a.push(new Promise(() => {}).then(() => 1));",
      "promises that wait for each other":
        "let p = Promise.resolve(); for (;;) p = p.then(() => 1);",
      "a Map": "const m = new Map(); for (let i = 0; ; i++) m.set(i, i);",
      "a Set": "const s = new Set(); for (let i = 0; ; i++) s.add(i);",
      "Maps of objects": "const m = new Map(); for (let i = 0; ; i++) m.set({}, {});",
      "a WeakMap":
        "const keep = [], w = new WeakMap(); for (;;) { const k = {}; keep.push(k); w.set(k, [k]); }",
      "Symbol.for": "for (let i = 0; ; i++) Symbol.for('s' + i);",
      symbols: "const a = []; for (;;) a.push(Symbol('x'));",
      "Array.from of a huge length": "Array.from({ length: 1e9 }, () => ({}));",
      "spread arguments":
        "const a = new Array(5e6).fill(1); const b = []; for (;;) b.push([...a, ...a]);",
      bigints: "const a = []; let n = 1n; for (;;) { n = (n << 4096n) + 1n; a.push(n); }",
      "regular expressions":
        "const a = []; for (let i = 0; ; i++) { const r = new RegExp('(a' + i + ')|b{1,9}'); r.test('b'); a.push(r); }",
      "functions from text":
        "const a = []; for (let i = 0; ; i++) a.push(new Function('x', 'return ' + i + ' + x'));",
      "scripts of vm":
        "const vm = require('node:vm'); const a = []; for (let i = 0; ; i++) a.push(new vm.Script('x' + i + '=' + 'y+'.repeat(1000) + '1'));",
      "contexts of vm":
        "const vm = require('node:vm'); const a = []; for (;;) a.push(vm.createContext({}));",
      "errors with stacks":
        "Error.stackTraceLimit = 1e9; const a = []; function f(n) { return n ? f(n - 1) : new Error('x'); } for (;;) a.push(f(500).stack);",
      "listeners of an emitter":
        "const e = new (require('node:events'))(); e.setMaxListeners(0); for (;;) e.on('x', () => {});",
      "a stream without its reader":
        "const { PassThrough } = require('node:stream'); const p = new PassThrough(); for (;;) p.write('x'.repeat(65536));",
    },
  ),
  ...attacks(
    "heap",
    {
      ends: ["heap limit", "VM memory"],
      because:
        "one allocation takes more than what is left: V8 reports it, or finds no memory to do so",
    },
    {
      "an array that is filled": "const a = []; for (;;) a.push(new Array(1e7).fill(0));",
    },
  ),
  ...attacks(
    "heap",
    {
      ends: ["heap limit", "VM stuck"],
      because: "the limit may be met inside the engine, where code cannot be terminated",
    },
    {
      "generators held":
        "function* g() { yield new Array(100).fill(1); } const a = []; for (;;) { const i = g(); i.next(); a.push(i); }",
      "JSON.parse of a bomb":
        "const a = []; for (;;) a.push(JSON.parse('[' + '[1,2,3],'.repeat(1e6) + '0]'));",
    },
  ),
  ...attacks(
    "heap",
    { ends: "VM memory" },
    {
      "properties of one object": "const o = {}; for (let i = 0; ; i++) o['k' + i] = i;",
    },
  ),
  ...attacks(
    "heap",
    {
      ends: ["heap limit", "memory limit"],
      because:
        "one string grows inside the engine: either limit may be met before its code is terminated",
    },
    {
      "JSON.stringify of a graph":
        "let o = {}; for (let i = 0; i < 40; i++) o = { a: o, b: o }; JSON.stringify(o);",
    },
  ),
  ...attacks(
    "heap",
    { ends: "error", says: "RangeError: Invalid string length" },
    {
      "join of an array":
        "const a = new Array(1e6).fill('x'.repeat(1000)); const b = []; for (;;) b.push(a.join('-'));",
    },
  ),
  ...attacks(
    "heap",
    { ends: "stopped" },
    {
      "async functions held":
        "async function f() { const big = new Array(100).fill(1); await new Promise(() => {}); return big; } for (;;) f();",
    },
  ),
  ...attacks(
    "heap",
    { ends: "stopped", prints: /^[x\n]+$/ },
    {
      "console to a full pipe": "for (;;) console.log('x'.repeat(65536));",
    },
  ),
  ...attacks(
    "heap",
    {
      ends: ["stopped", "heap limit", "VM memory"],
      because: "filling the heap with one call takes V8 about as long as it is given",
    },
    {
      "split of a long text": "for (const a = []; ; ) a.push('x,'.repeat(5e7).split(','));",
    },
  ),
];

const outsideTheHeap: readonly Attack[] = [
  ...attacks(
    "off heap",
    { ends: "heap limit" },
    {
      "typed arrays": "const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1));",
      Buffers: "const a = []; for (;;) a.push(Buffer.alloc(1e7, 1));",
      "Buffers of the pool": "const a = []; for (;;) a.push(Buffer.from('x'.repeat(4000)));",
      "small ArrayBuffers": "const a = []; for (;;) a.push(new ArrayBuffer(64));",
      "WebAssembly.Table":
        "const a = []; for (;;) a.push(new WebAssembly.Table({ initial: 1e6, element: 'externref' }, {}));",
      SharedArrayBuffers:
        "const a = []; for (;;) { const b = new SharedArrayBuffer(1e7); new Uint8Array(b).fill(1); a.push(b); }",
      "ArrayBuffer.transfer":
        "const a = []; for (;;) { const b = new ArrayBuffer(1e6).transfer(1e7); new Uint8Array(b).fill(1); a.push(b); }",
      "Intl.Segmenter":
        "const a = []; for (;;) { const s = new Intl.Segmenter('ja', { granularity: 'word' }).segment('x'.repeat(1e6)); a.push([...s].length, s); }",
      FinalizationRegistry:
        "const r = new FinalizationRegistry(() => { for (;;); }); const a = []; for (let i = 0; ; i++) { r.register({}, i); if (i % 100 === 0) a.push(new Array(1000).fill(i)); }",
      WeakRefs: "const a = []; for (;;) a.push(new WeakRef({}));",
      "a gzip bomb":
        "const zlib = require('node:zlib'); let b = zlib.gzipSync(Buffer.alloc(5e7)); const a = []; for (;;) a.push(zlib.gunzipSync(b));",
      "random bytes":
        "const c = require('node:crypto'); const a = []; for (;;) a.push(c.randomBytes(1e7));",
      "messages to oneself":
        "const { port1, port2 } = new MessageChannel(); for (;;) port1.postMessage('x'.repeat(1e5));",
      "TextEncoder of a long text":
        "const a = []; const s = 'é'.repeat(1e7); for (;;) a.push(new TextEncoder().encode(s));",
    },
  ),
  ...attacks(
    "off heap",
    {
      ends: ["heap limit", "memory limit"],
      because: "V8 is told of what they hold only when it collects",
    },
    {
      structuredClone:
        "const a = []; const big = new Array(1e5).fill({ x: 1 }); for (;;) a.push(structuredClone(big));",
      "hashes held":
        "const c = require('node:crypto'); const a = []; for (;;) a.push(c.createHash('sha512').update('x'));",
      "zlib objects":
        "const zlib = require('node:zlib'); const a = []; for (;;) { const d = zlib.createDeflate({ level: 9, memLevel: 9 }); d.write('x'); a.push(d); }",
      "Intl objects":
        "const a = []; for (let i = 0; ; i++) { const f = new Intl.DateTimeFormat('de', { timeZone: 'Europe/Berlin', dateStyle: 'full' }); f.format(i); a.push(f, new Intl.Collator('ja'), new Intl.NumberFormat('ar')); }",
    },
  ),
  ...attacks(
    "off heap",
    { ends: "memory limit" },
    {
      "many WebAssembly.Memory":
        "const a = []; for (;;) { const m = new WebAssembly.Memory({ initial: 160 }); new Uint8Array(m.buffer).fill(1); a.push(m); }",
      "a resizable ArrayBuffer":
        "const a = []; for (;;) { const b = new ArrayBuffer(1, { maxByteLength: 1e8 }); b.resize(1e8); new Uint8Array(b).fill(1); a.push(b); }",
      "a growable SharedArrayBuffer":
        "const a = []; for (;;) { const b = new SharedArrayBuffer(1, { maxByteLength: 1e8 }); b.grow(1e8); new Uint8Array(b).fill(1); a.push(b); }",
    },
  ),
  ...attacks(
    "off heap",
    {
      ends: "error",
      says: "RangeError: WebAssembly.Memory.grow(): Unable to grow instance memory",
    },
    {
      "WebAssembly.Memory that grows":
        "const m = new WebAssembly.Memory({ initial: 1 }); for (;;) { m.grow(256); new Uint8Array(m.buffer).fill(1); }",
    },
  ),
  ...attacks(
    "off heap",
    { ends: "error", says: "RangeError: More than a VM allows: ScryptJob" },
    {
      "scrypt with a huge cost":
        "require('node:crypto').scryptSync('p', 's', 64, { N: 2 ** 24, r: 8, maxmem: 2 ** 40 });",
    },
  ),
  ...attacks(
    "off heap",
    { ends: "error", says: "Error: ENOSPC: no space left on device, write" },
    {
      "a file in memory":
        "const fs = require('node:fs'); const fd = fs.openSync('/tmp/big', 'w'); for (;;) fs.writeSync(fd, Buffer.alloc(1e6, 1));",
    },
  ),
];

export const heapAttacks: readonly Attack[] = [...inTheHeap, ...outsideTheHeap];
