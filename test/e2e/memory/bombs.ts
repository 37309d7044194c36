// Guests that take all the memory they get, one for each kind of memory.

/** Scripts for the VM's shell. What each prints to stdout is `ended` and the status of the bomb. */
export const bombs: Readonly<Record<string, string>> = {
  "a heap": node("const a = []; for (;;) a.push({ a: 1, b: { c: 2 } });"),
  "large arrays": node("const a = []; for (;;) a.push(new Array(1e6).fill(1.5));"),
  buffers: node("const a = []; for (;;) a.push(Buffer.alloc(1e7, 1));"),
  "small buffers": node("const a = []; for (;;) a.push(Buffer.alloc(1e4, 1));"),
  "WebAssembly memories": node(
    "const a = []; for (;;) { const m = new WebAssembly.Memory({ initial: 1 }); m.grow(160); new Uint8Array(m.buffer).fill(1); a.push(m); }",
  ),
  "shared buffers": node(
    "const a = []; for (;;) { const b = new SharedArrayBuffer(1, { maxByteLength: 1e8 }); b.grow(1e8); new Uint8Array(b).fill(1); a.push(b); }",
  ),
  workers: node(
    "const { Worker } = require('node:worker_threads'); for (let i = 0; i < 14; i++) new Worker('const a = []; setInterval(() => { for (let i = 0; i < 20; i++) a.push(Buffer.alloc(1e6, 1)); }, 1)', { eval: true });",
  ),
};

function node(code: string): string {
  return `node -e "${code}"; echo ended $?`;
}

/** All at once; every one of them ends at last, and each by the limit. */
export const twelveBombs = [
  'for i in $(seq 12); do node -e "const a = []; for (;;) a.push(Buffer.alloc(1e7, 1));" & done 2> /dev/null',
  "for pid in $(jobs -p); do wait $pid; echo ended $?; done",
].join("\n");

/** A program's tables; it fails alone. */
export const tableBomb = "tsort <(seq 1 2000000); echo ended $?";
