/** Trees in lines of boxes, as `npm ls` shows them. */

export interface DrawnNode {
  readonly label: string;
  readonly children: readonly DrawnNode[];
}

export function drawTree(node: DrawnNode, isUnicode: boolean): string {
  const signs = isUnicode
    ? { down: "│", branch: "├", last: "└", line: "─", open: "┬" }
    : { down: "|", branch: "+", last: "`", line: "-", open: "+" };
  const lines: string[] = [];
  // Each entry is a node with what its first line, and the others, begin with.
  const stack: (readonly [DrawnNode, string, string])[] = [[node, "", ""]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [{ label, children }, first, others] = next;
    const [head = "", ...rest] = label.split("\n");
    lines.push(`${first}${head}`);
    const down = children.length > 0 ? `${signs.down} ` : "  ";
    for (const line of rest) lines.push(`${others}${down}${line}`);
    for (const [place, child] of [...children.entries()].toReversed()) {
      const isLast = place === children.length - 1;
      const open = child.children.length > 0 ? signs.open : signs.line;
      stack.push([
        child,
        `${others}${isLast ? signs.last : signs.branch}${signs.line}${open} `,
        `${others}${isLast ? " " : signs.down} `,
      ]);
    }
  }
  return `${lines.join("\n")}\n`;
}
