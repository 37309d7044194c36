// Who a client is, over connections and servers: its name and its project.
import { createHash } from "node:crypto";
import { basename } from "node:path";

export interface ClientIdentity {
  /** What it says its name is. */
  readonly name: string;
  /** The path of the project it works in; empty where it has none. Only compared, never opened. */
  readonly project: string;
}

/** A VM's name has 63 characters at most: two words, a key and two hyphens. */
const wordLength = 24;
const keyLength = 6;

/** One text for each client. */
export function clientKey({ name, project }: ClientIdentity): string {
  return JSON.stringify([name, project]);
}

/** The VM that a client gets without naming one: `claude-code-shop-k3f9a2`. */
export function ownVmName(identity: ClientIdentity): string {
  const digest = createHash("sha256").update(clientKey(identity)).digest();
  const key = BigInt(`0x${digest.toString("hex")}`)
    .toString(36)
    .slice(0, keyLength);
  const words = [wordOf(identity.name) || "client", wordOf(basename(identity.project)), key];
  return words.filter((word) => word !== "").join("-");
}

/** What of a text can be part of a VM's name. */
function wordOf(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return plain.slice(0, wordLength).replace(/^-+|-+$/g, "");
}
