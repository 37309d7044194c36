// Who may import whom (CONTRIBUTING.md, "Layers"). Type-only imports count as imports. Cycles are
// oxlint's (import/no-cycle), which has the types at hand already and ignores those of types alone.

/** Files of other top-level folders that a folder may not enter. */
function only(from, allowed) {
  return {
    name: `${from}-layer`,
    comment: `${from} imports only ${["itself", ...allowed].join(", ")} of src.`,
    severity: "error",
    from: { path: `^src/${from}/` },
    to: { path: "^src/", pathNot: [from, ...allowed].map((folder) => `^src/${folder}/`) },
  };
}

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "kernel-stands-alone",
      comment: "The kernel imports nothing outside itself: no node:, no npm, no other folder.",
      severity: "error",
      from: { path: "^src/kernel/" },
      to: { pathNot: "^src/kernel/", couldNotResolve: false },
    },
    {
      name: "streams-stand-alone",
      comment:
        "Streams import nothing outside themselves (docs/decisions/0024-one-stream-layer.md).",
      severity: "error",
      from: { path: "^src/streams/" },
      to: { pathNot: "^src/streams/", couldNotResolve: false },
    },
    {
      name: "linux-stands-alone",
      comment: "What is known of the host's kernel imports nothing outside itself.",
      severity: "error",
      from: { path: "^src/linux/" },
      to: { pathNot: "^src/linux/", couldNotResolve: false },
    },
    only("toolkit-cli", ["kernel"]),
    only("vm", ["kernel", "linux", "streams", "toolkit-cli"]),
    only("sandbox-escalation", ["kernel", "linux", "streams", "toolkit-cli"]),
    only("mcp-server", ["kernel", "linux", "streams", "toolkit-cli", "vm", "sandbox-escalation"]),
    {
      name: "front-door",
      comment:
        "From another top-level folder you enter by its index.ts. Frames and host errors are the " +
        "exception: shim and server speak them before they load anything else of vm " +
        "(docs/decisions/0007-frame-wire.md). So is what a cell has of toolkits: the front door of " +
        "toolkit-cli leads to the host's side.",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: {
        path: "^src/[^/]+/",
        pathNot: [
          "^src/$1/",
          "^src/[^/]+/index\\.ts$",
          "^src/vm/(wire/frame|wire/frame-channel|host-error)\\.ts$",
          "^src/toolkit-cli/(bounded-json|command/main|device-protocol|json-schema|tool-event|visible-text)\\.ts$",
        ],
      },
    },
    {
      name: "one-front-door",
      comment: "Only the top-level folders have an index.ts, and nobody inside goes through it.",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: { path: ["^src/[^/]+/.+/index\\.ts$", "^src/$1/index\\.ts$"] },
    },
    {
      name: "names-say-what",
      comment:
        "No utils, helpers, common, types or misc: a thing lives with what it describes. Node's own " +
        "bindings have Node's names.",
      severity: "error",
      from: {},
      to: {
        path: "/(utils?|helpers?|common|types|misc)(/|\\.ts$|\\.mjs$)",
        pathNot: ["node_modules/", "^src/vm/node/bindings/"],
      },
    },
    {
      name: "syscalls-from-kernel-only",
      comment:
        "Inside the kernel, only kernel.ts and index.ts import syscalls/; sys.ts is a type, for Program.",
      severity: "error",
      from: {
        path: "^src/kernel/",
        pathNot: ["^src/kernel/syscalls/", "^src/kernel/(kernel|index)\\.ts$"],
      },
      to: { path: "^src/kernel/syscalls/", pathNot: "^src/kernel/syscalls/sys\\.ts$" },
    },
    {
      name: "programs-see-sys",
      comment: "Shell and programs see the kernel's front door: no executor, no vm.ts, no host.",
      severity: "error",
      from: { path: "^src/vm/(shell|programs)/" },
      to: { path: "^src/", pathNot: ["^src/vm/(shell|programs)/", "^src/kernel/"] },
    },
    {
      name: "programs-have-no-node",
      comment:
        "Shell and programs reach the world through Sys alone. zlib is arithmetic and reaches nothing " +
        "(docs/decisions/0009-zlib-in-programs.md).",
      severity: "error",
      from: {
        path: "^src/vm/(shell|programs)/",
        pathNot: "^src/vm/programs/archive/zlib-engine\\.ts$",
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "guests-stand-alone",
      comment:
        "What runs inside an isolate has the language and nothing else: no node:, no kernel, no vm.",
      severity: "error",
      from: { path: "^src/vm/node/" },
      to: { path: "^src/", pathNot: "^src/vm/node/" },
    },
    {
      name: "guests-have-no-node",
      comment:
        "Node's library in the guest is Node's own; our bindings below it import nothing of the host's.",
      severity: "error",
      from: { path: "^src/vm/node/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "cell-and-broker-meet-in-wire",
      comment: "A cell knows nothing of the broker's code.",
      severity: "error",
      from: { path: "^src/vm/cell/" },
      to: { path: "^src/vm/broker/" },
    },
    {
      name: "broker-and-cell-meet-in-wire",
      comment: "The broker knows nothing of the cell's code.",
      severity: "error",
      from: { path: "^src/vm/broker/" },
      to: { path: "^src/vm/cell/" },
    },
    {
      name: "wire-knows-neither-end",
      comment: "The wire is messages and frames; its ends import it.",
      severity: "error",
      from: { path: "^src/vm/wire/" },
      to: { path: "^src/vm/", pathNot: "^src/vm/wire/" },
    },
    {
      name: "mcp-stays-in-mcp-server",
      comment: "mcp-server is the only folder that knows MCP.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/mcp-server/" },
      to: { path: "node_modules/@modelcontextprotocol/" },
    },
    {
      name: "isolated-vm-stays-in-executors",
      comment: "Only an executor touches the engine that runs guest code.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/vm/(executors|cell)/" },
      to: { path: "(^|node_modules/)isolated-vm(/|$)" },
    },
    {
      name: "shipped-code-stands-alone",
      comment: "What ships imports nothing that does not: no tests, no benchmarks, no examples.",
      severity: "error",
      from: { path: "^(src|bin)/" },
      to: { path: "^(test|bench|examples)/" },
    },
    {
      name: "no-dev-dependencies-in-src",
      comment:
        "What ships imports only what a user's install brings. isolated-vm is vendored into dist and " +
        "imported as a type; what guests have is bundled into their snapshot; the clients of vendors are optional peers.",
      severity: "error",
      from: { path: "^(src|bin)/", pathNot: "^src/vm/node/" },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "undetermined"],
        pathNot:
          "^node_modules/(isolated-vm|e2b|sandbox-agent|@daytona/api-client|@daytona/toolbox-api-client|ws)/",
      },
    },
    {
      name: "resolvable",
      comment: "An import that leads nowhere.",
      severity: "error",
      // Guests' code requires modules of Node's own library.
      from: { pathNot: ["^bin/", "^src/vm/node/"] },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: "tsc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: ["node_modules", "^dist/"] },
    exclude: { path: ["^dist/", "/fixtures/"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
