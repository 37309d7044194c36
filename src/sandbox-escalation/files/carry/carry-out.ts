import { encodeText, type FileSystem } from "../../../kernel/index.ts";
import { SandboxError } from "../../provider.ts";
import type { ExecHost } from "../exec/exec-agent.ts";
import { gather } from "./gather.ts";
import { runThere } from "./run-there.ts";
import { ancestorsOf, type Tree, type TreeChanges } from "./tree.ts";
import { writeTar } from "./write-tar.ts";

export interface CarryOut {
  readonly home: FileSystem;
  readonly tree: Tree;
  readonly changes: TreeChanges;
  readonly signal: AbortSignal;
}

/** Names of one batch, so that no input is large. */
const BATCH = 1000;

/** Brings changed files to a sandbox in one stream, and removes there what was removed here. SandboxError. */
export async function carryOut(host: ExecHost, carry: CarryOut): Promise<void> {
  const { home, tree, changes, signal } = carry;
  if (changes.removed.length > 0) {
    const input = listNames(changes.removed);
    await mustRun(host, ["xargs", "-0", "rm", "-rf", "--"], input, signal);
  }
  // Modes as they are, whoever we are there: `-p`; owners are nobody's business: `-o`.
  const paths = withDirectories(tree, changes);
  await mustRun(host, ["tar", "-xpof", "-"], gather(writeTar(home, tree, paths)), signal);
}

/**
 * What changed, and the directories that it is in: their times change with it, and are set right. In the order of a
 * tree, so that a directory's time is set when all that is in it is there.
 */
function withDirectories(tree: Tree, { changed, removed }: TreeChanges): readonly string[] {
  const paths = new Set(changed);
  for (const directory of ancestorsOf([...changed, ...removed]))
    if (tree.has(directory)) paths.add(directory);
  return [...paths]
    .map((path) => ({ path, key: path.replaceAll("/", "\0") }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ path }) => path);
}

/** Names, each ended by a NUL, as `xargs -0` reads them. */
export function* listNames(paths: readonly string[]): Generator<Uint8Array> {
  for (let at = 0; at < paths.length; at += BATCH) {
    const names = paths.slice(at, at + BATCH).map((path) => encodeText(`./${path}\0`));
    yield Buffer.concat(names);
  }
}

async function mustRun(
  host: ExecHost,
  argv: readonly string[],
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const ran = await runThere(host, { argv, input, take: () => undefined, signal });
  if (ran.status === 0) return;
  const why = ran.complaint === "" ? `status ${ran.status}` : ran.complaint;
  throw new SandboxError("failed", `${argv[0]} failed in the sandbox: ${why.slice(-300)}`);
}
