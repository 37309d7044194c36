// Listing directories: node_file.cc's readdir functions.
import { encodeUtf8 } from "../../native.ts";
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
      result: ([names, kinds]: [Name[], number[]]) => {
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
      result: ([names, kinds, counts, below]: [Name[], number[], number[], Name[]]) => {
        if (withTypes !== true) return encodeAll(fullNames(names, counts, below), encoding);
        const all = encodeAll(names, encoding);
        return [all, Uint8Array.from(kinds), Uint32Array.from(counts), encodeAll(below, encoding)];
      },
    }),
};

/** Bytes where it is no UTF-8. */
type Name = string | Uint8Array;

function encodeAll(names: Name[], encoding: unknown): unknown[] {
  return names.map((name) => encodeName(name, encoding));
}

/** Names with the directories they are in, from where the listing began. */
function fullNames(names: Name[], counts: number[], below: Name[]): Name[] {
  const full: Name[] = [];
  for (const [at, directory] of below.entries()) {
    const end = full.length + (counts[at] ?? 0);
    for (let index = full.length; index < end; index += 1)
      full.push(joined(directory, names[index] ?? ""));
  }
  return full;
}

function joined(directory: Name, name: Name): Name {
  if (directory === "") return name;
  if (typeof directory === "string" && typeof name === "string") return `${directory}/${name}`;
  const parts = [directory, "/", name].map((part) =>
    typeof part === "string" ? encodeUtf8(part) : part,
  );
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
