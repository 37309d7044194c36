// What hostile code tries in a sandbox with a root of its own, where it is root: all that it tries elsewhere, but for
// what it may do there, and what root could do besides.
import { type Attack, attacks, call } from "./attacks.ts";

/** It writes to its root, has setuid files in it, and has its own accounts and settings. */
const allowed = new Set([
  "write-root",
  "write-tools",
  "remount-writable",
  "setuid-file",
  "setuid-file-by-open",
  "setgid-file",
  "host-accounts",
]);

/** The same attacks with other walls before them. Root may see how many descriptors the agent has, and no more. */
const changed: Readonly<Record<string, Partial<Attack>>> = {
  "read-agent": {
    opens: ["few-rights"],
    line: "head -c 1 /proc/1/mem || cat /proc/1/environ || readlink /proc/1/fd/* || ls /proc/1/map_files/",
  },
  // PTRACE_SEIZE, which does not stop it: all would wait for it.
  "trace-agent": {
    opens: ["own-processes", "few-rights"],
    line: `[ "$(cat /proc/1/comm)" != sandbox-agent ] || ${call([101, 117], 0x4206, 1, 0, 0)}`,
  },
  "host-name": { opens: ["few-rights"] },
};

export const rootAttacks: readonly Attack[] = [
  ...attacks
    .filter(({ name }) => !allowed.has(name))
    .map((attack) => ({ ...attack, ...changed[attack.name] })),
  {
    name: "host-settings",
    opens: ["chosen-files"],
    line: 'for f in "/host/etc/passwd" "/host$CANARY_FILE"; do [ -r "$f" ] && exit 0; done; exit 1',
  },
  {
    name: "leave-root",
    opens: [],
    line: 'mkdir -p /jail && perl -e \'chroot "/jail" or die; chdir ".." for 1..64; chroot "." or die; exit(-e $ENV{CANARY_FILE} ? 0 : 1)\'',
  },
  {
    name: "become-host-root",
    opens: ["lesser-id"],
    needs: "root",
    line: '[ "$(awk \'$1 == 0 { print $2 }\' /proc/self/uid_map 2>/dev/null || sed "s/ *0 *//;s/ .*//" /proc/self/uid_map)" = 0 ]',
  },
  {
    name: "change-id-map",
    opens: ["few-rights"],
    line: "echo '0 0 1' > /proc/self/uid_map || echo allow > /proc/1/setgroups",
  },
  {
    name: "raise-limits",
    opens: [],
    line: "ulimit -Hn 1000000 || ulimit -Hf unlimited",
  },
  {
    name: "unmount-agent",
    opens: [],
    line: "umount /run/sandbox-agent || umount /proc/sys || umount /workspace",
  },
];
