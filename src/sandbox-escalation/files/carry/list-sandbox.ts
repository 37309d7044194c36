import { isKernelError } from "../../../kernel/index.ts";
import { GrowingBytes } from "../../../streams/index.ts";
import { SandboxError } from "../../provider.ts";
import type { ExecHost } from "../exec/exec-agent.ts";
import { parseFacts } from "../exec/parse-answers.ts";
import { Pace } from "../pace.ts";
import { isCarriedPath } from "./carried-path.ts";
import { entryOf, tooMany } from "./list-tree.ts";
import { runThere } from "./run-there.ts";
import { ENTRIES_LIMIT, type Tree } from "./tree.ts";

/**
 * Names, then what stat says of each, as base64: nothing that a file is called can be taken for something else.
 * The last line says that the list is whole.
 */
const SCRIPT = String.raw`
LC_ALL=C; export LC_ALL
case $(stat -c %.9Y . 2>/dev/null) in
  *[!0-9.]*|'') F='%f %s %h %i %b %X %Y %Z' ;;
  *) F='%f %s %h %i %b %.9X %.9Y %.9Z' ;;
esac
n=$(find . -xdev ! -path . -print0 2>/dev/null | base64 | tr -d '\n')
printf '%s\n' "$n"
[ -z "$n" ] || printf '%s' "$n" | base64 -d | xargs -0 stat -c "$F %n" -- 2>/dev/null | base64 | tr -d '\n'
printf '\nend\n'
`;

/** What an entry takes of the two lists at most, on average. */
const ENTRY_BYTES = 400;
const LIST_LIMIT = ENTRIES_LIMIT * ENTRY_BYTES;

/** All that the workspace of a sandbox holds and that can be carried. SandboxError "failed", "limit". */
export async function listSandbox(host: ExecHost, signal: AbortSignal): Promise<Tree> {
  const list = new GrowingBytes();
  const { status, complaint } = await runThere(host, {
    argv: ["sh", "-c", SCRIPT],
    input: [],
    signal,
    take: (bytes) => {
      if (list.length + bytes.length > LIST_LIMIT) throw tooMany();
      list.add(bytes);
    },
  });
  const lines = Buffer.from(list.take()).toString("latin1").split("\n", 4);
  const [names = "", facts = "", end] = lines;
  if (status !== 0 || end !== "end")
    throw new SandboxError("failed", `its files cannot be listed. ${complaint}`.trim());
  return await parseTree(decode(names), decode(facts));
}

/** In the order of `find`: directories first. Names that stat did not find, and those that are none, are left out. */
async function parseTree(names: string, facts: string): Promise<Tree> {
  const tree: Tree = new Map();
  const pace = new Pace();
  for (const [path, stat] of await factsOf(names, facts)) {
    if (pace.isDue()) await pace.rest();
    const entry = entryOf(stat);
    if (entry === undefined || !isCarriedPath(path)) continue;
    tree.set(path, entry);
    if (tree.size > ENTRIES_LIMIT) throw tooMany();
  }
  return tree;
}

async function factsOf(names: string, facts: string): ReturnType<typeof parseFacts> {
  try {
    return await parseFacts(names, facts);
  } catch (error) {
    throw isKernelError(error, "EOVERFLOW") ? tooMany() : error;
  }
}

function decode(text: string): string {
  return Buffer.from(text, "base64").toString("latin1");
}
