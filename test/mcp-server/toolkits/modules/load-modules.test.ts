// Modules are loaded by Node itself, so each case is a process of its own.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ServerConfig } from "../../../../src/mcp-server/config/server-config.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agentos-mcp-modules-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

interface Loaded {
  readonly name: string;
  readonly description: string;
  readonly expose: string;
  /** Names, or the message of what is wrong. */
  readonly tools: string[] | string;
}

const source = join(import.meta.dirname, "../../../../src/mcp-server");
/** Loads the toolkits, and prints what came of it. */
const script = `
  import { serverConfig } from ${JSON.stringify(pathToFileURL(join(source, "config/server-config.ts")))};
  import { loadToolkits } from ${JSON.stringify(pathToFileURL(join(source, "toolkits/load-toolkits.ts")))};
  const [directory, config] = process.argv.slice(1);
  const logged = [];
  const log = (line) => logged.push(line);
  const toolkits = await loadToolkits(serverConfig.parse(JSON.parse(config)), { directory, env: {}, log });
  const loaded = await Promise.all(toolkits.map(async (toolkit) => {
    const tools = await toolkit.tools().then((all) => all.map(({ name }) => name), (error) => error.message);
    const { name, description, expose } = toolkit;
    return { name, description, expose, tools };
  }));
  process.stdout.write(JSON.stringify({ loaded, logged }));`;

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
}

async function load(
  toolkits: ServerConfig["toolkits"],
): Promise<{ loaded: Loaded[]; logged: string[] }> {
  const config = JSON.stringify({ toolkits });
  const words = ["--input-type=module", "--eval", script, directory, config];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return JSON.parse(stdout);
}

/** A toolkit as any module may make it, without a library. */
function plain(name: string, tool: string): string {
  return `{ name: "${name}", description: "of a module", expose: "cli", async tools() { return [{ name: "${tool}" }]; } }`;
}

const one = (name: string, tool: string): Loaded => ({
  name,
  description: "of a module",
  expose: "cli",
  tools: [tool],
});

describe("modules of the configuration", () => {
  it("give the toolkit they export, called as the configuration calls it", async () => {
    write({
      "a.ts": `const kit: object = ${plain("own", "x")};\nexport default kit;`,
      "b.mjs": `export const other = 1; export const kit = ${plain("own", "y")};`,
      "c.cjs": `module.exports = ${plain("own", "z")};`,
    });
    const { loaded, logged } = await load({
      first: { module: "./a.ts" },
      secondOne: { module: "./b.mjs", expose: "both" },
      third: { module: join(directory, "c.cjs") },
      off: { module: "./a.ts", disabled: true },
    });
    expect(loaded).toEqual([
      one("first", "x"),
      { ...one("second-one", "y"), expose: "both" },
      one("third", "z"),
    ]);
    expect(logged).toEqual([]);
  });

  it("give several under their own names, or the one that is asked for", async () => {
    write({
      "m.ts": `export const a = ${plain("aa", "x")}; export const b = ${plain("bb", "y")};`,
    });
    expect((await load({ both: { module: "./m.ts" } })).loaded).toEqual([
      one("aa", "x"),
      one("bb", "y"),
    ]);
    expect((await load({ mine: { module: "./m.ts", export: "b" } })).loaded).toEqual([
      one("mine", "y"),
    ]);
  });

  it("may be packages beside the configuration", async () => {
    const manifest = { name: "kit", type: "module", exports: { ".": { import: "./main.js" } } };
    write({
      "node_modules/kit/package.json": JSON.stringify(manifest),
      "node_modules/kit/main.js": `export default [${plain("own", "x")}];`,
    });
    expect((await load({ kit: { module: "kit" } })).loaded).toEqual([one("kit", "x")]);
  });

  it("find the server's own zod where they have none", async () => {
    write({ "z.ts": `import { z } from "zod";\nexport default ${plain("own", "x")}; z.string();` });
    expect((await load({ z: { module: "./z.ts" } })).loaded).toEqual([one("z", "x")]);
  });

  it("that share a name get a number", async () => {
    write({ "m.ts": `export default [${plain("a", "x")}, ${plain("a", "y")}];` });
    const { loaded, logged } = await load({ both: { module: "./m.ts" } });
    expect(loaded).toEqual([one("a", "x"), one("a-2", "y")]);
    expect(logged).toEqual(["toolkit a-2: there is another a"]);
  });

  it("that cannot be used say why, and the others are there", async () => {
    const cases = new Map<string, [source: string, words: string | RegExp]>([
      ["a", ["throw new Error('no luck')", "cannot be loaded: no luck."]],
      ["b", ["throw undefined", "cannot be loaded: undefined."]],
      ["c", ["await Promise.reject(new Error('later'))", "cannot be loaded: later."]],
      [
        "d",
        [
          "export const x = 1",
          "exports no toolkit: export what toolkit() of agentos-mcp/toolkit returns.",
        ],
      ],
      [
        "e",
        [
          "import './gone.ts'",
          /^cannot be loaded: Cannot find module 'gone\.ts' imported from e\.ts\.$/,
        ],
      ],
      ["f", ["enum A { B }", /^cannot be loaded: /]],
      ["g", ["const = 1", /^cannot be loaded: /]],
      ["h", ["export default {}", /^exports no toolkit/]],
    ]);
    write({ "good.ts": `export default ${plain("good", "x")};` });
    for (const [name, [source]] of cases) write({ [`${name}.ts`]: source });
    const names = [...cases.keys(), "good"];
    const { loaded, logged } = await load(
      Object.fromEntries(names.map((name) => [name, { module: `./${name}.ts` }])),
    );
    expect(loaded.map(({ name }) => name)).toEqual(names);
    const remedy = " Put it right and restart the server (agentos-mcp stop).";
    for (const [name, [, words]] of cases) {
      const { description, tools } = loaded.find((one) => one.name === name) ?? one("none", "");
      const said = String(tools).replace(`The module ${name}.ts `, "");
      expect(said.endsWith(remedy)).toBe(true);
      expect(said.slice(0, -remedy.length)).toMatch(words);
      expect(said).not.toContain(directory);
      expect(description).toContain(`Not available: The module ${name}.ts`);
      expect(logged.join("\n")).toContain(`toolkit ${name}: `);
    }
  });

  it("that lack what is asked for say what there is", async () => {
    write({ "m.ts": `export const a = ${plain("aa", "x")};` });
    const { loaded } = await load({ mine: { module: "./m.ts", export: "b" } });
    expect(loaded[0]?.tools).toMatch(/^The module m\.ts exports no toolkit "b", but a\./);
    const missing = await load({ mine: { module: "./none.ts" }, package: { module: "not-there" } });
    expect(missing.loaded.map(({ tools }) => String(tools))).toEqual([
      expect.stringMatching(/^The module none\.ts cannot be loaded: Cannot find module/),
      expect.stringMatching(
        /^The module not-there cannot be loaded: Cannot find package 'not-there'/,
      ),
    ]);
  });
});
