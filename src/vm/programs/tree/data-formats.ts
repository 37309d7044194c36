/** The tree as JSON and as XML. */
import { showMode } from "../file-mode.ts";
import type { Run } from "../program.ts";
import type { TreeNode } from "./walk.ts";

interface Report {
  readonly directories: number;
  readonly files: number;
  readonly hasFiles: boolean;
}

type Nodes = readonly (TreeNode | string)[];

function kindOf(node: TreeNode): string {
  const { kind } = node.stat;
  return kind === "symlink" ? "link" : kind;
}

function nameOf(run: Run, node: TreeNode): string {
  return run.has("f") ? node.path : node.name;
}

/** Facts the options ask for, by name. */
function factsOf(run: Run, node: TreeNode): readonly (readonly [string, string | number])[] {
  const mode = (node.stat.mode & 0o7777).toString(8).padStart(4, "0");
  return [
    ...(run.has("p")
      ? ([
          ["mode", mode],
          ["prot", showMode(node.stat.kind, node.stat.mode).slice(0, 10)],
        ] as const)
      : []),
    ...(run.has("s") || run.has("du") ? [["size", node.size] as const] : []),
  ];
}

export function renderJson(run: Run, nodes: Nodes, report: Report | undefined): string {
  const roots = nodes.map((node) =>
    typeof node === "string"
      ? `  {"type":"directory","name":${JSON.stringify(node)},"contents":[{"error": "opening dir"}\n  ]}`
      : jsonNode(run, node, "  "),
  );
  const counts =
    report === undefined
      ? "\n"
      : `,\n  {"type":"report","directories":${report.directories}${report.hasFiles ? `,"files":${report.files}` : ""}}\n`;
  return `[\n${roots.join(",\n")}\n${counts}]\n`;
}

function jsonNode(run: Run, node: TreeNode, indent: string): string {
  const fields: (readonly [string, string | number])[] = [
    ["type", kindOf(node)],
    ["name", nameOf(run, node)],
    ...(node.target === undefined ? [] : [["target", node.target] as const]),
    ...factsOf(run, node),
  ];
  const shown = fields.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join(",");
  if (node.children === undefined && node.stat.kind !== "directory") return `${indent}{${shown}}`;
  const inner = (node.children ?? []).map((child) => `${jsonNode(run, child, `${indent}  `)}`);
  if (inner.length === 0) return `${indent}{${shown}}`;
  return `${indent}{${shown},"contents":[\n${inner.join(",\n")}\n${indent}]}`;
}

export function renderXml(run: Run, nodes: Nodes, report: Report | undefined): string {
  const roots = nodes.map((node) =>
    typeof node === "string"
      ? `  <directory name="${escapeXml(node)}"><error>opening dir</error></directory>\n`
      : xmlNode(run, node, "  "),
  );
  const files = report?.hasFiles === true ? `    <files>${report.files}</files>\n` : "";
  const counts =
    report === undefined
      ? ""
      : `  <report>\n    <directories>${report.directories}</directories>\n${files}  </report>\n`;
  return `<?xml version="1.0"?>\n<tree>\n${roots.join("")}${counts}</tree>\n`;
}

function xmlNode(run: Run, node: TreeNode, indent: string): string {
  const kind = kindOf(node);
  const target = node.target === undefined ? "" : ` target="${escapeXml(node.target)}"`;
  const facts = factsOf(run, node)
    .map(([key, value]) => ` ${key}="${value}"`)
    .join("");
  const start = `${indent}<${kind} name="${escapeXml(nameOf(run, node))}"${target}${facts}>`;
  const children = node.children ?? [];
  if (children.length === 0) return `${start}</${kind}>\n`;
  const inner = children.map((child) => xmlNode(run, child, `${indent}  `)).join("");
  return `${start}\n${inner}${indent}</${kind}>\n`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
