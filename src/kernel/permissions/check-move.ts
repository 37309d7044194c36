/**
 * What the policy says of giving files other paths: moving, linking, mounting.
 *
 * Rules go by path, so a file that gets another path gets other rules. No call may be a way around
 * a rule: what is kept from a file at its old path must be kept from it at the new one.
 */
import type { Process } from "../process/process.ts";
import { type NamePlace, pathsOf } from "../vfs/place.ts";
import { type CheckedPath, checkPath, type FsOperation, type PathArg } from "./check-path.ts";
import { type PermissionMode, scopeOperations } from "./policy.ts";
import { refuse } from "./require-permission.ts";

export interface CheckedRename {
  readonly source: CheckedPath<"rename">;
  readonly target: CheckedPath<"rename">;
}

/** One path becoming another, or getting another beside it. */
interface Move {
  readonly process: Process;
  readonly call: string;
  readonly from: NamePlace;
  readonly to: NamePlace;
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const satisfies Record<PermissionMode, number>;

/** What moving a name does itself, to each file below a directory as well. */
const movingOperations: ReadonlySet<FsOperation> = new Set([
  "rename",
  "rm",
  "write",
  "create_dir",
  "symlink",
]);

/**
 * Walks and checks both paths of a rename: `rename` on both, `rm` on the old name and on what is
 * replaced, and on the new name what making such a file needs. EACCES also where a rule would hold
 * no longer, or could begin to hold, for what is moved.
 */
export async function checkRename(
  process: Process,
  from: PathArg,
  to: PathArg,
): Promise<CheckedRename> {
  const access = { process, call: "rename", followsLast: "name" } as const;
  const removing = (): ("rename" | "rm")[] => ["rename", "rm"];
  const source = await checkPath({ ...access, path: from, operation: removing });
  const making = (place: NamePlace): RenameOperation[] => makingOperations(source, place);
  const target = await checkPath({ ...access, path: to, operation: making });
  const move = { process, call: "rename", from: source, to: target };
  requireSameRules(move, ["rename", "rm"]);
  if (source.existing?.inode.kind === "directory") requireSameBelow(move);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both have been asked for "rename" among others
  return { source, target } as CheckedRename;
}

type RenameOperation = "rename" | "rm" | "write" | "create_dir" | "symlink";

function makingOperations(source: NamePlace, { existing }: NamePlace): RenameOperation[] {
  const operations: RenameOperation[] = ["rename"];
  const kind = source.existing?.inode.kind;
  operations.push(kind === "directory" ? "create_dir" : "write");
  if (kind === "symlink") operations.push("symlink");
  if (existing !== undefined) operations.push("rm");
  return operations;
}

/** EACCES where a rule for the old path is stricter than for the new one, `asked` ones aside. */
export function requireSameRules(move: Move, asked: readonly FsOperation[]): void {
  const { process, call, from, to } = move;
  if (process.isTrusted) return;
  const { policy } = process.kernel;
  const targets = pathsOf(to);
  pathsOf(from).forEach((subject, at) => {
    for (const operation of scopeOperations.fs) {
      const old = policy.decide("fs", operation, subject);
      if (old.mode === "allow" || asked.includes(operation)) continue;
      const { mode } = policy.decide("fs", operation, targets[at] ?? to.path);
      if (strictness[mode] >= strictness[old.mode]) continue;
      refuse({ process, call, scope: "fs", operation, subject }, old.rule);
    }
  });
}

/** EACCES unless what lies below the directory is under the same rules at both paths. */
function requireSameBelow({ process, call, from, to }: Move): void {
  if (process.isTrusted) return;
  const { policy } = process.kernel;
  const targets = pathsOf(to);
  pathsOf(from).forEach((old, at) => {
    const paths = [old, targets[at] ?? to.path];
    for (const operation of scopeOperations.fs) {
      const decisions = paths.map((path) => policy.decideBelow(operation, path));
      const [before, after] = decisions;
      const isSame = before?.mode === after?.mode && before?.mode !== "mixed";
      if (isSame && (before?.mode === "allow" || !movingOperations.has(operation))) continue;
      const blocking = decisions.findIndex(({ mode }) => mode !== "allow");
      const subject = `${paths[blocking] ?? old}/`;
      refuse({ process, call, scope: "fs", operation, subject }, decisions[blocking]?.rule ?? "fs");
    }
  });
}

/** EACCES where a rule that is not plain allow could hold at or below a directory to be covered. */
export function requireCoverable(process: Process, call: string, at: NamePlace): void {
  if (process.isTrusted) return;
  const { policy } = process.kernel;
  for (const subject of pathsOf(at)) {
    for (const operation of scopeOperations.fs) {
      if (operation === "mount_sensitive") continue;
      const { mode, rule } = policy.decideBelow(operation, subject);
      if (mode !== "allow") refuse({ process, call, scope: "fs", operation, subject }, rule);
    }
  }
}
