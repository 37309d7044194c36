// Listing directories: node_file.cc's readdir functions.
import { pathOf } from "./check-arguments.ts";
import { encodeName } from "./encode-name.ts";
import { type Any, perform } from "./operation.ts";

export const directories = {
  readdir: (path: Any, encoding: Any, withTypes: Any, req: Any) =>
    perform(req, {
      call: "readdir",
      args: [pathOf(path)],
      syscall: "scandir",
      path,
      result: ([names, kinds]: [string[], number[]]) => {
        const encoded = encodeAll(names, encoding);
        return withTypes === true ? [encoded, kinds] : encoded;
      },
    }),
  readdirRecursive: (path: Any, encoding: Any, withTypes: Any, req: Any) =>
    perform(req, {
      call: "readdirRecursive",
      args: [pathOf(path)],
      syscall: "scandir",
      path,
      result: ([names, kinds, counts, below]: [string[], number[], number[], string[]]) => {
        if (withTypes !== true) return encodeAll(fullNames(names, counts, below), encoding);
        const all = encodeAll(names, encoding);
        return [all, Uint8Array.from(kinds), Uint32Array.from(counts), encodeAll(below, encoding)];
      },
    }),
};

function encodeAll(names: string[], encoding: unknown): unknown[] {
  if (encoding === "utf8" || encoding === undefined || encoding === null) return names;
  return names.map((name) => encodeName(name, encoding));
}

/** Names with the directories they are in, from where the listing began. */
function fullNames(names: string[], counts: number[], below: string[]): string[] {
  const full: string[] = [];
  for (const [at, directory] of below.entries()) {
    const end = full.length + (counts[at] ?? 0);
    for (let index = full.length; index < end; index += 1) {
      full.push(directory === "" ? (names[index] ?? "") : `${directory}/${names[index]}`);
    }
  }
  return full;
}
