/** npmrc files: `key = value` lines, `key[] = value` for lists, `${NAME}` from the environment. */

/** More lines than this are not read. */
const LINE_LIMIT = 10_000;

export function parseIni(
  text: string,
  environment: ReadonlyMap<string, string>,
): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/).slice(0, LINE_LIMIT)) {
    const match = /^\s*([^;#\s=][^=]*?)\s*(?:=\s*(.*?)\s*)?$/.exec(line);
    if (match === null || line.trim().startsWith("[")) continue;
    const key = match[1] ?? "";
    const value = expand(unquote(match[2] ?? "true"), environment);
    if (key.endsWith("[]")) {
      const name = key.slice(0, -2).trim();
      settings.set(name, [...(settings.get(name) ?? []), value]);
    } else settings.set(key, [value]);
  }
  return settings;
}

function unquote(value: string): string {
  const quoted = /^"(.*)"$/s.exec(value) ?? /^'(.*)'$/s.exec(value);
  if (quoted !== null) return (quoted[1] ?? "").replaceAll('\\"', '"');
  return value.replace(/\s+[;#].*$/s, "");
}

function expand(value: string, environment: ReadonlyMap<string, string>): string {
  return value.replace(
    /(\\*)\$\{([^}?]+)(\?)?\}/g,
    (whole, slashes: string, name: string, isOptional: string | undefined) => {
      if (slashes.length % 2 === 1) return whole.slice(1);
      return environment.get(name) ?? (isOptional === undefined ? whole : "");
    },
  );
}

/** The file with a setting changed or, where `values` is undefined, taken out. Other lines stay. */
export function changeIni(
  text: string,
  key: string,
  values: readonly string[] | undefined,
  isList = false,
): string {
  const kept = text
    .split("\n")
    .filter((line) => line.split("=")[0]?.trim().replace(/\[\]$/, "") !== key);
  while (kept.at(-1) === "") kept.pop();
  for (const value of values ?? []) kept.push(`${key}${isList ? "[]" : ""}=${quote(value)}`);
  return kept.length === 0 ? "" : `${kept.join("\n")}\n`;
}

function quote(value: string): string {
  return /[;#"]|^\s|\s$|^$|^\[/.test(value) ? JSON.stringify(value) : value;
}
