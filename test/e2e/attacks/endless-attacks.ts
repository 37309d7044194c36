// Guests that never end: loops, floods of events, calls that cannot be interrupted.
import { type Attack, attacks } from "./attack.ts";

const loops: readonly Attack[] = [
  ...attacks(
    "loop",
    { ends: "stopped" },
    {
      "an empty loop": "for (;;);",
      "a loop that catches all": "for (;;) try { for (;;) null.x; } catch {} finally { continue; }",
      "a loop in a finally": "try { throw 1; } finally { for (;;); }",
      "a loop at exit": "process.on('exit', () => { for (;;); });",
      "a loop of await": "(async () => { for (;;) await null; })();",
      "a loop of thenables": "const t = { then(r) { r(t); } }; Promise.resolve(t);",
      "nextTick for ever": "(function f() { process.nextTick(f); })();",
      "microtasks for ever": "(function f() { queueMicrotask(f); })();",
      "intervals for ever": "for (let i = 0; i < 1e5; i++) setInterval(() => {}, 1);",
      "a regular expression with references": "/^(?=(a+))\\1*(a*)*$/.test('a'.repeat(40) + '!');",
      "a sort that lies": "for (;;) new Array(1e5).fill(0).sort(() => Math.random() - 0.5);",
      "Atomics.wait": "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
      "a generator without end": "function* g() { for (;;) yield 1; } for (const x of g());",
      "an async iterator without end":
        "(async () => { for await (const x of (async function* () { for (;;) yield 1; })()); })();",
      "a long text of a bigint":
        "BigInt('9'.repeat(5e6)) * BigInt('9'.repeat(5e6)); for (;;) (7n ** 2000000n).toString();",
      "indexOf over long texts":
        "const s = 'a'.repeat(1e7); for (;;) s.indexOf('a'.repeat(1e5) + 'b');",
      "a WebAssembly loop":
        "new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,8,1,0,10,9,1,7,0,3,64,12,0,11,11])));",
      "synchronous file calls":
        "const fs = require('node:fs'); for (;;) try { fs.statSync('/nope'); } catch {}",
      "asynchronous file calls":
        "const fs = require('node:fs'); (function f() { for (let i = 0; i < 1000; i++) fs.stat('/', () => {}); setImmediate(f); })();",
      "sync calls that write":
        "const fs = require('node:fs'); for (;;) fs.writeFileSync('/tmp/x', 'y');",
      "a worker that loops":
        "const { Worker } = require('node:worker_threads'); new Worker('for (;;);', { eval: true });",
      "a worker that waits":
        "const { Worker } = require('node:worker_threads'); new Worker('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', { eval: true }).on('exit', () => {}); for (;;);",
      "a vm script that loops": "require('node:vm').runInNewContext('for (;;);');",
      "a read that never comes":
        "const { execSync } = require('node:child_process'); execSync('sleep 1000');",
      "top-level await": "setInterval(() => {}, 1000); new Promise(() => {});",
    },
  ),
  ...attacks(
    "loop",
    {
      ends: ["stopped", "memory limit", "VM stuck"],
      because:
        "it fills memory in one call of the engine: a fast machine meets the limit, a slow one may not be able to stop it",
    },
    {
      "Array.prototype.fill of a huge array":
        "for (;;) Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1);",
    },
  ),
  ...attacks(
    "loop",
    { ends: "stopped", signal: "SIGKILL" },
    {
      "a loop with signals ignored":
        "for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(s, () => {}); for (;;);",
    },
  ),
  ...attacks(
    "loop",
    { ends: "exit" },
    {
      "a regular expression": "/^(a+)+$/.test('a'.repeat(40) + 'b');",
    },
  ),
  ...attacks(
    "loop",
    { ends: "error", says: "RangeError: Maximum BigInt size exceeded" },
    {
      "bigint power": "2n ** (2n ** 30n) % 7n; for (;;) (3n ** 1000000n).toString();",
    },
  ),
  // They never end, and hold more with every turn.
  ...attacks(
    "loop",
    { ends: "heap limit" },
    {
      "immediates for ever": "(function f() { setImmediate(f); setImmediate(f); })();",
      "timers for ever": "(function f() { setTimeout(f, 0); setTimeout(f, 0); })();",
      "Atomics.waitAsync in a loop":
        "const a = new Int32Array(new SharedArrayBuffer(4)); for (;;) Atomics.waitAsync(a, 0, 0);",
      "an iterator that never ends a spread":
        "[...{ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }];",
    },
  ),
];

const floods: readonly Attack[] = [
  ...attacks(
    "flood",
    { ends: "stopped" },
    {
      "rejections in every tick":
        "setInterval(() => { for (let i = 0; i < 1e4; i++) Promise.reject(i); }, 0); process.on('unhandledRejection', () => {});",
      "connections to oneself":
        "const net = require('node:net'); const s = net.createServer(() => {}).listen(0, () => { for (let i = 0; i < 1e5; i++) net.connect(s.address().port).on('error', () => {}); });",
      "a fork bomb":
        "const { spawn } = require('node:child_process'); for (;;) spawn(process.execPath, [__filename], { stdio: 'ignore' }).on('error', () => {});",
      "a fork bomb of a shell":
        "const { execSync } = require('node:child_process'); execSync('f() { f | f & }; f; sleep 5');",
      "synchronous children":
        "const { spawnSync } = require('node:child_process'); for (;;) spawnSync(process.execPath, [__filename]);",
      "directories without end":
        "const fs = require('node:fs'); process.chdir('/tmp'); for (;;) { fs.mkdirSync('d'); process.chdir('d'); }",
      "a long line to stderr":
        "for (let i = 0; i < 100; i++) process.stderr.write('x'.repeat(1e7));",
      "signals to oneself":
        "process.on('SIGUSR2', () => process.kill(process.pid, 'SIGUSR2')); process.kill(process.pid, 'SIGUSR2'); setInterval(() => {}, 1);",
    },
  ),
  ...attacks(
    "flood",
    { ends: "heap limit" },
    {
      "rejections nobody handles": "for (;;) Promise.reject(new Error('x'));",
      "timers at once": "for (let i = 0; i < 2e6; i++) setTimeout(() => {}, i % 1000);",
      sockets:
        "const net = require('node:net'); for (let i = 0; i < 1e5; i++) net.createServer().listen(0);",
      "huge arguments":
        "require('node:child_process').spawnSync('echo', new Array(1e5).fill('x'.repeat(1000)));",
      "a huge environment":
        "for (let i = 0; i < 1e5; i++) process.env['V' + i] = 'x'.repeat(1000); require('node:child_process').spawnSync('true');",
      "a huge path": "require('node:fs').readFileSync('/' + 'x/'.repeat(1e7));",
      "a huge read":
        "const fs = require('node:fs'); fs.readSync(fs.openSync('/dev/zero'), Buffer.alloc(2e8), 0, 2e8, 0); fs.readFileSync('/dev/zero');",
      "a huge write": "require('node:fs').writeSync(1, Buffer.alloc(3e8, 120));",
    },
  ),
  ...attacks(
    "flood",
    { ends: "error", says: "Error: again", status: 7 },
    {
      "errors nobody catches":
        "process.on('uncaughtException', () => { throw new Error('again'); }); throw new Error('first');",
    },
  ),
  ...attacks(
    "flood",
    { ends: "error", says: "EAGAIN" },
    {
      "callbacks at once":
        "const fs = require('node:fs'); for (let i = 0; i < 1e6; i++) fs.open('/etc/passwd', () => {});",
    },
  ),
  ...attacks(
    "flood",
    { ends: "error", says: "Error: EMFILE: too many open files (limit maxOpenFds is " },
    {
      "open files":
        "const fs = require('node:fs'); for (let i = 0; i < 1e6; i++) fs.openSync('/etc/passwd');",
    },
  ),
  ...attacks(
    "flood",
    { ends: "heap limit" },
    {
      "fs.watch":
        "const fs = require('node:fs'); for (let i = 0; i < 1e5; i++) fs.watch('/tmp', () => {}); fs.writeFileSync('/tmp/w', 'x');",
    },
  ),
  ...attacks(
    "flood",
    { ends: "error", says: "Error: ENOSPC: no space left on device (limit maxInodeCount is " },
    {
      "files without end":
        "const fs = require('node:fs'); for (let i = 0; ; i++) fs.writeFileSync('/tmp/f' + i, '');",
    },
  ),
  ...attacks(
    "flood",
    { ends: "error", says: "Error: kill ESRCH" },
    {
      "signals to all":
        "for (let i = 0; i < 1e5; i++) try { process.kill(-1, 0); } catch {} process.kill(-1, 'SIGKILL');",
    },
  ),
  ...attacks(
    "flood",
    {
      ends: ["stopped", "error"],
      because: "posting to so many fails with EMFILE; a slow machine does not come so far",
      prints: /^(?:started\n)*$/,
    },
    {
      workers:
        "const { Worker } = require('node:worker_threads'); for (let i = 0; i < 1e4; i++) new Worker(__filename).on('error', () => {});",
    },
  ),
];

export const endlessAttacks: readonly Attack[] = [...loops, ...floods];
