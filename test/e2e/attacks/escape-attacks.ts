// Guests that look for the host: another realm's constructors, native code, files and processes outside.
import { projectRoot } from "../../../scripts/find-command.mjs";
import { type Attack, attacks } from "./attack.ts";

/** A folder that the host has, and no VM. */
const hostFolder = JSON.stringify(projectRoot);

/** Whatever `process` an expression finds must be the guest's own. */
const processes: Readonly<Record<string, string>> = {
  "this.constructor": "this.constructor.constructor('return process')()",
  "a function's constructor": "(() => {}).constructor('return process')()",
  "an async function's constructor": "(async () => {}).constructor('return process')() && process",
  "a generator's constructor":
    "(function* () {}).constructor('return process')().next() && process",
  "a library function's constructor":
    "require('node:fs').readFileSync.constructor('return process')()",
  "a binding's constructor":
    "(() => { try { return process.binding('fs').open.constructor('return process')(); } catch { return process; } })()",
  "an error of the library":
    "(() => { try { require('node:fs').readFileSync('/nope'); } catch (e) { return e.constructor.constructor('return process')(); } })()",
  "an error of a syscall":
    "(() => { try { require('node:fs').openSync('/nope'); } catch (e) { return e.__proto__.__proto__.constructor.constructor('return globalThis.process')(); } })()",
  "a Buffer": "Buffer.from('x').constructor.constructor('return process')()",
  "process itself": "process.constructor.constructor('return process')()",
  "process.stdout": "process.stdout.constructor.constructor('return process')()",
  "a callback's caller":
    "(() => { let found = process; [1].map(function f() { try { found = f.caller.constructor('return process')(); } catch {} }); return found; })()",
  "a timer's this": "process",
  "vm's new context":
    "(() => { const g = require('node:vm').runInNewContext('this.constructor.constructor(\"return this\")()'); return g.process ?? process; })()",
  "vm's new context with an object of ours":
    "require('node:vm').runInNewContext('o.constructor.constructor(\"return process\")()', { o: {} })",
  "an error from another context":
    "(() => { try { require('node:vm').runInNewContext('null.x'); } catch (e) { return e.constructor.constructor('return typeof process')() === 'undefined' ? process : e.constructor.constructor('return process')(); } })()",
  "Error.prepareStackTrace's call sites":
    "(() => { Error.prepareStackTrace = (_, sites) => sites; const sites = new Error().stack; Error.prepareStackTrace = undefined; for (const s of sites) { const f = s.getThis?.() ?? s.getFunction?.(); if (f) return f.constructor.constructor('return process')(); } return process; })()",
  "a deep stack's call sites":
    "(() => { let found = process; Error.prepareStackTrace = (_, sites) => { for (const s of sites) { const t = s.getThis?.(); if (t && t.process && t.process !== process) found = t.process; } return ''; }; function f() { try { f(); } catch (e) { void e.stack; } } f(); return found; })()",
  "a promise's constructor":
    "require('node:fs/promises').readFile('/etc/hostname').constructor.constructor('return process')()",
  "import()": "import('node:fs').constructor.constructor('return process')()",
  "WebAssembly's exports": "WebAssembly.instantiate.constructor('return process')()",
  "structuredClone's answer":
    "structuredClone(new Error('x')).constructor.constructor('return process')()",
  mainModule: "process.mainModule.constructor._load('node:process')",
  "module.constructor": "module.constructor.createRequire('/tmp/x.js')('node:process')",
  "an Intl object": "new Intl.NumberFormat().format.constructor('return process')()",
  "Symbol.species":
    "(class extends Array { static get [Symbol.species]() { return Object; } }).from([1]).map((x) => x).constructor.constructor('return process')()",
};

const same =
  "const found = EXPRESSION; require('node:fs').writeSync(1, String(found === process && found.platform === 'linux' && require('node:os').hostname().startsWith('attacks-')));";

/** Each prints `contained`, whether what it tries fails or finds only what the VM has. */
const attempts: Readonly<Record<string, string>> = {
  "a new context holds nothing of Node's": `const names = ['process', 'require', 'Buffer', 'setTimeout', '__guest']; const found = []; try { require('node:vm').runInNewContext('null.x'); } catch (e) { const F = e.constructor.constructor; for (const n of names) if (F !== Function && F('return typeof ' + n)() !== 'undefined') found.push(n); } for (const n of names) if (require('node:vm').runInNewContext('typeof ' + n) !== 'undefined') found.push(n); put(found.length === 0 ? 'contained' : found.join());`,
  "isolated-vm is not there": refuses("require('isolated-vm')"),
  "a native addon": refuses(
    "(() => { require('node:fs').writeFileSync('/tmp/a.node', Buffer.from('7f454c46', 'hex')); require('/tmp/a.node'); })()",
  ),
  "process.dlopen": refuses("process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6')"),
  "process.binding of what matters": refuses("process.binding('spawn_sync').spawn.call(null, 1)"),
  internalBinding: refuses("internalBinding('fs')"),
  "require of internals": refuses("require('internal/bootstrap/realm')"),
  "node:ffi": refuses("require('node:ffi').dlopen(null, {})"),
  "the inspector": refuses(
    "(() => { const i = require('node:inspector'); i.open(0, '127.0.0.1', true); throw new Error('opened ' + i.url()); })()",
  ),
  "the host's files by path": `const fs = require('node:fs'); const seen = [${hostFolder}, '/home/user/../..' + ${hostFolder}, '/root/.ssh'].filter((p) => fs.existsSync(p)); put(seen.length === 0 ? 'contained' : seen.join());`,
  "the host's environment":
    "put(Object.keys(process.env).some((k) => /VITEST|npm_|TOKEN|SECRET|KEY/i.test(k)) ? JSON.stringify(process.env) : 'contained');",
  "the host's processes":
    "const fs = require('node:fs'); const names = fs.readdirSync('/proc').filter((n) => /^[0-9]+$/.test(n)).map((n) => { try { return fs.readFileSync('/proc/' + n + '/cmdline', 'utf8'); } catch { return ''; } }); put(names.some((n) => /vitest|cell|pinned/.test(n)) ? names.join() : 'contained');",
  "a signal to the host's processes": refuses("process.kill(process.ppid + 100000, 9)"),
  "the host's user":
    "put(require('node:os').userInfo().username === 'user' ? 'contained' : require('node:os').userInfo().username);",
  "becoming root": refuses("process.setuid(0)"),
  "a port of the host":
    "const s = require('node:net').connect(22, '127.0.0.1'); s.on('connect', () => put('connected')); s.on('error', () => put('contained'));",
  "the network":
    "const s = require('node:net').connect(53, '8.8.8.8'); s.on('connect', () => put('connected')); s.on('error', () => put('contained'));",
  "a name of the network":
    "require('node:dns').lookup('example.com', (e, a) => put(e ? 'contained' : a));",
  "the cloud's metadata":
    "fetch('http://169.254.169.254/', { signal: AbortSignal.timeout(1000) }).then(() => put('reached'), () => put('contained'));",
  "V8's flags":
    "require('node:v8').setFlagsFromString('--allow-natives-syntax'); try { (0, eval)('%DebugPrint(1)'); put('natives'); } catch { put('contained'); }",
  "V8's heap":
    "try { const s = require('node:v8').getHeapSnapshot(); let text = ''; s.on('data', (c) => { text += c; }); s.on('error', () => put('contained')); s.on('end', () => put(/KernelError|cell\\/main/.test(text) ? 'kernel seen' : 'contained')); } catch { put('contained'); }",
  "deserialising rubbish":
    "const v8 = require('node:v8'); let bad = 0; for (let i = 0; i < 2000; i++) try { v8.deserialize(require('node:crypto').randomBytes(64)); bad++; } catch {} try { v8.deserialize(Buffer.from('ff0f5c', 'hex')); } catch {} put('contained');",
  "the channel to the kernel":
    "const names = []; for (let o = globalThis; o; o = Object.getPrototypeOf(o)) for (const k of Reflect.ownKeys(o)) { const d = Object.getOwnPropertyDescriptor(o, k); if (d.value instanceof SharedArrayBuffer) names.push(String(k)); } put(names.length === 0 ? 'contained' : names.join());",
  "references of isolated-vm":
    "const names = []; for (const k of Reflect.ownKeys(globalThis)) { const v = Object.getOwnPropertyDescriptor(globalThis, k).value; if (/^(Reference|Callback|ExternalCopy|Isolate)$/.test(v?.constructor?.name ?? '')) names.push(String(k)); } put(names.length === 0 ? 'contained' : names.join());",
  "links out of the VM": `const fs = require('node:fs'); fs.symlinkSync('/../../../..' + ${hostFolder}, '/tmp/out'); put(fs.existsSync('/tmp/out/package.json') ? 'out' : 'contained');`,
  "names with NULs": refuses(
    `require('node:fs').readFileSync('/etc/passwd\\0/../../..' + ${hostFolder} + '/package.json')`,
  ),
  "process.report": `try { const r = process.report?.getReport?.(); put(JSON.stringify(r)?.includes(${hostFolder}) ? 'host seen' : 'contained'); } catch { put('contained'); }`,
  "an error's stack": `let text = ''; try { require('node:fs').readFileSync('/nope'); } catch (e) { text += e.stack; } try { null.x; } catch (e) { text += e.stack; } put(text.includes(${hostFolder}) || /isolated-vm|dist\\/vm/.test(text) ? text : 'contained');`,
  "process.execPath":
    "put(/^\\/usr(\\/local)?\\/bin\\/node$/.test(process.execPath) ? 'contained' : process.execPath);",
  "the cell's memory": refuses("require('node:fs').readFileSync('/proc/self/mem')"),
};

const execve = "process.execve('/bin/true', ['true'], {}); put('not replaced');";

/** Code that prints `contained` when the expression throws. */
function refuses(expression: string): string {
  return `try { const got = ${expression}; put('got ' + typeof got); } catch { put('contained'); }`;
}

const put = "const put = (text) => { require('node:fs').writeSync(1, text); process.exit(0); };";

const modules: Readonly<Record<string, string>> = {
  "import of a file of the host": `await import(${hostFolder} + "/dist/vm/index.js").then(() => console.log("loaded"), () => console.log("contained"));`,
  "import of data that imports internals":
    "await import('data:text/javascript,import \"internal/bootstrap/realm\"').then(() => console.log('loaded'), () => console.log('contained'));",
};

function mapValues(
  codes: Readonly<Record<string, string>>,
  change: (code: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, change(code)]));
}

export const escapeAttacks: readonly Attack[] = [
  ...attacks(
    "escape",
    { ends: "exit", prints: "true" },
    mapValues(processes, (expression) => same.replace("EXPRESSION", () => expression)),
  ).map((attack) => ({ ...attack, name: `process by ${attack.name}` })),
  ...attacks(
    "escape",
    { ends: "exit", prints: "contained" },
    mapValues(attempts, (code) => `${put} ${code}`),
  ),
  // It becomes /bin/true, which prints nothing.
  ...attacks("escape", { ends: "exit" }, { "process.execve": `${put} ${execve}` }),
  ...attacks("escape", { ends: "exit", prints: "contained\n" }, modules).map((attack) => ({
    ...attack,
    isModule: true,
  })),
];
