import { memfs } from "memfs";
import type { NodeFs, StatFacts } from "./node-world.ts";
import { NodeWorld } from "./node-world.ts";
import type { Operation, Outcome } from "./operation.ts";

export interface World {
  run(operation: Operation): Promise<Outcome>;
}

/** Every path with what is there: kind, mode, owner, links, size, content or target. */
export async function describeTree(world: World, path = "/"): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const pending = [path];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const stat = (await valueOf(world, { op: "lstat", path: at })) as StatFacts;
    const detail = await describeContent(world, at, stat.kind);
    found.set(at, `${JSON.stringify(stat)} ${JSON.stringify(detail)}`);
    if (stat.kind !== "directory") continue;
    for (const entry of detail as string[]) {
      pending.push(`${at === "/" ? "" : at}/${entry.slice(0, entry.lastIndexOf(" "))}`);
    }
  }
  return found;
}

async function describeContent(world: World, path: string, kind: string): Promise<unknown> {
  if (kind === "directory") return valueOf(world, { op: "readdir", path });
  if (kind === "symlink") return valueOf(world, { op: "readlink", path });
  return valueOf(world, { op: "readFile", path });
}

async function valueOf(world: World, operation: Operation): Promise<unknown> {
  const outcome = await world.run(operation);
  if ("value" in outcome) return outcome.value;
  throw new Error(`${JSON.stringify(operation)} failed with ${outcome.errno}`);
}

/** A memfs that holds the same tree. */
export function copyToMemfs({ fs, root }: NodeWorld): NodeWorld {
  const copy = memfs({}, "/").fs as unknown as NodeFs;
  const firstNames = new Map<number, string>();
  /** Modes come last, the deepest first: memfs holds root to them. */
  const lastSteps: (() => void)[] = [];
  const visit = (path: string): void => {
    const stat = fs.lstatSync(root + path);
    const linked = firstNames.get(stat.ino);
    if (stat.isSymbolicLink()) {
      copy.symlinkSync(fs.readlinkSync(root + path), path);
      copy.lchownSync(path, stat.uid, stat.gid);
      return;
    }
    if (linked !== undefined) return copy.linkSync(linked, path);
    if (stat.isDirectory()) {
      if (path !== "/") copy.mkdirSync(path);
      for (const name of fs.readdirSync(root + path)) visit(`${path === "/" ? "" : path}/${name}`);
    } else {
      firstNames.set(stat.ino, path);
      copyFile(fs, root + path, copy, path);
    }
    lastSteps.push(() => {
      copy.chownSync(path, stat.uid, stat.gid);
      copy.chmodSync(path, stat.mode & 0o7777);
    });
  };
  visit("/");
  for (const step of lastSteps) step();
  return new NodeWorld(copy, "");
}

function copyFile(from: NodeFs, source: string, to: NodeFs, path: string): void {
  const read = from.openSync(source, "r");
  const write = to.openSync(path, "w");
  const bytes = Buffer.alloc(from.statSync(source).size);
  const count = from.readSync(read, bytes, 0, bytes.length, 0);
  to.writeSync(write, bytes, 0, count, 0);
  to.closeSync(write);
  from.closeSync(read);
}
