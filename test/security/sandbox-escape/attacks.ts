// What hostile code in a local sandbox tries: each attack says whether it got through. `opens` names the
// protections without which it does, so that the suite shows that it would notice.
import type { Protection } from "../../../src/sandbox-escalation/providers/local/protections.ts";

export interface Attack {
  readonly name: string;
  readonly opens: readonly Protection[];
  /** A line of sh that exits with 0 when it got through. $VARIABLES are the canaries. */
  readonly line: string;
  /** Got through only as root, or where the kernel has the thing at all. */
  readonly needs?: "root";
}

/** A system call by perl: 0 and above got through. The number on x64, then on arm64. */
export function call(numbers: readonly [number, number], ...args: (number | string)[]): string {
  const list = args.map((value) =>
    typeof value === "string" ? `(my $s${Math.abs(value.length)} = ${value})` : value,
  );
  return `perl -e 'my $n = \`uname -m\` =~ /aarch64/ ? ${numbers[1]} : ${numbers[0]}; exit(syscall(${["$n", ...list].join(", ")}) < 0 ? 1 : 0)'`;
}

export const attacks: readonly Attack[] = [
  {
    name: "host-file",
    opens: ["chosen-files"],
    line: 'grep -q secret "$CANARY_FILE" 2>/dev/null || grep -q secret "/host$CANARY_FILE"',
  },
  {
    name: "host-accounts",
    opens: ["chosen-files"],
    line: "cmp -s /etc/machine-id /dev/null; for f in /etc/machine-id /host/etc/machine-id /etc/fstab /host/etc/fstab /host/etc/passwd /root/.profile; do [ -r $f ] && exit 0; done; exit 1",
  },
  {
    name: "core-pattern",
    opens: ["lesser-id"],
    needs: "root",
    line: 'perl -e \'exit(open(my $f, "+<", "/proc/sys/kernel/core_pattern") ? 0 : 1)\'',
  },
  {
    name: "kernel-settings",
    opens: ["lesser-id"],
    needs: "root",
    line: "for f in /proc/sys/kernel/* /proc/sys/vm/* /proc/sys/fs/* /proc/sysrq-trigger; do [ -f $f ] && perl -e 'exit(open(my $f, \"+<\", $ARGV[0]) ? 0 : 1)' $f 2>/dev/null && exit 0; done; exit 1",
  },
  {
    name: "server-environment",
    opens: ["empty-environment"],
    line: 'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep -q "^$CANARY_NAME="',
  },
  { name: "vsock", opens: ["seccomp"], line: call([41, 198], 40, 1, 0) },
  { name: "algorithm-socket", opens: ["seccomp"], line: call([41, 198], 38, 5, 0) },
  { name: "packet-socket", opens: [], line: call([41, 198], 17, 3, 768) },
  { name: "io-uring", opens: ["seccomp"], line: call([425, 425], 8, '"\\0" x 248') },
  { name: "keyring", opens: ["seccomp"], line: call([250, 219], 0, -3, 1) },
  { name: "bpf", opens: [], line: call([321, 280], 0, '"\\0" x 128', 128) },
  { name: "perf-events", opens: [], line: call([298, 241], '"\\1" x 128', 0, -1, -1, 0) },
  { name: "user-namespace", opens: ["seccomp"], line: call([272, 97], 0x10000000) },
  {
    name: "user-namespace-by-clone",
    opens: ["seccomp"],
    line: "unshare --user --map-root-user true",
  },
  { name: "mount", opens: [], line: call([165, 40], '"none"', '"/tmp"', '"tmpfs"', 0, 0) },
  {
    name: "remount-writable",
    opens: [],
    line: "mount -o remount,rw,bind /usr && touch /usr/escaped",
  },
  { name: "open-by-handle", opens: [], line: call([304, 265], -100, '"\\0" x 128', 0) },
  {
    name: "setuid-file",
    opens: ["seccomp"],
    line: "cp /bin/true setuid && chmod 4755 setuid && [ -u setuid ]",
  },
  {
    name: "setuid-file-by-open",
    opens: ["seccomp"],
    line: "perl -e 'use Fcntl; umask 0; exit(sysopen(my $f, \"opened-setuid\", O_CREAT|O_RDWR, 04755) ? 0 : 1)' && [ -u opened-setuid ]",
  },
  {
    name: "setgid-file",
    opens: ["seccomp"],
    line: "cp /bin/true setgid && chmod 2755 setgid && [ -g setgid ]",
  },
  { name: "write-root", opens: ["read-only-root"], line: "touch /escaped" },
  { name: "write-devices", opens: ["read-only-root"], line: "touch /dev/escaped" },
  { name: "write-tools", opens: [], line: "touch /usr/bin/escaped || touch /bin/escaped" },
  { name: "make-device", opens: [], line: "mknod disk b 8 0 || mknod memory c 1 1" },
  {
    name: "host-disks",
    opens: [],
    line: "ls /dev | grep -E '^(sd|vd|nvme|xvd|mem|kmsg|kvm|fuse|loop)'",
  },
  {
    name: "host-loopback",
    opens: ["own-network"],
    line: "perl -e 'use IO::Socket::INET; exit(IO::Socket::INET->new(PeerAddr => \"127.0.0.1:$ENV{CANARY_PORT}\", Timeout => 2) ? 0 : 1)'",
  },
  {
    name: "abstract-socket",
    opens: ["own-network"],
    line: "perl -e 'use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0); exit(connect($s, pack(\"S x a*\", AF_UNIX, $ENV{CANARY_SOCKET})) ? 0 : 1)'",
  },
  {
    name: "outside-network",
    opens: ["own-network"],
    line: "perl -e 'use IO::Socket::INET; exit(IO::Socket::INET->new(PeerAddr => \"192.0.2.1:80\", Timeout => 1) || $! !~ /unreachable/i ? 0 : 1)'",
  },
  {
    name: "other-processes",
    opens: ["own-processes"],
    line: 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " " | grep -q "slee[p] $CANARY_SECONDS"',
  },
  { name: "signal-server", opens: [], line: 'kill -0 "$CANARY_PID"' },
  { name: "other-workspace", opens: [], line: 'ls "$CANARY_WORKSPACE" /workspace/../workspace-2' },
  {
    name: "trace-agent",
    opens: ["own-processes"],
    line: `[ "$(cat /proc/1/comm)" != sandbox-agent ] || ${call([101, 117], 16, 1, 0, 0)}`,
  },
  {
    name: "read-agent",
    opens: ["lesser-id"],
    line: "head -c 1 /proc/1/mem || ls /proc/1/fd/ || cat /proc/1/environ",
  },
  {
    name: "end-agent",
    opens: [],
    line: "kill -9 1; kill -TERM 1; kill -STOP 1; sleep 0.1; exit 1",
  },
  { name: "host-sockets", opens: [], line: "find / -xdev -type s 2>/dev/null | grep ." },
  { name: "kernel-log", opens: [], line: call([103, 116], 3, '" " x 64', 64) },
  {
    name: "kernel-memory",
    opens: [],
    line: "head -c 1 /proc/kcore | grep -q . || head -c 1 /dev/mem",
  },
  { name: "set-clock", opens: [], line: call([227, 112], 0, '"\\0" x 16') },
  { name: "host-name", opens: [], line: "hostname escaped" },
];
