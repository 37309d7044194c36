// Guests that take all the memory they get, one for each kind of memory. The tests run them as well.

/** A script for the VM's shell, and what it answers when the limit held. */
export interface Bomb {
  readonly script: string;
  readonly stdout: string;
  readonly stderr: RegExp;
  /** How many processes are killed, each with a notice; undefined where that is a matter of luck. */
  readonly kills: number | undefined;
}

const killedLine = /^bash: line 1: +\d+ Killed +node -e /;

export const bombs: Readonly<Record<string, Bomb>> = {
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
  "twelve processes at once": {
    script: [
      'for i in $(seq 12); do node -e "const a = []; for (;;) a.push(Buffer.alloc(1e7, 1));" & done 2> /dev/null',
      "for pid in $(jobs -p); do wait $pid; echo ended $?; done",
    ].join("\n"),
    stdout: "ended 137\n".repeat(12),
    stderr: /Killed/,
    kills: 12,
  },
  "a program's tables": {
    script: "tsort <(seq 1 2000000); echo ended $?",
    stdout: "ended 1\n",
    stderr: /^tsort: memory exhausted\n$/,
    kills: 0,
  },
  "lines of many programs": {
    script:
      "for i in {1..8}; do (head -c 60M /dev/zero; sleep 1) | sort | wc -c > /tmp/n & done; wait; echo ended $?",
    stdout: "ended 0\n",
    stderr: /^/,
    kills: undefined,
  },
};

function node(code: string): Bomb {
  const script = `node -e "${code}"; echo ended $?`;
  return { script, stdout: "ended 137\n", stderr: killedLine, kills: 1 };
}
