import { describeLikeNode } from "../../support/node-beside.ts";

/** Makes files, and tells what was thrown without the paths of either side. */
const start = `
const fs = require("node:fs"), path = require("node:path"), api = require("node:module");
const make = (files) => { for (const [name, text] of Object.entries(files)) {
  fs.mkdirSync(path.dirname(name), { recursive: true });
  fs.writeFileSync(name, typeof text === "string" ? text : JSON.stringify(text));
} };
const hide = (text) => String(text).replaceAll(__dirname, "HERE");
const tried = (run) => { try { console.log(run()); } catch (error) { console.log(error.name, error.code, hide(error.message)); } };
`;

describeLikeNode("CommonJS and ES modules", {
  "find packages by their exports, imports and main": `${start}
    make({
      "node_modules/maps/package.json": { name: "maps", exports: { ".": { import: "./m.mjs", require: "./c.cjs" }, "./deep/*": "./lib/*.js", "./none": null }, type: "commonjs" },
      "node_modules/maps/m.mjs": "export default 'esm'", "node_modules/maps/c.cjs": "module.exports = 'cjs'",
      "node_modules/maps/lib/a.js": "exports.a = 1", "node_modules/plain/package.json": { main: "./lib" }, "node_modules/plain/lib/index.js": "exports.main = __filename.slice(-12)",
      "app/package.json": { name: "self", imports: { "#in": "./in.js", "#dep": "maps" }, exports: "./in.js" }, "app/in.js": "module.exports = 'inside'",
      "app/main.js": "console.log(require('#in'), require('#dep'), require('self'))",
    });
    console.log(require("maps"), require("maps/deep/a"), require("plain"));
    require("./app/main.js");
    for (const name of ["maps/none", "maps/lib/a.js", "nothing", "./nothing", "#nothing", "node:nothing", ""]) tried(() => require(name));
    import("maps").then(async (found) => {
      console.log(found, hide(require.resolve("maps")), (await import("maps/deep/a")).default);
      for (const name of ["maps/none", "nothing", "./nothing.js", "#nothing", "node:nothing", "http://x/y"])
        await import(name).catch((error) => console.log(error.name, error.code, hide(error.message)));
    });`,
  "refuse package.json files that are none": `${start}
    const bad = ["{", "[]", '{"name":1}', '{"type":1}', "", '{"name":"a"} x'];
    bad.forEach((text, at) => make({ ["p" + at + "/package.json"]: text, ["p" + at + "/x.js"]: "module.exports = 1" }));
    bad.forEach((_, at) => tried(() => require("./p" + at + "/x.js")));
    make({ "ok/package.json": '\\ufeff{"main":1,"exports":1,"type":"odd"}', "ok/index.js": "module.exports = 'found'" });
    tried(() => require("./ok"));
    Object.defineProperty(Object.prototype, "main", { get() { throw new Error("not the package's"); }, configurable: true });
    make({ "more/package.json": "{}", "more/index.js": "module.exports = 'more'" });
    tried(() => require("./more"));`,
  "load each other": `${start}
    make({
      "c.cjs": "exports.named = 1; exports.__esModule = true; exports.default = 'd'; module.exports.late = 2",
      "e.mjs": "import c, { named } from './c.cjs'; import data from './d.json' with { type: 'json' }; import * as all from './c.cjs'; export { c, named, data }; export default all; export const meta = Object.keys(import.meta);",
      "d.json": { a: [1] }, "tla.mjs": "export const x = await Promise.resolve(5)", "t.mjs": "throw new Error('while it ran')",
      "cycle-a.mjs": "import { b } from './cycle-b.mjs'; export const a = 'a'; console.log(b);", "cycle-b.mjs": "import { a } from './cycle-a.mjs'; export const b = 'b'; export const read = () => a;",
      "missing.mjs": "import { nothing } from './c.cjs'", "syntax.cjs": "let x = ;", "top.js": "import fs from 'fs'; console.log(typeof fs.readFileSync, typeof require)",
    });
    const { data, named, c, default: all } = require("./e.mjs");
    console.log(data, named, c, all);
    tried(() => require("./tla.mjs")); tried(() => require("./t.mjs")); tried(() => require("./syntax.cjs"));
    (async () => {
      console.log((await import("./e.mjs")).meta, (await import("./tla.mjs")).x, (await import("./cycle-a.mjs")).a, (await import("./cycle-b.mjs")).read());
      for (const name of ["./missing.mjs", "./t.mjs", "./syntax.cjs"]) await import(name).catch((error) => console.log(error.name, hide(error.message)));
      await import("./top.js");
      console.log((await import("data:text/javascript,export default 7")).default, (await eval("import('./tla.mjs')")).x);
      console.log(await new Function("return import('node:path')")().then((found) => found.sep));
    })();`,
  "say what to do about a module in a file of CommonJS": `
    require("fs").writeFileSync("module.cjs", "import fs from 'fs';");
    const { stderr, status } = require("child_process").spawnSync(process.execPath, ["module.cjs"], { encoding: "utf8", argv0: "node" });
    console.log(status, stderr.replace(/\\(node:\\d+\\)/g, "(node:pid)").replaceAll(process.cwd(), "."));`,
  "say where they wait for ever": `${start}
    make({ "u.mjs": "process.on('exit', (code) => console.log(code, process.exitCode)); await new Promise(() => {});" });
    const { stdout, stderr, status } = require("node:child_process").spawnSync(process.execPath, ["u.mjs"], { encoding: "utf8" });
    console.log(status, stdout, hide(stderr));`,
  "can be made, hooked and looked up": `${start}
    make({ "a/b.js": "module.exports = __filename.slice(-6)", "x.txt": "plain text" });
    console.log(api.createRequire(path.resolve("a/none.js"))("./b.js"), api.isBuiltin("node:fs"), api.isBuiltin("internal/errors"), api.builtinModules.length);
    const hooks = api.registerHooks({
      resolve: (specifier, context, next) => specifier === "virtual:x" ? { url: "virtual:x", format: "module", shortCircuit: true } : next(specifier, context),
      load: (url, context, next) => url === "virtual:x" ? { format: "module", source: "export default 'made up'", shortCircuit: true } : next(url, context),
    });
    console.log(require("virtual:x").default); hooks.deregister(); tried(() => require("virtual:x"));
    require.extensions[".txt"] = (made, file) => { made.exports = fs.readFileSync(file, "utf8"); };
    console.log(require("./x.txt"), Object.keys(require.cache).map(hide));`,
});

describeLikeNode(
  "an entry that is an ES module",
  {
    "knows itself and waits at its top": `
      import { basename } from "node:path"; import { createRequire } from "node:module";
      console.log(basename(import.meta.filename), basename(import.meta.url), import.meta.main, import.meta.resolve("node:fs"), typeof require, this);
      console.log(import.meta.resolve("./x.js") === new URL("./x.js", import.meta.url).href, typeof createRequire(import.meta.url)("fs").readFileSync);
      await new Promise((resolve) => setTimeout(resolve, 5)); console.log("waited");
`,
    "answers with WebAssembly later": `
      const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 6, 1, 4, 0, 65, 42, 11]);
      const { instance, module } = await WebAssembly.instantiate(bytes); console.log(instance.exports.f(), module, await WebAssembly.compile(bytes));
      console.log((await WebAssembly.instantiate(module)).exports.f(), WebAssembly.compile, WebAssembly.instantiate.length);
      for (const wrong of [new Uint8Array(8), 5, undefined]) await WebAssembly.compile(wrong).catch((error) => console.log(error.name, error.message));
      await WebAssembly.instantiate(bytes, 5).catch((error) => console.log(error.name, error.message));`,
  },
  { extension: "mjs" },
);
