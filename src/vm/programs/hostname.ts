import { defineProgram } from "./program.ts";

// Deviation: `hostname NAME` is refused: a VM's name is its client's to give.
export const main = defineProgram(
  {
    name: "hostname",
    usage: ["[OPTION]..."],
    summary: "Show the system's host name.",
    options: [
      { short: "s", long: "short", help: "short host name" },
      { short: "f", long: "fqdn", help: "long host name" },
      { long: "long", help: "long host name" },
      { short: "d", long: "domain", help: "DNS domain name" },
      { short: "i", long: "ip-address", help: "addresses for the host name" },
      { short: "I", long: "all-ip-addresses", help: "all addresses for the host" },
    ],
  },
  async (run) => {
    if (run.operands.length > 0) return run.fail("you don't have permission to set the host name");
    const { nodename } = await run.sys.uname();
    if (run.has("ip-address") || run.has("all-ip-addresses")) run.out.addText("127.0.0.1\n");
    else if (run.has("domain")) run.out.addText(`${nodename.split(".").slice(1).join(".")}\n`);
    else run.out.addText(`${run.has("short") ? nodename.split(".")[0] : nodename}\n`);
    return undefined;
  },
);
