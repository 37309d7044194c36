// Copies isolated-vm's prebuilt binaries into the build, so that whoever installs this package runs
// no install script: isolated-vm's own compiles, or fails, under every Node but the pinned one.
// Source imports it as "#isolated-vm" (package.json, "imports").
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./find-command.mjs";

/** The lookup that isolated-vm leaves to node-gyp-build, for the files copied here and no others. */
const entry = `"use strict";
const { existsSync } = require("node:fs");
const { arch, platform, versions } = process;
const libc = existsSync("/etc/alpine-release") ? ".musl" : ".glibc";
const tag = \`abi\${versions.modules}\${platform === "linux" ? libc : ""}\`;
module.exports = require(\`./prebuilds/\${platform}-\${arch}/isolated-vm.\${tag}.node\`).ivm;
`;

/**
 * Writes the folder isolated-vm/ into the build directory `into`.
 *
 * @param {string} into
 */
export function vendorIsolatedVm(into) {
  const from = join(projectRoot, "node_modules", "isolated-vm");
  const to = join(into, "isolated-vm");
  mkdirSync(to, { recursive: true });
  cpSync(join(from, "prebuilds"), join(to, "prebuilds"), { recursive: true });
  copyFileSync(join(from, "LICENSE"), join(to, "LICENSE"));
  writeFileSync(join(to, "index.cjs"), entry);
}

/**
 * Writes the folder guest-binding/, the guest's native module, into the build directory `into`.
 *
 * @param {string} into
 */
export function vendorGuestBinding(into) {
  const from = join(projectRoot, "native", "guest-binding", "prebuilt");
  cpSync(from, join(into, "guest-binding"), { recursive: true });
}
