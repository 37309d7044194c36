import { describeLikeNode } from "../../support/node-beside.ts";

describeLikeNode("Blob", {
  "holds bytes and their slices": `
    (async () => {
      const blob = new Blob(["hell\\u00f6 ", new Uint8Array([65, 66]), new Blob(["nested"])], { type: "Text/Plain" });
      console.log(blob, blob.size, await blob.text(), await blob.slice(3, -4).text(), (await blob.slice(8, 2).bytes()).length);
      console.log(new Uint8Array(await blob.slice(-8, -5, "x/y").arrayBuffer()), blob.slice(0, 1, "x/y").type);
      const parts = []; for await (const part of blob.stream()) parts.push(part.length); console.log(parts.reduce((a, b) => a + b));
      console.log(await structuredClone(blob).text(), new File(["x"], "name").name);
      const url = URL.createObjectURL(blob); console.log(await require("node:buffer").resolveObjectURL(url).text());
      URL.revokeObjectURL(url); console.log(require("node:buffer").resolveObjectURL(url));
    })();`,
  "reads a file as it was": `
    const fs = require("node:fs");
    (async () => {
      fs.writeFileSync("f", "0123456789".repeat(20_000));
      const blob = await fs.openAsBlob("f", { type: "text/plain" });
      console.log(blob.size, blob.type, (await blob.text()).length, await blob.slice(100_005, 100_010).text());
      console.log(await new Blob(["<", blob.slice(0, 3), ">"]).text());
      try { await fs.openAsBlob("none"); } catch (error) { console.log(error.message); }
      fs.writeFileSync("f", "changed");
      await blob.text().catch((error) => console.log(error.name, error.message));
      try { structuredClone(blob); } catch (error) { console.log(error.name, error.message); }
    })();`,
});
