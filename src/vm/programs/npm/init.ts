/** `npm init`: a package.json with what can be guessed. */
import { findStat } from "../run-command.ts";
import { networkFailure } from "./failure.ts";
import { listNames } from "./files.ts";
import { findText, type Json, type JsonObject, property } from "./json.ts";
import { findManifest, usualLayout, writeJsonFile } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { below, lastPart } from "./paths.ts";

export async function initPackage(run: NpmRun): Promise<void> {
  if (run.words.length > 0) throw networkFailure([["npm init", ...run.words].join(" ")]);
  const folder = run.places.cwd;
  const path = below(folder, "package.json");
  const existing = (await findManifest(run.sys, folder))?.content ?? {};
  const content = await guess(run, folder, existing);
  await writeJsonFile(run.sys, { path, content, layout: usualLayout });
  run.print(`Wrote to ${path}:\n\n${JSON.stringify(content, null, 2)}\n\n`);
}

/** What is there stays; the rest is npm's guesses, in its order. */
async function guess(run: NpmRun, folder: string, existing: JsonObject): Promise<JsonObject> {
  const { config } = run;
  const scope = config.get("scope");
  const name = lastPart(folder)
    .replace(/^node-|[.-]js$/g, "")
    .replaceAll(/\s+/g, "-")
    .toLowerCase();
  const guesses: [string, Json][] = [
    ["name", scope === "" ? name : `${scope.replace(/^@?/, "@")}/${name}`],
    ["version", config.get("init-version")],
    ["description", ""],
    ["main", await guessMain(run, folder)],
    ["scripts", { test: 'echo "Error: no test specified" && exit 1' }],
    ["keywords", []],
    ["author", author(run)],
    ["license", config.get("init-license")],
    ["type", config.get("init-type")],
  ];
  const entries = new Map<string, Json | undefined>();
  const first = new Set(guesses.map(([key]) => key));
  for (const [key, value] of guesses)
    entries.set(
      key,
      key === "scripts" ? withTest(existing, value) : (property(existing, key) ?? value),
    );
  for (const [key, value] of Object.entries(existing)) if (!first.has(key)) entries.set(key, value);
  if (config.is("init-private")) entries.set("private", true);
  return Object.fromEntries(entries);
}

function withTest(existing: JsonObject, usual: Json): Json {
  const scripts = property(existing, "scripts");
  return findText(scripts, "test") === undefined && scripts === undefined
    ? usual
    : (scripts ?? usual);
}

async function guessMain(run: NpmRun, folder: string): Promise<string> {
  if ((await findStat(run.sys, below(folder, "index.js"))) !== undefined) return "index.js";
  const scripts = (await listNames(run.sys, folder)).filter((name) => name.endsWith(".js"));
  return scripts[0] ?? "index.js";
}

function author({ config }: NpmRun): string {
  const [name, email, url] = ["name", "email", "url"].map((key) =>
    config.get(`init-author-${key}`),
  );
  if (name === "" || name === undefined) return "";
  return `${name}${email === "" ? "" : ` <${email}>`}${url === "" ? "" : ` (${url})`}`;
}
