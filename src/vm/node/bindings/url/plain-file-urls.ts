// The addresses of files that a module loader deals in all the time, taken apart without the kernel. Only
// those that a URL parser would leave as they are; whatever else there is goes to the real parser.

/** Characters that mean themselves in a path, a URL and a module's name: no scheme, no escapes. */
const PLAIN = /^[\w\-.@+/]+$/;
const PREFIX = "file://";
/** ada's sign for a part that is not there. */
const OMITTED = 0xffff_ffff;
const FILE_SCHEME = 6;
/** Numbers of updateActions in lib/internal/url.js. */
const action = { search: 7, hash: 8 } as const;

/** Where the parts of such an address are, as ada::url_components. */
export const plainComponents: readonly number[] = [
  5,
  7,
  7,
  7,
  OMITTED,
  7,
  OMITTED,
  OMITTED,
  FILE_SCHEME,
];

/** The address; null where the input can be none; undefined where only the parser knows. */
export function parsePlain(input: string, base: string | undefined): string | null | undefined {
  if (isPlainFileUrl(input)) return input;
  if (!PLAIN.test(input)) return undefined;
  if (base === undefined) return null;
  if (!isPlainFileUrl(base) || input.startsWith("//")) return undefined;
  const path = input.startsWith("/")
    ? input
    : base.slice(PREFIX.length, base.lastIndexOf("/") + 1) + input;
  return fromPath(resolveDots(path));
}

/** As pathToFileURL, for a path that is resolved. */
export function plainFromPath(path: string): string | undefined {
  const href = PREFIX + path;
  return isPlainFileUrl(href) ? href : undefined;
}

/** Whether this change leaves the address as it is. */
export function isPlainUpdate(href: string, what: number, value: string): boolean {
  return value === "" && (what === action.search || what === action.hash) && isPlainFileUrl(href);
}

function isPlainFileUrl(text: string): boolean {
  if (!text.startsWith(PREFIX) || text[PREFIX.length] !== "/") return false;
  const path = text.slice(PREFIX.length);
  return PLAIN.test(path) && !path.includes("//") && !/\/\.{1,2}(?:\/|$)/.test(path);
}

function fromPath(path: string): string | undefined {
  return path.includes("//") ? undefined : PREFIX + path;
}

function resolveDots(path: string): string {
  if (!path.includes("/.")) return path;
  const parts = path.split("/");
  const kept: string[] = [];
  for (const part of parts) {
    if (part === "..") kept.length = Math.max(1, kept.length - 1);
    else if (part !== ".") kept.push(part);
  }
  const last = parts.at(-1);
  if (last === "." || last === "..") kept.push("");
  return kept.join("/");
}
