/** Paths as Node's `path` has them: absolute, without `.` and `..`, links not followed. */

/** `path` seen from `base`, which is absolute. */
export function resolveFrom(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

export function parentOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at <= 0 ? "/" : path.slice(0, at);
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The path and every folder above it, up to the root. */
export function withAncestors(path: string): string[] {
  const all = [path];
  for (let at = path; at !== "/"; ) {
    at = parentOf(at);
    all.push(at);
  }
  return all;
}

export function isInside(path: string, folder: string): boolean {
  return folder === "/" ? path !== "/" : path.startsWith(`${folder}/`);
}

/** `below(a, b)` without doubling the root's slash. */
export function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
