import { describeLikeNode } from "../../support/node-beside.ts";

/** The first lines of what a script says that dies; the rest is the stack's affair. */
const dying = (code: string): string =>
  `const { spawnSync } = require("child_process");
  const { stderr, status } = spawnSync(process.execPath, ["-e", ${JSON.stringify(code)}], { encoding: "utf8" });
  console.log(stderr.split("\\n").slice(0, 4), status);`;

describeLikeNode("The place above an uncaught error", {
  "of a binding's error is where Node's library called it": dying("fs.readFileSync('no')"),
  "of a constructor's": dying("crypto.createHash('no')"),
  "of a method of the process": dying("process.chdir('/no')"),
  "of an error without a place": dying("fs.promises.readFile('no')"),
  "of one in a timer": dying("setTimeout(() => { throw new Error('late') })"),
  "of one in an interval that was made before": dying(
    "const e = new Error('made');\nsetInterval(() => { throw e }, 1)",
  ),
  "of one in a server's listener": dying(
    "require('http').createServer(() => { throw new Error('x') }).listen(0, function () { require('http').get({ port: this.address().port }) })",
  ),
  "of an error event shows the library's own words": dying(
    "new (require('events'))().emit('error', new Error('x'))",
  ),
  "is in the source that a file was made of": `
    const fs = require("fs");
    fs.writeFileSync("out.js", "'use strict';\\nfunction fail() { throw new Error('mapped'); }\\nfail();\\n//# sourceMappingURL=out.js.map\\n");
    const sourcesContent = ["// One.\\n// Two.\\nfunction fail(): never { throw new Error('mapped'); }\\nfail();\\n"];
    fs.writeFileSync("out.js.map", JSON.stringify({ version: 3, file: "out.js", sources: ["orig.ts"], sourcesContent, names: [], mappings: ";AAEA;AACA" }));
    for (const flags of [["--enable-source-maps"], []]) {
      const { stderr, status } = require("child_process").spawnSync(process.execPath, [...flags, "out.js"], { encoding: "utf8" });
      console.log(status, stderr.replaceAll(process.cwd(), "."));
    }`,
});

describeLikeNode("The stack of an error", {
  "goes on after a file was read": `
    const reads = async () => { await require("fs/promises").readFile("script.js"); throw new Error("x"); };
    const waits = async () => { await reads(); };
    const all = async () => { await waits(); };
    all().catch(({ stack }) => console.log(stack.match(/at (?:async )?\\w+/g)));`,
  "goes on with those that wait": `
    const later = async () => { await new Promise((resolve) => setTimeout(resolve, 1)); throw new Error("x"); };
    const waits = async () => { await null; await later(); };
    waits().catch(({ stack }) => console.log(stack.match(/at (?:async )?\\w+/g)));`,
  "has nothing of a VM's in it when a message comes": `
    const { port1, port2 } = new MessageChannel();
    port1.on("message", () => { console.log(new Error("x").stack.split("\\n").slice(2).filter((line) => !line.includes("node:")).join()); port1.close(); });
    port2.postMessage(1);`,
});
