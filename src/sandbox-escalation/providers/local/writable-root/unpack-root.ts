// Makes the layer that sandboxes of one image share: unpacked once, as the root of their user namespace, so that no file
// of it belongs to an account of the host.
import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { openArchive, type RootSource } from "./root-source.ts";
import { type ConfinedHost, runConfined } from "./run-confined.ts";

type Unpackable = Exclude<RootSource, { readonly kind: "kept" }>;

/** Into an empty directory that belongs to the namespace's root. SandboxError "failed" with tar's words. */
export async function unpackRoot(
  host: ConfinedHost,
  source: Unpackable,
  directory: string,
): Promise<void> {
  if (source.kind === "archive") return await unpackArchive(host, source.path, directory);
  if (host.become !== undefined) return await copyAsRoot(host, source.path, directory);
  const line = `tar -C /b ${packOptions.join(" ")} | (${UNPACK})`;
  const argv = ["sh", "-c", line, "sh", host.ids.kind];
  await runConfined(host, { argv, directories: [directory, source.path] });
}

async function unpackArchive(host: ConfinedHost, path: string, directory: string): Promise<void> {
  const { descriptor, options } = openArchive(path);
  try {
    const argv = ["sh", "-c", UNPACK, "sh", host.ids.kind, ...options];
    await runConfined(host, { argv, directories: [directory], input: descriptor });
  } finally {
    closeSync(descriptor);
  }
}

/** Files of a root that root made belong to the host's own ids: only the host can read whose they are. */
async function copyAsRoot(host: ConfinedHost, path: string, directory: string): Promise<void> {
  const pack = spawn("tar", ["-C", path, ...packOptions], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  // Without a tar there is nothing to unpack: what unpacks says so.
  pack.on("error", () => pack.stdout.destroy());
  const argv = ["sh", "-c", UNPACK, "sh", host.ids.kind];
  await runConfined(host, { argv, directories: [directory], input: pack.stdout });
}

const packOptions = [
  "--numeric-owner",
  "--one-file-system",
  "--exclude=./dev/*",
  "--exclude=./proc/*",
  "--exclude=./sys/*",
  "-cf",
  "-",
  ".",
];

/** $1 is the kind of ids, the rest options of tar. Devices cannot be made, and a sandbox has its own. */
const UNPACK = `
set -e
cd /a
kind=$1
shift
[ "$kind" = range ] || set -- "$@" --no-same-owner
tar --numeric-owner --same-permissions --exclude='./dev/*' --exclude='dev/*' "$@" -xf -
chmod 755 .
[ -e bin/sh ] || [ -L bin/sh ] || [ -L bin ] || { echo 'there is no bin/sh in it' >&2; exit 1; }
mkdir -p etc
[ -e etc/hosts ] || [ -L etc/hosts ] || printf '127.0.0.1 localhost sandbox\\n::1 localhost\\n' > etc/hosts
[ "$kind" = range ] || [ ! -d etc/apt/apt.conf.d ] || echo 'APT::Sandbox::User "root";' > etc/apt/apt.conf.d/00-one-account
`;
