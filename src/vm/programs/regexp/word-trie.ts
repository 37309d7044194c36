import { CharacterSet } from "./character-set.ts";
import type { Node } from "./tree.ts";

interface Branch {
  readonly next: Map<number, Branch>;
  isEnd: boolean;
}

/** Many words as one tree that shares their beginnings; no word at all matches nothing. */
export function wordTrie(words: readonly (readonly number[])[], ignoreCase: boolean): Node {
  const sets = new Map<number, CharacterSet>();
  const setOf = (code: number): Node => {
    const set = sets.get(code) ?? new CharacterSet({ ranges: [[code, code]], ignoreCase });
    sets.set(code, set);
    return { kind: "set", set };
  };
  const root: Branch = { next: new Map(), isEnd: false };
  for (const word of words) {
    let branch = root;
    for (const code of word) {
      const next = branch.next.get(code) ?? { next: new Map<number, Branch>(), isEnd: false };
      branch.next.set(code, next);
      branch = next;
    }
    branch.isEnd = true;
  }
  return words.length === 0
    ? { kind: "set", set: new CharacterSet({ ranges: [] }) }
    : branchNode(root, setOf);
}

function branchNode(start: Branch, setOf: (code: number) => Node): Node {
  const nodes: Node[] = [];
  let branch = start;
  for (;;) {
    const [only] = branch.next;
    if (branch.isEnd || branch.next.size !== 1 || only === undefined) break;
    nodes.push(setOf(only[0]));
    branch = only[1];
  }
  if (branch.next.size > 0) {
    const ways = Array.from(branch.next, ([code, next]): Node => {
      const rest = branchNode(next, setOf);
      return { kind: "sequence", nodes: [setOf(code), rest] };
    });
    const choice: Node = { kind: "choice", nodes: ways };
    nodes.push(branch.isEnd ? { kind: "repeat", node: choice, least: 0, most: 1 } : choice);
  }
  return { kind: "sequence", nodes };
}
