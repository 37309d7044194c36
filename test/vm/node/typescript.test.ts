import { describeLikeNode } from "../../support/node-beside.ts";

const start = `
const fs = require("node:fs"), { spawnSync } = require("node:child_process");
const run = (name, text, flags = []) => {
  fs.writeFileSync(name, text);
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--no-warnings", ...flags, name], { encoding: "utf8" });
  console.log(name, status, stdout.replaceAll(__dirname, "HERE"), stderr.replaceAll(__dirname, "HERE"));
};
`;

describeLikeNode(
  "TypeScript",
  {
    "runs without its types": `${start}
    run("a.ts", "interface A { x: number }\\nconst a: A = { x: 1 } satisfies A;\\nconsole.log(a.x as number, <T,>(v: T): T => v);");
    run("b.mts", "import type { Stats } from 'node:fs'; import { type PathLike, existsSync } from 'node:fs'; const s: Stats | undefined = undefined; console.log(existsSync('b.mts'), s, await 1);");
    run("c.cts", "const path: typeof import('path') = require('path'); module.exports = path.sep; console.log(__filename.slice(-5));");
    run("d.ts", "class C<T> { private x: T; constructor(x: T) { this.x = x } get(): T { return this.x! } }\\nthrow new Error(String(new C<number>(4).get()));");
    console.log(require("node:module").stripTypeScriptTypes("let x: number = 1; type A = 1"), process.features.typescript);`,
    "says where it cannot": `${start}
    run("enum.ts", "enum X { A }\\nconsole.log(X.A);");
    run("wrong.ts", "const x: = 3;");
    run("none.ts", "let x: number = 1", ["--no-strip-types"]);
    fs.mkdirSync("node_modules/p", { recursive: true }); fs.writeFileSync("node_modules/p/index.ts", "export const a: number = 1");
    run("dep.mts", "import { a } from './node_modules/p/index.ts'; console.log(a)");
    try { require("node:module").stripTypeScriptTypes("namespace N { export const x = 1 }"); } catch (error) { console.log(error.code, error.message); }`,
  },
  { flags: ["--no-warnings"] },
);

describeLikeNode("stacks", {
  "are Node's own": `
    const hide = (text) => text.replaceAll(__dirname, "HERE");
    class Shape { area() { throw new TypeError("no area"); } get side() { return new Error("side").stack; } }
    try { new Shape().area(); } catch (error) { console.log(hide(error.stack)); }
    console.log(hide(new Shape().side).split("\\n")[1], hide([1].map(() => new Error("in map").stack)[0]));
    try { require("fs").readFileSync("none"); } catch (error) { console.log(hide(error.stack)); }
    try { require("./none"); } catch (error) { console.log(hide(error.stack)); }
    try { JSON.parse("{"); } catch (error) { console.log(hide(error.stack)); }
    Error.prepareStackTrace = (error, sites) => sites.map((site) => [site.getFunctionName(), site.getTypeName(), hide(String(site.getFileName()))].join());
    try { new Shape().area(); } catch (error) { console.log(error.stack); }
    Error.prepareStackTrace = undefined;
    Error.stackTraceLimit = 2; console.log(hide(new Error("short").stack)); Error.stackTraceLimit = 10;`,
});
