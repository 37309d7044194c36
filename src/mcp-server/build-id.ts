// Which build of which version this code is. Runs on Node 20.
import { readFileSync } from "node:fs";

/** The package's version and the name of its build: processes of different builds do not talk. */
export interface Build {
  readonly version: string;
  /** Version and the first digits of the sources' hash, fit for a file name. */
  readonly id: string;
}

/** Reads both from the files of this package. Code that runs from its sources has the build "source". */
export function readBuild(): Build {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const version = versionOf(manifest);
  if (import.meta.url.endsWith(".ts")) return { version, id: `${version}-source` };
  const hash = readFileSync(new URL("../build-id", import.meta.url), "utf8").trim();
  return { version, id: `${version}-${hash.slice(0, 12)}` };
}

function versionOf(manifest: unknown): string {
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) {
    return String(manifest.version);
  }
  throw new Error("The package has no version.");
}
