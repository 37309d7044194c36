/** Looks at what is in a directory by Node's own calls: one for the names, then one for each file. */
import { type Dir, lstatSync, opendirSync, readlinkSync } from "node:fs";
import { decodeText } from "../../../kernel/index.ts";
import { codeOf, factsOf, type TellFile } from "./reach.ts";

/** Names are bytes; a few are read at a time. */
export function openNames(path: string | Buffer): Dir {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- opendir takes "buffer" as readdir does; its types leave that out
  const options = { encoding: "buffer", bufferSize: 1024 } as unknown as { bufferSize: number };
  return opendirSync(path, options);
}

/** As Reach.lookThrough. */
export function lookThrough(directory: string | Buffer, most: number, tell: TellFile): boolean {
  const open = openNames(directory);
  const names: Buffer[] = [];
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      if (names.length >= most) return false;
      names.push(Buffer.from(entry.name));
    }
  } finally {
    open.closeSync();
  }
  for (const name of names) lookAt(directory, name, tell);
  return true;
}

/** As Reach.lookAt. */
export function lookAt(directory: string | Buffer, bytes: Buffer, tell: TellFile): void {
  const name = decodeText(bytes);
  // A text costs less than bytes; names that are no UTF-8 have none.
  const path =
    typeof directory === "string" && name.isWellFormed()
      ? `${directory}/${name}`
      : Buffer.concat([Buffer.from(directory), Buffer.from("/"), bytes]);
  try {
    const facts = factsOf(lstatSync(path, { bigint: true }));
    const isLink = facts.kind === "symlink";
    tell(name, facts, isLink ? decodeText(readlinkSync(path, { encoding: "buffer" })) : undefined);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "EINVAL") return;
    throw error;
  }
}
