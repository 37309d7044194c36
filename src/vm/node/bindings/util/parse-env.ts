// The lines of a .env file, as Dotenv::ParseContent of Node's src/node_dotenv.cc reads them.

/** Names and values; of several values of a name, the last. */
export function parseEnv(content: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  let rest = trim(content.replaceAll("\r", ""));
  while (rest !== "") rest = takeEntry(rest, values);
  const sorted = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.assign(Object.create(null), Object.fromEntries(sorted));
}

function trim(text: string): string {
  return text.replace(/^[ \t\n]+/, "").replace(/[ \t\n]+$/, "");
}

/** Reads one line, or an entry of several; what is left after it. */
function takeEntry(text: string, values: Record<string, string>): string {
  if (text.startsWith("\n") || text.startsWith("#")) return afterLine(text, 0);
  const at = text.search(/[=\n]/);
  if (at < 0) return "";
  if (text[at] === "\n") return trim(text.slice(at + 1));
  const given = trim(text.slice(0, at));
  const after = text.slice(at + 1);
  if (after === "" || after.startsWith("\n")) {
    values[given] = "";
    return after;
  }
  const rest = trim(after);
  if (given === "") return rest;
  const key = given.startsWith("export ") ? trim(given.slice(7)) : given;
  return takeValue(rest, key, values);
}

function takeValue(rest: string, key: string, values: Record<string, string>): string {
  const quote = rest[0] ?? "";
  if (!`'"\``.includes(quote) || quote === "") return takeBare(rest, key, values);
  const end = rest.indexOf(quote, 1);
  if (end < 0) return takeUnclosed(rest, key, values);
  const value = rest.slice(1, end);
  values[key] = quote === '"' ? value.replaceAll("\\n", "\n") : value;
  return afterLine(rest, end + 1);
}

function takeBare(rest: string, key: string, values: Record<string, string>): string {
  const [line = ""] = rest.split("\n", 1);
  const [value = ""] = line.split("#", 1);
  values[key] = trim(value);
  return trim(afterLine(rest, 0));
}

function takeUnclosed(rest: string, key: string, values: Record<string, string>): string {
  const [line = ""] = rest.split("\n", 1);
  values[key] = line;
  return trim(afterLine(rest, 0));
}

function afterLine(text: string, from: number): string {
  const at = text.indexOf("\n", from);
  return at < 0 ? "" : text.slice(at + 1);
}
