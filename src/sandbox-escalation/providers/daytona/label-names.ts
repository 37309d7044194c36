// Daytona searches for labels by paths, in which a dot goes down a level: ours have dashes there.

export function toDaytona(labels: Readonly<Record<string, string>>): Record<string, string> {
  return rename(labels, (name) => name.replaceAll(".", "-"));
}

export function fromDaytona(labels: Readonly<Record<string, string>>): Record<string, string> {
  return rename(labels, (name) => name.replace(/^agentos-mcp-/, "agentos-mcp."));
}

function rename(
  labels: Readonly<Record<string, string>>,
  nameOf: (name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [nameOf(name), value]));
}
