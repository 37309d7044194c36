// Makes few files of all the modules that the command line, the server and the library load: most of a start was
// finding and reading them. Entries keep their names, so everything finds them where tsc put them; what they share, and what
// is loaded later, is in dist/chunks. Node's own modules are required, not imported: to import one, Node first evaluates all
// that it exports, even what it would load later. Run on the pinned Node by ensure-dist.mjs: `bundle-modules.mjs <dist>`.
import { join, posix, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { bundledEntries } from "./bundled-entries.mjs";
import { ModuleImports } from "./module-closure.mjs";

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

const BUILTIN_IMPORT =
  /^import (?:(?:\* as )?([\w$]+)|\{((?![^}]*\bdefault\b)[^}]*)\}) from "(node:[\w/]+)";$/gm;

/** See above. Runs on any Node from 20 up, which may have no process.getBuiltinModule. */
const requireBuiltins = {
  name: "require-builtins",
  /** @type {(code: string) => string | null} */
  renderChunk(code) {
    const replaced = code.replaceAll(BUILTIN_IMPORT, (_, name, names, id) => {
      const left = names === undefined ? name : `{${names.replaceAll(" as ", ": ")}}`;
      return `const ${left} = __requireBuiltin("${id}");`;
    });
    if (replaced === code) return null;
    return `import { createRequire as __createRequire } from "node:module";
const __requireBuiltin = __createRequire(import.meta.url);
${replaced}`;
  },
};

const imports = new ModuleImports();
/** @param {readonly string[]} names */
const closureOf = (names) => imports.closureOf(names.map((name) => join(dist, `${name}.js`)));

/**
 * What is always loaded together is one file. Each of these is whole but for those above it, so no file needs one below.
 *
 * @type {readonly { name: string, modules: () => ReadonlySet<string> }[]}
 */
const together = [
  { name: "shim", modules: () => closureOf(["mcp-server/main", "mcp-server/shim/serve"]) },
  { name: "commands", modules: () => closureOf(commandRoots) },
  { name: "disk", modules: () => closureOf(["vm/broker/folders/disk-thread"]) },
  { name: "toolkit", modules: () => closureOf(["toolkit-cli/index"]) },
  { name: "common", modules: () => closureOf(serverRoots).intersection(closureOf(vmRoots)) },
  { name: "server", modules: () => closureOf(serverRoots) },
  { name: "schemas", modules: () => closureOf(mcpRoots).intersection(closureOf(vmRoots)) },
  { name: "mcp", modules: () => closureOf(mcpRoots) },
  { name: "vm", modules: () => closureOf(vmRoots) },
];
/** As serve, these run on the user's own Node, which may not have what the server needs. */
const commandRoots = [
  ...["approvals", "doctor", "exec", "shell", "trace", "vms"].map(
    (name) => `mcp-server/commands/${name}`,
  ),
  "mcp-server/control/stop-servers",
];
const serverRoots = ["mcp-server/server-process/main"];
const mcpRoots = ["mcp-server/server-process/mcp-link", "mcp-server/tool-list"];
const vmRoots = [
  "vm/index",
  "mcp-server/config/load-config",
  "mcp-server/config/vms-options",
  "mcp-server/toolkits/load-toolkits",
];
const entryFiles = new Set(bundledEntries.map((name) => join(dist, `${name}.js`)));

/**
 * @param {{ name: string, modules: () => ReadonlySet<string> }} row
 * @param {number} index
 */
function makeGroup({ name, modules }, index) {
  /** @type {ReadonlySet<string> | undefined} */
  let known;
  /** @param {string} id */
  const test = (id) => {
    known ??= modules();
    return known.has(id) && !entryFiles.has(id);
  };
  return { name, test, priority: together.length - index };
}

const bundle = await rolldown({
  input: Object.fromEntries(bundledEntries.map((name) => [name, join(dist, `${name}.js`)])),
  platform: "node",
  external: (id) => isPackage(id) && !bundledPackages.test(id),
  plugins: [imports, ownUrls, requireBuiltins],
});
await bundle.write({
  dir: dist,
  format: "esm",
  cleanDir: false,
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: together.map(makeGroup),
  },
});
await bundle.close();
