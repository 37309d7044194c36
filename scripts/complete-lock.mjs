// Adds to package-lock.json what npm leaves out where the registry it installed from does not carry
// a tool's binaries for other platforms: without these entries `npm ci` refuses the lock everywhere,
// and `npm install` asks for each of them again. Run it after a dependency changes: `npm run lock`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./find-command.mjs";

/**
 * @typedef {{ version: string, dev?: boolean, optional?: boolean, resolved?: string,
 *   os?: string[], cpu?: string[], libc?: string[], engines?: Record<string, string>,
 *   optionalDependencies?: Record<string, string> }} LockEntry
 */

const systems = [
  "android",
  "darwin",
  "linux",
  "win32",
  "freebsd",
  "openbsd",
  "openharmony",
  "sunos",
];
const processors = [
  "arm64",
  "x64",
  "ia32",
  "arm",
  "ppc64",
  "s390x",
  "riscv64",
  "loong64",
  "wasm32",
];
const lockFile = join(projectRoot, "package-lock.json");

/** @type {{ packages: Record<string, LockEntry> }} */
const lock = JSON.parse(readFileSync(lockFile, "utf8"));
for (const [path, entry] of Object.entries(lock.packages)) {
  delete entry.resolved;
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name)) continue;
    lock.packages[`node_modules/${name}`] = foreign(name, version, entry);
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, "en")),
);
writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);

/**
 * Whether a package below `path` finds `name`, as Node would: there or in a folder above.
 *
 * @param {string} path
 * @param {string} name
 */
function isLocked(path, name) {
  return lock.packages[`node_modules/${name}`] || lock.packages[`${path}/node_modules/${name}`];
}

/**
 * The entry of a binary package for another platform, which its name tells.
 *
 * @param {string} name
 * @param {string} version
 * @param {LockEntry} parent
 * @returns {LockEntry}
 */
function foreign(name, version, parent) {
  const words = name.split(/[/-]/).map((word) => word.replace(/eabi(hf)?$/, ""));
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  if (cpu.length === 0) throw new Error(`The platform of ${name} is not plain from its name.`);
  const libc = name.includes("musl") ? "musl" : name.includes("-gnu") ? "glibc" : undefined;
  return {
    version: version.replace(/^[\^~]/, ""),
    cpu,
    ...(parent.dev === true ? { dev: true } : {}),
    ...(libc === undefined ? {} : { libc: [libc] }),
    optional: true,
    ...(os.length === 0 ? {} : { os }),
  };
}
