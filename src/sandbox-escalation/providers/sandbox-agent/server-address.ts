import { BlockList, isIP } from "node:net";
import { SandboxError } from "../../provider.ts";

/** Where a sandbox-agent server is, and how it knows us: the operator's. */
export interface SandboxAgentAccess {
  /** `https://…`; `http://` to this machine's own loopback only. */
  readonly url: string;
  readonly token: string;
  /** Where sandboxes are there; without it `.agentos-mcp/sandboxes` in the home of the server's user. */
  readonly directory?: string;
}

/** What is wrong with it, in words for the operator; undefined where nothing is. */
export function findFaultOfAccess({
  url,
  token,
  directory,
}: SandboxAgentAccess): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    return "The server's url must be one of http or https.";
  if (
    parsed.username !== "" ||
    parsed.password !== "" ||
    parsed.search !== "" ||
    parsed.hash !== ""
  )
    return "The server's url must have no user, password, query or fragment.";
  if (parsed.protocol === "http:" && !isLoopback(parsed.hostname))
    return "The server's url must be https: the token would go over the network for all to read.";
  // What a header can hold.
  if (!/^[\x21-\x7e]{1,4096}$/.test(token)) return "The server's token must be visible ASCII.";
  if (directory !== undefined && !/^(\/[A-Za-z0-9._+@-]+)+$/.test(directory))
    return "The directory must be an absolute path of letters, digits and ._+@-.";
  return undefined;
}

/** SandboxError "unavailable". */
export function requireAccess(access: SandboxAgentAccess | undefined): SandboxAgentAccess {
  if (access === undefined)
    throw new SandboxError("unavailable", `${NO_ACCESS.reason} To allow it: ${NO_ACCESS.fix}.`);
  const fault = findFaultOfAccess(access);
  if (fault !== undefined) throw new SandboxError("unavailable", fault);
  return access;
}

export const NO_ACCESS = {
  reason: "There is no token for the sandbox-agent server.",
  fix: "set SANDBOX_AGENT_TOKEN",
} as const;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

function isLoopback(hostname: string): boolean {
  if (hostname === "localhost") return true;
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 4 ? "ipv4" : "ipv6");
}
