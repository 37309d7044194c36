// Node reading its stdin, in every way that its documentation has.
import { type Behaviour, withInput } from "../behaviour.ts";

const LINES = "one\ntwo\nthree\n";

function evaluate(code: string): string {
  return `node -e '${code}'`;
}

const ways = withInput(LINES, [
  evaluate("console.log(fs.readFileSync(0, `utf8`))"),
  evaluate("console.log(fs.readFileSync(`/dev/stdin`, `utf8`))"),
  evaluate(
    "process.stdin.on(`data`, (d) => console.log(`data`, String(d))).on(`end`, () => console.log(`end`))",
  ),
  evaluate(
    "process.stdin.setEncoding(`utf8`); let s = ``; process.stdin.on(`readable`, () => { let c; while ((c = process.stdin.read()) !== null) s += c; }).on(`end`, () => console.log(s))",
  ),
  evaluate(
    "(async () => { let s = ``; for await (const c of process.stdin) s += c; console.log(s); })()",
  ),
  evaluate(
    "require(`readline`).createInterface({ input: process.stdin }).on(`line`, (l) => console.log(`[${l}]`)).on(`close`, () => console.log(`close`))",
  ),
  evaluate(
    "(async () => { for await (const l of require(`readline`).createInterface({ input: process.stdin })) console.log(`[${l}]`); })()",
  ),
  evaluate("process.stdin.pipe(process.stdout)"),
  evaluate("require(`stream/consumers`).text(process.stdin).then((s) => console.log(s.length))"),
  evaluate(
    "const b = Buffer.alloc(5); let n; while ((n = fs.readSync(0, b)) > 0) console.log(n, String(b.subarray(0, n)))",
  ),
  evaluate("fs.createReadStream(null, { fd: 0 }).on(`data`, (d) => console.log(String(d)))"),
  evaluate("fs.read(0, Buffer.alloc(4), 0, 4, null, (e, n, b) => console.log(e, n, String(b)))"),
  evaluate(
    "console.log(require(`child_process`).spawnSync(`cat`, { stdio: [`inherit`, `pipe`] }).stdout.toString())",
  ),
  evaluate("require(`child_process`).execSync(`cat`, { stdio: `inherit` })"),
  evaluate(
    "const s = fs.fstatSync(0); console.log(s.isFile(), s.isFIFO(), s.isSocket(), s.isCharacterDevice(), process.stdin.isTTY)",
  ),
  `node --input-type=module -e 'import { stdin } from "node:process"; for await (const c of stdin) console.log(String(c));'`,
  `${evaluate("1")}; cat`,
  `read a; ${evaluate("console.log(fs.readFileSync(0, `utf8`))")}`,
  `${evaluate("fs.readSync(0, Buffer.alloc(4))")}; cat`,
  `${evaluate("process.stdin.destroy(); console.log(1)")}`,
  `${evaluate("process.stdin.once(`data`, (d) => { console.log(d.length); process.exit(3); })")}; echo $?`,
  `${evaluate("console.log(fs.readFileSync(0).length)")} < other`,
  `${evaluate("process.stdin.on(`data`, () => {}).on(`end`, () => console.log(`end`))")} <&-; echo $?`,
]);

const PROMPT = { terminal: "node has a prompt on a terminal" };

const code = [
  ...withInput("console.log(1 + 1)\n", [
    ["node", { skips: PROMPT }],
    ["node -", { skips: PROMPT }],
    "node /dev/stdin 2> /dev/null; echo $?",
  ]),
  ...withInput("console.log(process.argv.slice(2))", [["node - a b", { skips: PROMPT }]]),
  ...withInput("import fs from 'node:fs'; console.log(typeof fs.openSync)\n", [
    ["node --input-type=module -", { skips: PROMPT }],
  ]),
];

const odd = [
  ...withInput("", [
    evaluate("console.log(fs.readFileSync(0).length)"),
    evaluate(
      "process.stdin.on(`data`, () => console.log(`data`)).on(`end`, () => console.log(`end`))",
    ),
  ]),
  ...withInput("no end", [
    evaluate(
      "require(`readline`).createInterface({ input: process.stdin }).on(`line`, (l) => console.log(`[${l}]`))",
    ),
  ]),
  ...withInput(
    "now\n",
    [
      evaluate(
        "process.stdin.once(`data`, (d) => { console.log(String(d)); process.stdin.pause(); process.exit(); })",
      ),
      evaluate(
        "const r = require(`readline`).createInterface({ input: process.stdin }); r.on(`line`, (l) => { console.log(l); process.exit(); })",
      ),
      evaluate("console.log(1)"),
      evaluate("console.log(process.stdin.constructor.name !== undefined)"),
    ],
    { staysOpen: true },
  ),
  ...withInput(
    { latin1: "a\0b\xff\xfe\n\0\x80" },
    [
      evaluate("console.log(fs.readFileSync(0).toString(`hex`))"),
      evaluate(
        "const a = []; process.stdin.on(`data`, (d) => a.push(d)).on(`end`, () => console.log(Buffer.concat(a).toString(`hex`)))",
      ),
    ],
    {
      skips: {
        terminal: "a terminal acts on control characters",
        mcp: "MCP carries stdin as text",
      },
    },
  ),
  ...withInput(
    { seq: 30_000 },
    [
      evaluate("console.log(fs.readFileSync(0).length)"),
      evaluate(
        "let n = 0; process.stdin.on(`data`, (d) => { n += d.length; }).on(`end`, () => console.log(n))",
      ),
      evaluate(
        "let n = 0; require(`readline`).createInterface({ input: process.stdin }).on(`line`, (l) => { n += Number(l); }).on(`close`, () => console.log(n))",
      ),
    ],
    { skips: { terminal: "a terminal holds 4096 bytes that nobody has read" } },
  ),
];

export const node: readonly Behaviour[] = [...ways, ...code, ...odd];
