// What a sandbox with the host's tools sees, as arguments of bubblewrap: the programs of the host read-only, the
// files of /etc that programs need, made-up accounts, and a few places to write.
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import type { SandboxLimits } from "../../provider.ts";
import type { Protection } from "./protections.ts";

export interface ViewOptions {
  /** Where bubblewrap finds the two directories that are kept. */
  readonly workspace: string;
  readonly home: string;
  readonly limits: SandboxLimits;
  readonly without: ReadonlySet<Protection>;
  /** Opens a descriptor in the child whose content is this; answers its number. */
  readonly lend: (content: string) => number;
}

/** Where things are inside. */
export const insidePaths = {
  workspace: "/workspace",
  /** What it is called in VMs. */
  alsoWorkspace: "/sandbox",
  home: "/home/user",
} as const;

/** Who processes are inside: the account of a VM. */
export const INSIDE_ID = 1000;

export function describeView(options: ViewOptions): string[] {
  const { limits, without } = options;
  const temporary = ["--perms", "1777", "--size", temporaryBytesOf(limits), "--tmpfs"];
  return [
    ...(without.has("chosen-files") ? ["--ro-bind", "/", "/host"] : []),
    ...hostPrograms(),
    ...["--perms", "0755", "--dir", "/etc", "--perms", "0755", "--dir", "/home"],
    ...hostSettings(),
    ...accounts(options.lend),
    ...describeProc(without),
    ...describeDevices(limits, without),
    ...[...temporary, "/tmp"],
    ...["--perms", "0755", "--size", String(RUN_BYTES), "--tmpfs", "/run"],
    ...["--dir", "/var", "--symlink", "/tmp", "/var/tmp", "--symlink", "/run", "/var/run"],
    ...["--bind", options.workspace, insidePaths.workspace],
    ...["--symlink", insidePaths.workspace, insidePaths.alsoWorkspace],
    ...["--bind", options.home, insidePaths.home],
  ];
}

/** Of a place in memory that may be written to. */
export function temporaryBytesOf(limits: SandboxLimits): string {
  return String(Math.min(limits.diskMb, Math.ceil(limits.memoryMb / 2)) * MEBIBYTE);
}

export function describeProc(without: ReadonlySet<Protection>): string[] {
  return [
    ...["--proc", "/proc"],
    // Settings of the namespaces would be writable to who owns them.
    ...(without.has("lesser-id") ? [] : ["--ro-bind", "/proc/sys", "/proc/sys"]),
    ...maskedProc.flatMap((path) => (existsSync(path) ? ["--ro-bind", "/dev/null", path] : [])),
  ];
}

export function describeDevices(limits: SandboxLimits, without: ReadonlySet<Protection>): string[] {
  const temporary = ["--perms", "1777", "--size", temporaryBytesOf(limits), "--tmpfs"];
  return [
    ...["--dev", "/dev", ...temporary, "/dev/shm"],
    ...(without.has("read-only-root") ? [] : ["--remount-ro", "/dev"]),
  ];
}

/** Programs find these where the host has them, be they directories or links into /usr. */
export function hostPrograms(): string[] {
  const roots = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
  return [...["--ro-bind", "/usr", "/usr"], ...roots.flatMap(show)];
}

/** Links stay links: they lead where they lead inside. What is not there is left out. */
function show(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isSymbolicLink()) return ["--symlink", readlinkSync(path), path];
  return found.isDirectory() ? ["--ro-bind-try", path, path] : [];
}

function hostSettings(): string[] {
  return settings.flatMap((name) =>
    existsSync(`/etc/${name}`) ? ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`] : [],
  );
}

function accounts(lend: (content: string) => number): string[] {
  const files: Readonly<Record<string, string>> = {
    passwd:
      `root:x:0:0:root:/root:/bin/sh\nuser:x:${INSIDE_ID}:${INSIDE_ID}:user:${insidePaths.home}:/bin/sh\n` +
      "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    group: `root:x:0:\nuser:x:${INSIDE_ID}:\nnogroup:x:65534:\n`,
    hosts: "127.0.0.1 localhost sandbox\n::1 localhost\n",
    hostname: "sandbox\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
  };
  return Object.entries(files).flatMap(([name, content]) => [
    ...["--perms", "0444", "--ro-bind-data", String(lend(content)), `/etc/${name}`],
  ]);
}

/** What programs of /usr read to work as they do on the host; nothing of who uses it. */
const settings = [
  "alternatives",
  "ca-certificates",
  "ca-certificates.conf",
  "chromium",
  "chromium.d",
  "debian_version",
  "fonts",
  "java",
  "java-17-openjdk",
  "java-21-openjdk",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "magic",
  "mime.types",
  "mke2fs.conf",
  "os-release",
  "perl",
  "pki/ca-trust",
  "pki/tls",
  "protocols",
  "python3",
  "python3.11",
  "python3.12",
  "python3.13",
  "services",
  "ssl/certs",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
];

/** Files of /proc that tell of the host and that nothing here needs. */
const maskedProc = [
  "/proc/kcore",
  "/proc/keys",
  "/proc/key-users",
  "/proc/sched_debug",
  "/proc/timer_list",
  "/proc/sysrq-trigger",
];

const MEBIBYTE = 1024 * 1024;
const RUN_BYTES = 16 * MEBIBYTE;
