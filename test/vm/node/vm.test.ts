import { describeLikeNode } from "../../support/node-beside.ts";

const start = `
const vm = require("node:vm");
const tried = (run) => { try { console.log(run()); } catch (error) { console.log(error.name, error.code, error.message); } };
`;

describeLikeNode(
  "vm",
  {
    "runs code in contexts of its own": `${start}
    const context = vm.createContext({ n: 1, console });
    vm.runInContext("var m = n + 1; n += 10; globalThis.k = () => m; let hidden = 3", context);
    console.log(context.n, context.m, context.k(), "hidden" in context, vm.runInContext("hidden", context), vm.isContext(context), vm.isContext({}));
    console.log(vm.runInNewContext("[] instanceof Array") , vm.runInNewContext("[]") instanceof Array, vm.runInThisContext("typeof vm"), typeof globalThis.m);
    console.log(vm.runInNewContext("typeof process + typeof require + typeof console"), Object.keys(vm.runInNewContext("this")));
    tried(() => vm.runInNewContext("nothing")); tried(() => vm.runInNewContext("let x = ;", {}, "named.js")); tried(() => vm.runInNewContext("while (true);", {}, { timeout: 20 }));
    tried(() => vm.runInNewContext("eval('1')", {}, { contextCodeGeneration: { strings: false } }));
    tried(() => new vm.Script("1", { filename: 5 })); tried(() => vm.createContext(5));`,
    "gives a context the language's own globals": `${start}
    console.log(vm.runInNewContext("Object.getOwnPropertyNames(globalThis)").sort().join());`,
    "compiles functions and scripts": `${start}
    const add = vm.compileFunction("return a + b + (typeof c)", ["a", "b"], { contextExtensions: [{ c: 1 }], filename: "add.js" });
    console.log(add(1, 2), add.toString());
    const script = new vm.Script("x = (typeof x === 'number' ? x : 0) + 1", { filename: "count.js" });
    const one = vm.createContext({}); console.log(script.runInContext(one), script.runInContext(one), script.runInNewContext({ x: 10 }));
    try { new vm.Script("f(", { filename: "bad.js" }); } catch (error) { console.log(error.stack.split("\\n").slice(0, 5)); }
    console.log(Buffer.isBuffer(script.createCachedData()));`,
    "imports from scripts only where it may": `${start}
    const refuse = (error) => console.log(error.name, error.code);
    (async () => {
      await vm.runInThisContext("import('fs')").catch(refuse);
      console.log(typeof (await vm.runInThisContext("import('fs')", { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER })).readFileSync);
    })();`,
  },
  { flags: ["--no-warnings"] },
);

describeLikeNode(
  "vm's modules",
  {
    "link and run": `${start}
      (async () => {
        const context = vm.createContext({ out: [] });
        const made = new vm.SyntheticModule(["a"], function () { this.setExport("a", 5); }, { context });
        const text = new vm.SourceTextModule("import { a } from 'made'; out.push(a); export default a + 1; export const url = import.meta.url", { context, identifier: "x:y", initializeImportMeta: (meta, { identifier }) => { meta.url = identifier; } });
        console.log(text.status, text.moduleRequests?.map(({ specifier }) => specifier));
        await text.link((specifier) => specifier === "made" ? made : undefined); console.log(text.status);
        await text.evaluate(); console.log(text.status, text.namespace.default, text.namespace.url, context.out);
        const bad = new vm.SourceTextModule("throw new Error('inside')"); await bad.link(() => {}); await bad.evaluate().catch((error) => console.log(error.message, bad.status, bad.error === error));
      })();`,
  },
  { flags: ["--experimental-vm-modules", "--no-warnings"] },
);
