/** `npm exec` and `npx`: a command of a package that is in the VM. */
import { findStat } from "../run-command.ts";
import { NpmFailure, networkFailure } from "./failure.ts";
import { makeDirectories } from "./files.ts";
import { findSoftware, softwareFolders } from "./find-software.ts";
import { type InstalledPackage, InstalledPackages } from "./installed-packages.ts";
import type { JsonObject } from "./json.ts";
import { linkBins } from "./link-bins.ts";
import { findManifest, getManifest, packageBins, packageName, packageVersion } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { isWanted, parseWord } from "./package-spec.ts";
import { below, resolveFrom } from "./paths.ts";
import { usage } from "./pkg.ts";
import { quoteWord, runShell } from "./run-shell.ts";
import { projectBins, scriptEnvironment } from "./script-environment.ts";
import { chosenWorkspaces } from "./workspaces.ts";

export async function execute(run: NpmRun): Promise<void> {
  const workspaces = await chosenWorkspaces(run);
  const folders = workspaces?.map(({ path }) => path) ?? [run.places.cwd];
  for (const folder of folders) await new Execution(run, folder).run();
}

class Execution {
  readonly #run: NpmRun;
  readonly #folder: string;
  readonly #packages: InstalledPackages;
  /** Folders of commands that come before the project's. */
  readonly #bins: string[] = [];

  constructor(run: NpmRun, folder: string) {
    this.#run = run;
    this.#folder = folder;
    this.#packages = new InstalledPackages(run.sys);
  }

  async run(): Promise<void> {
    const { config, words } = this.#run;
    const call = config.get("call");
    if (call !== "" && words.length > 0) throw usage("exec");
    const asked = config.list("package");
    const missing: string[] = [];
    for (const word of asked) if ((await this.#offer(word)) === undefined) missing.push(word);
    if (missing.length > 0) throw this.#missing(missing);
    const [command, ...rest] = words;
    if (command === undefined) {
      await this.#start(call === "" ? this.#shell() : call, []);
      return;
    }
    const name = asked.length > 0 ? command : await this.#find(command);
    await this.#start(alwaysQuoted(name), rest);
  }

  #shell(): string {
    const shell = this.#run.config.get("script-shell");
    return shell === "" ? "sh" : quoteWord(shell);
  }

  /** What to run for a word: a command that is there, or the one of a package that is. */
  async #find(word: string): Promise<string> {
    const { sys, places } = this.#run;
    const own = await findManifest(sys, places.local);
    const file = packageBins(own?.content ?? {}).get(word);
    if (file !== undefined) return below(places.local, file);
    if (/^[^/]+$/.test(word)) {
      const path = await this.#findCommand(word);
      if (path !== undefined) return path;
    }
    const found = await this.#offer(word);
    if (found === undefined) throw this.#missing([word]);
    return mainCommand(found.manifest, word);
  }

  /** Locally and upwards, globally, in the software's folders: these are no part of the PATH. */
  async #findCommand(word: string): Promise<string | undefined> {
    const { sys, places } = this.#run;
    const software = await softwareFolders(sys, places.global);
    const folders = [this.#folder, places.local].flatMap(projectBins);
    for (const folder of [...folders, below(places.global, "bin")]) {
      if ((await findStat(sys, below(folder, word)))?.kind !== "file") continue;
      this.#bins.push(folder);
      return word;
    }
    const elsewhere = software.map((folder) => below(folder, `.bin/${word}`));
    for (const path of elsewhere) if ((await findStat(sys, path))?.kind === "file") return path;
    return undefined;
  }

  /** Puts a package's commands on the way; undefined where it is not in the VM. */
  async #offer(word: string): Promise<InstalledPackage | undefined> {
    const found = await this.#findPackage(word);
    if (found === undefined) return undefined;
    const { path, manifest } = found;
    const home = this.#run.environment.get("HOME") ?? "/tmp";
    const key = `${packageName(manifest) ?? "package"}@${packageVersion(manifest) ?? "0"}`;
    const cache = resolveFrom(home, `.npm/_npx/${key.replaceAll("/", "+")}`);
    await makeDirectories(this.#run.sys, below(cache, "node_modules/.bin"));
    const folder = below(cache, "node_modules/.bin");
    await linkBins(this.#run.sys, { path, manifest, folder, isForced: true });
    this.#bins.push(folder);
    return found;
  }

  async #findPackage(word: string): Promise<InstalledPackage | undefined> {
    const { sys, places } = this.#run;
    const { name, spec } = parseWord(word, places.cwd);
    if (spec.kind === "folder") {
      const { content } = await getManifest(sys, spec.path);
      return { path: spec.path, realPath: spec.path, isLink: false, manifest: content };
    }
    if (spec.kind === "tarball")
      throw new NpmFailure(`Install the tarball first: npm install ${word}`, {
        code: "EUNSUPPORTED",
      });
    if (spec.kind !== "registry" || name === undefined) return undefined;
    const local = await this.#packages.resolve(places.local, name);
    if (local !== undefined && isWanted(local.manifest, spec)) return local;
    return findSoftware(this.#packages, await softwareFolders(sys, places.global), spec);
  }

  #missing(words: readonly string[]): NpmFailure {
    if (this.#run.config.isOff("yes"))
      return new NpmFailure(
        `npx canceled due to missing packages and no YES option: ${JSON.stringify(words)}`,
      );
    return networkFailure(words);
  }

  async #start(script: string, words: readonly string[]): Promise<void> {
    const run = this.#run;
    const manifest: JsonObject = (await findManifest(run.sys, run.places.local))?.content ?? {};
    const facts = { folder: this.#folder, manifest, event: "npx", script, binFolders: this.#bins };
    const env = scriptEnvironment(run, facts);
    await runShell(run, { script, words, folder: this.#folder, env });
  }
}

/** So that no word of the shell's own stands in its place. */
function alwaysQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The command that stands for the package: its only one, or the one of its name. */
function mainCommand(manifest: JsonObject, word: string): string {
  const bins = packageBins(manifest);
  const [first] = bins.keys();
  const name = (packageName(manifest) ?? "").replace(/^@[^/]+\//, "");
  if (first !== undefined && new Set(bins.values()).size === 1) return first;
  if (bins.has(name)) return name;
  throw new NpmFailure(`could not determine executable to run`, { facts: [`pkgid ${word}`] });
}
