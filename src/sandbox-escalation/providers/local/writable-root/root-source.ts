// What the image of a sandbox with a root of its own says: a directory or an archive of the operator's, or the name of
// what a sandbox before it kept.
import { createHash } from "node:crypto";
import { closeSync, lstatSync, openSync, readSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { SandboxError } from "../../../provider.ts";

export type RootSource =
  | { readonly kind: "directory" | "archive"; readonly path: string; readonly mark: string }
  | { readonly kind: "kept"; readonly name: string };

/** SandboxError "unsupported" for what is none. */
export function readRootSource(image: string): RootSource {
  if (!isAbsolute(image)) {
    if (isKeptName(image)) return { kind: "kept", name: image };
    throw new SandboxError("unsupported", `${describeImage(image)}.`);
  }
  const path = resolve(image);
  if (path === "/")
    throw new SandboxError("unsupported", `${describeImage(image)}: that is the host.`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new SandboxError("unsupported", `${describeImage(image)}: it is not there.`);
  if (found.isFile()) return { kind: "archive", path, mark: markOf([path]) };
  if (!found.isDirectory())
    throw new SandboxError("unsupported", `${describeImage(image)}: it is neither.`);
  const isRoot = isThere(join(path, "bin", "sh")) || isThere(join(path, "usr", "bin", "sh"));
  if (!isRoot)
    throw new SandboxError("unsupported", `${describeImage(image)}: there is no bin/sh in it.`);
  const telling = ["", ...tellingNames].map((name) => join(path, name));
  return { kind: "directory", path, mark: markOf(telling) };
}

/** The option of tar(1) for how an archive is packed, by its first bytes. */
function findTarOption(descriptor: number): string[] {
  const start = Buffer.alloc(6);
  readSync(descriptor, start, 0, start.length, 0);
  const found = packings.find(({ magic }) => start.subarray(0, magic.length).equals(magic));
  return found === undefined ? [] : [found.option];
}

/** A descriptor to be closed, and the options of tar(1) that it takes. */
export function openArchive(path: string): {
  readonly descriptor: number;
  readonly options: string[];
} {
  const descriptor = openSync(path, "r");
  try {
    return { descriptor, options: findTarOption(descriptor) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** What `sandbox snapshot` takes, but for the image that is the host's tools. */
export function isKeptName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,62}$/.test(name) && name !== "host";
}

const packings = [
  { magic: Buffer.from([0x1f, 0x8b]), option: "--gzip" },
  { magic: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), option: "--xz" },
  { magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), option: "--zstd" },
  { magic: Buffer.from("BZh"), option: "--bzip2" },
];

/** What changes when something is installed in a root. */
const tellingNames = [
  "etc",
  "usr/bin",
  "usr/lib",
  "bin",
  "lib",
  "var/lib/dpkg/status",
  "lib/apk/db/installed",
];

export function describeImage(image: string): string {
  return `The image of a local sandbox is "host", the path of a root (a directory or a tar archive) or the name of a snapshot, not "${image}"`;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Says whether something is still what it was. */
function markOf(paths: readonly string[]): string {
  const facts = paths.map((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? [] : [path, found.ino, found.size, found.mtimeMs];
  });
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 32);
}
