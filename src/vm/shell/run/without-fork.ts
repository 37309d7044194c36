import type { Command, ListNode } from "../syntax/ast.ts";

/** A subshell that a process is started for anyway runs in that very process: `( … ) &`, `( … ) | x`. */
export function withoutFork<T extends Command | ListNode>(node: T): T | Command {
  if (node.kind === "subshell") return { kind: "group", body: node.body };
  return node.kind === "redirected" && node.command.kind === "subshell"
    ? { ...node, command: { kind: "group", body: node.command.body } }
    : node;
}
