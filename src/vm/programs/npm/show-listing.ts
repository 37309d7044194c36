/** A listing as a drawn tree, and as JSON. */
import { relativePath } from "../relative-path.ts";
import type { DrawnNode } from "./draw-tree.ts";
import { findText, type Json, type JsonObject } from "./json.ts";
import type { Resolved } from "./lock-file.ts";
import { packageId, packageName, packageVersion } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import type { Listed } from "./package-listing.ts";
import { parentOf } from "./paths.ts";

export function drawnNode(run: NpmRun, line: Listed): DrawnNode {
  const children = line.children.map((child) => drawnNode(run, child));
  if (line.isRoot && children.length === 0) children.push({ label: "(empty)", children: [] });
  return { label: label(run, line), children };
}

function label(run: NpmRun, line: Listed): string {
  const { package: one, edge, name } = line;
  const isLong = run.config.is("long") || run.command === "ll";
  if (one === undefined) {
    const isOptional = edge?.kind === "optional" || edge?.kind === "peerOptional";
    return `UNMET ${isOptional ? "OPTIONAL " : ""}DEPENDENCY ${name}@${edge?.spec ?? ""}`;
  }
  const id = idOf(name, one.manifest);
  if (line.isRoot) {
    const isBare = run.isGlobal || Object.keys(one.manifest).length === 0;
    return isBare ? one.path : `${id}${isLong ? "\n" : " "}${one.path}`;
  }
  const parts = [id];
  if (line.isDeduped) parts.push("deduped");
  if (edge?.isValid === false) parts.push(`invalid: ${invalidWords(line)}`);
  if (line.isExtraneous) parts.push("extraneous");
  if (one.isLink) parts.push(`-> ./${relativePath(run.root, one.realPath)}`);
  return `${parts.join(" ")}${isLong ? `\n${findText(one.manifest, "description") ?? ""}` : ""}`;
}

/** With the folder's name, where the package has another: `alias@npm:name@version`. */
function idOf(name: string, manifest: JsonObject): string {
  const own = packageName(manifest) ?? name;
  const version = packageVersion(manifest) ?? "";
  return own === name
    ? `${name}@${version}`
    : packageId(manifest) === undefined
      ? `${name}@${version}`
      : `${name}@npm:${own}@${version}`;
}

function invalidWords({ edge }: Listed): string {
  const from = edge?.from;
  const at =
    from === undefined || !from.path.includes("node_modules")
      ? "the root project"
      : from.path.slice(from.path.indexOf("node_modules"));
  return `${JSON.stringify(edge?.spec ?? "*")} from ${at}`;
}

export function jsonItem(
  run: NpmRun,
  line: Listed,
  facts: {
    readonly resolved: ReadonlyMap<string, Resolved>;
    readonly problems?: readonly string[];
  },
): JsonObject {
  const { package: one, edge } = line;
  const isOptional = edge?.kind === "optional" || edge?.kind === "peerOptional";
  const item: Record<string, Json | undefined> = {};
  if (one !== undefined) {
    item["version"] = packageVersion(one.manifest);
    if (!line.isRoot && !line.isDeduped) {
      item["resolved"] = one.isLink
        ? `file:${relativePath(parentOf(one.path), one.realPath)}`
        : resolvedText(facts.resolved.get(one.path)?.resolved);
      item["overridden"] = false;
    }
    if (line.isRoot && !run.isGlobal) item["name"] = packageName(one.manifest);
    if (line.isExtraneous) item["extraneous"] = true;
    if (edge?.isValid === false) item["invalid"] = invalidWords(line);
  } else if (!isOptional) item["missing"] = true;
  const problems = line.isRoot
    ? (facts.problems ?? [])
    : line.problem === undefined
      ? []
      : [line.problem];
  if (problems.length > 0) item["problems"] = problems;
  if (line.children.length > 0)
    item["dependencies"] = Object.fromEntries(
      line.children.map((child) => [
        child.name,
        jsonItem(run, child, { resolved: facts.resolved }),
      ]),
    );
  return item;
}

function resolvedText(resolved: string | undefined): string | undefined {
  return resolved?.startsWith("/") === true ? `file:${resolved}` : resolved;
}
