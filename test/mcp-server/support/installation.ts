// A copy of the built package, as npm would install it, with test tools in place of the real ones.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../../../scripts/find-command.mjs";
import "../../support/dist.ts";

export interface Installation {
  readonly directory: string;
  readonly binFile: string;
  readonly buildId: string;
  remove(): void;
}

export interface InstallationOptions {
  /** Gives the copy another build id, as if its sources differed. */
  readonly hash?: string;
  /** Keeps the package's own MCP tools. */
  readonly hasRealTools?: true;
  /** Source of a server entry to use instead of the real one. */
  readonly serverEntry?: string;
}

interface Manifest {
  readonly version: string;
  readonly files: readonly string[];
}

/** Installs the package into a directory of its own. The caller removes it. */
export function install(options: InstallationOptions = {}): Installation {
  // Below node_modules the dependencies are found as an installed package finds them.
  const parent = join(projectRoot, "node_modules/.cache/agentos-mcp-test");
  mkdirSync(parent, { recursive: true });
  const directory = realpathSync(mkdtempSync(join(parent, "package-")));
  const { version, files } = JSON.parse(
    readFileSync(join(projectRoot, "package.json"), "utf8"),
  ) as Manifest;
  for (const part of ["package.json", ...files].filter((name) =>
    existsSync(join(projectRoot, name)),
  )) {
    cpSync(join(projectRoot, part), join(directory, part), { recursive: true });
  }
  const fixture = fileURLToPath(new URL("../fixtures/tool-list.mjs", import.meta.url));
  if (options.hasRealTools !== true) {
    cpSync(fixture, join(directory, "dist/mcp-server/tool-list.js"));
  }
  if (options.hash !== undefined) writeFileSync(join(directory, "dist/build-id"), options.hash);
  if (options.serverEntry !== undefined) {
    writeFileSync(join(directory, "dist/mcp-server/server-process/main.js"), options.serverEntry);
  }
  const hash = readFileSync(join(directory, "dist/build-id"), "utf8").slice(0, 12);
  return {
    directory,
    binFile: join(directory, "bin/agentos-mcp.mjs"),
    buildId: `${version}-${hash}`,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
