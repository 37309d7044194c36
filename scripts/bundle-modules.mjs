// Makes few files of all the modules that the command line, the server and the library load: most of a start was
// finding and reading them. Entries keep their names, so everything finds them where tsc put them; what they share, and what
// is loaded later, is in dist/chunks. Run on the pinned Node by ensure-dist.mjs: `bundle-modules.mjs <dist>`.
import { join, posix, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { bundledEntries } from "./bundled-entries.mjs";

const dist = process.argv[2];
if (dist === undefined) throw new Error("usage: bundle-modules.mjs <dist>");

/** Packages that every start needs are in the bundle; the others are found when they are needed. */
const bundledPackages = /^(?:zod|@modelcontextprotocol)(?:\/|$)/;
/** @param {string} id */
const isPackage = (id) => /^[@a-z]/.test(id) && !id.startsWith("node:");

const OWN_URL = /__ownUrl\("([^"]*)"\)/g;

/** A module that asks for its place gets the one it would have without the bundle: files are found beside it. */
const ownUrls = {
  name: "own-urls",
  /** @type {(code: string, id: string) => string | null} */
  transform(code, id) {
    if (!id.startsWith(dist) || !code.includes("import.meta.url")) return null;
    const name = relative(dist, id).split(sep).join("/");
    return code.replaceAll("import.meta.url", `__ownUrl("${name}")`);
  },
  /** @type {(code: string, chunk: { fileName: string }) => string | null} */
  renderChunk(code, { fileName }) {
    const from = posix.dirname(fileName);
    return code.replaceAll(OWN_URL, (_, name) => {
      return `new URL(${JSON.stringify(posix.relative(from, name))}, import.meta.url).href`;
    });
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(bundledEntries.map((name) => [name, join(dist, `${name}.js`)])),
  platform: "node",
  external: (id) => isPackage(id) && !bundledPackages.test(id),
  plugins: [ownUrls],
});
await bundle.write({
  dir: dist,
  format: "esm",
  cleanDir: false,
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
});
await bundle.close();
