// Names of machines and services as the VM's /etc knows them, see hosts(5), services(5), resolv.conf(5).
import { domainToASCII } from "node:url";
import { isKernelError, O_CLOEXEC, O_RDONLY } from "../../../../kernel/index.ts";
import { int, text } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";

type Sys = Guest["sys"];

/** What is read of such a file. */
const FILE_BYTES = 1 << 20;

export const hostNameCalls: Calls = {
  /** The addresses of a name; none when it has none. */
  async addressesOf({ sys }, args) {
    const given = text(args, 0);
    const name = (domainToASCII(given) || given).toLowerCase();
    const lines = await linesOf(sys, "/etc/hosts");
    const found = lines.filter(([, ...names]) => names.some((one) => one.toLowerCase() === name));
    return [...new Set(found.map(([address = ""]) => address))];
  },
  /** The first name of an address; undefined when it has none. */
  async nameOf({ sys }, args) {
    const address = text(args, 0);
    const line = (await linesOf(sys, "/etc/hosts")).find(([one]) => one === address);
    return line?.[1];
  },
  /** The name of a TCP port, its number when it has none. */
  async serviceOf({ sys }, args) {
    const port = `${int(args, 0)}/tcp`;
    const line = (await linesOf(sys, "/etc/services")).find(([, one]) => one === port);
    return line?.[0] ?? String(int(args, 0));
  },
  /** Who is asked about names that are not in /etc/hosts. */
  async nameServers({ sys }) {
    const lines = await linesOf(sys, "/etc/resolv.conf");
    return lines.filter(([word]) => word === "nameserver").map(([, address = ""]) => address);
  },
};

/** The words of each line; a file that cannot be read has none. */
async function linesOf(sys: Sys, path: string): Promise<string[][]> {
  try {
    const fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
    try {
      const into = new Uint8Array(FILE_BYTES);
      const content = new TextDecoder().decode(into.subarray(0, await sys.read(fd, into)));
      const lines = content.split("\n").map((line) => line.replace(/[#;].*$/, "").trim());
      return lines.filter((line) => line !== "").map((line) => line.split(/\s+/));
    } finally {
      await sys.close(fd);
    }
  } catch (error) {
    if (isKernelError(error)) return [];
    throw error;
  }
}
