/** Which hosts and ports a sandbox may connect to: "example.org", "*.example.org", "example.org:8443". */
interface HostRule {
  readonly host: string;
  /** Whether what is below the host is meant, and not the host itself. */
  readonly isBelow: boolean;
  /** Undefined: those of HTTP and HTTPS. */
  readonly port: number | undefined;
}

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

export class HostRules {
  readonly #rules: readonly HostRule[];

  constructor(texts: readonly string[]) {
    this.#rules = texts.map(parseRule);
  }

  allows(host: string, port: number): boolean {
    const name = plainHost(host);
    return this.#rules.some(
      (rule) =>
        (rule.isBelow ? name.endsWith(`.${rule.host}`) : name === rule.host) &&
        (rule.port === undefined ? WEB_PORTS.has(port) : rule.port === port),
    );
  }
}

/** Without brackets, in lower case, without the root's dot: all spellings of a host are one. */
export function plainHost(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();
}

/** Colons without brackets are an IPv6 address's own. */
function parseRule(text: string): HostRule {
  const found = /^(\*\.)?(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text);
  const [, below, host = text, port] = found ?? [];
  return {
    host: plainHost(host),
    isBelow: below !== undefined,
    port: port === undefined ? undefined : Number(port),
  };
}
