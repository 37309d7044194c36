/** `npm pack`: a package's folder as a tarball. */
import { O_CLOEXEC, O_CREAT, O_RDONLY, O_TRUNC, O_WRONLY } from "../../../kernel/index.ts";
import { readStream } from "../archive/byte-reader.ts";
import { gzip } from "../archive/gzip-format.ts";
import { Sha1 } from "../digest/sha1.ts";
import { Sha512 } from "../digest/sha512.ts";
import { writeAll } from "../output.ts";
import { BLOCK_BYTES, formatProblem, type Member, makeHeader, roundUp } from "../tar/tar-header.ts";
import { encodeBase64 } from "./base64.ts";
import { NpmFailure, networkFailure } from "./failure.ts";
import type { Json, JsonObject } from "./json.ts";
import {
  getManifest,
  packageBins,
  packageName,
  packageScripts,
  packageVersion,
  requirePackageName,
} from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { findPackedFiles } from "./pack-files.ts";
import { parseWord } from "./package-spec.ts";
import { below, resolveFrom } from "./paths.ts";
import { runScript } from "./run-script.ts";
import { sayTarball, sortFiles } from "./say-tarball.ts";
import { chosenWorkspaces } from "./workspaces.ts";

/** npm's date for every file, 1985-10-26T08:15:00Z, so that the same files make the same tarball. */
const TIME_MS = 499_162_500_000;
const LEVEL = 9;

export interface PackedFile {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
}

export interface Tarball {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly shasum: string;
  readonly integrity: string;
  readonly files: readonly PackedFile[];
}

export async function pack(run: NpmRun): Promise<void> {
  const tarballs: Tarball[] = [];
  for (const folder of await foldersOf(run)) tarballs.push(await packFolder(run, folder));
  if (run.config.is("json")) {
    run.print(JSON.stringify(tarballs.map(toJson), null, 2));
    return;
  }
  for (const tarball of tarballs) {
    await sayTarball(run, tarball);
    run.print(tarball.filename);
  }
}

async function foldersOf(run: NpmRun): Promise<string[]> {
  const workspaces = await chosenWorkspaces(run);
  if (workspaces !== undefined && run.words.length === 0) return workspaces.map(({ path }) => path);
  if (run.words.length === 0) return [run.places.local];
  return run.words.map((word) => {
    const { spec } = parseWord(word, run.places.cwd);
    if (spec.kind !== "folder") throw networkFailure([`npm pack ${word}`]);
    return spec.path;
  });
}

async function packFolder(run: NpmRun, folder: string): Promise<Tarball> {
  await runHook(run, folder, "prepack");
  await runHook(run, folder, "prepare");
  const { content: manifest } = await getManifest(run.sys, folder);
  const [name, version] = [packageName(manifest), packageVersion(manifest)];
  if (name === undefined || version === undefined)
    throw new NpmFailure("Invalid package, must have name and version");
  const { files, usesGitignore } = await findPackedFiles(run.sys, folder, manifest);
  if (usesGitignore)
    await run.warn(
      "No .npmignore file found, using .gitignore for file exclusion. Consider creating a .npmignore file to explicitly control published files.",
      "gitignore-fallback",
    );
  const filename = `${requirePackageName(name).replace("@", "").replace("/", "-")}-${version}.tgz`;
  const destination = resolveFrom(run.places.cwd, run.config.get("pack-destination"));
  const writing = new TarballWriting(run, folder, manifest);
  const written = await writing.write(
    files,
    run.config.is("dry-run") ? undefined : below(destination, filename),
  );
  await runHook(run, folder, "postpack");
  return { name, version, filename, ...written };
}

async function runHook(run: NpmRun, folder: string, event: string): Promise<void> {
  const { content: manifest } = await getManifest(run.sys, folder);
  const script = packageScripts(manifest).get(event);
  if (script === undefined || script === "" || run.config.is("ignore-scripts")) return;
  await runScript(run, { event, script, words: [], folder, manifest });
}

class TarballWriting {
  readonly #run: NpmRun;
  readonly #folder: string;
  readonly #bins: ReadonlySet<string>;
  readonly #files: PackedFile[] = [];

  constructor(run: NpmRun, folder: string, manifest: JsonObject) {
    this.#run = run;
    this.#folder = folder;
    this.#bins = new Set(packageBins(manifest).values());
  }

  /** To a path, or nowhere. */
  async write(
    files: readonly string[],
    path: string | undefined,
  ): Promise<Omit<Tarball, "name" | "version" | "filename">> {
    const { sys } = this.#run;
    const [sha1, sha512] = [new Sha1(), new Sha512(512)];
    let size = 0;
    const fd =
      path === undefined
        ? undefined
        : await sys.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666);
    try {
      for await (const piece of gzip(this.#members(files), { level: LEVEL })) {
        sha1.update(piece);
        sha512.update(piece);
        size += piece.length;
        if (fd !== undefined) await writeAll(sys, fd, piece);
      }
    } finally {
      if (fd !== undefined) await sys.close(fd);
    }
    const unpackedSize = this.#files.reduce((sum, one) => sum + one.size, 0);
    const shasum = [...sha1.finish()].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const integrity = `sha512-${encodeBase64(sha512.finish())}`;
    return { size, unpackedSize, shasum, integrity, files: this.#files };
  }

  async *#members(files: readonly string[]): AsyncGenerator<Uint8Array, void, void> {
    for (const path of files) yield* this.#member(path);
    yield new Uint8Array(BLOCK_BYTES * 2);
  }

  async *#member(path: string): AsyncGenerator<Uint8Array, void, void> {
    const { sys } = this.#run;
    const fd = await sys.open(below(this.#folder, path), O_RDONLY | O_CLOEXEC);
    try {
      const { size, mode } = await sys.fstat(fd);
      const file = { path, size, mode: portableMode(mode | (this.#bins.has(path) ? 0o111 : 0)) };
      this.#files.push(file);
      const member = toMember(file);
      yield* makeHeader(member, formatProblem(member, "ustar") === undefined ? "ustar" : "gnu");
      let left = size;
      for await (const piece of readStream(sys, fd)) {
        const part = piece.subarray(0, left);
        left -= part.length;
        if (part.length > 0) yield part;
      }
      // A file that became shorter meanwhile is filled up, one that grew is cut: the header is written.
      for (; left > 0; left -= Math.min(left, BLOCK_BYTES))
        yield new Uint8Array(Math.min(left, BLOCK_BYTES));
      if (roundUp(size) > size) yield new Uint8Array(roundUp(size) - size);
    } finally {
      await sys.close(fd);
    }
  }
}

/** Nothing that depends on who packs: readable by all who may, written by the owner. */
function portableMode(mode: number): number {
  const readable = (mode & 0o400) === 0 ? mode : mode | 0o044;
  return (readable | 0o600) & 0o777 & ~0o022;
}

function toMember({ path, size, mode }: PackedFile): Member {
  return {
    name: `package/${path}`,
    type: "0",
    mode,
    uid: 0,
    gid: 0,
    size,
    mtimeMs: TIME_MS,
    linkName: "",
    userName: "",
    groupName: "",
    device: { major: 0, minor: 0 },
  };
}

function toJson({
  name,
  version,
  filename,
  size,
  unpackedSize,
  shasum,
  integrity,
  files,
}: Tarball): Json {
  return {
    id: `${name}@${version}`,
    name,
    version,
    size,
    unpackedSize,
    shasum,
    integrity,
    filename,
    files: sortFiles(files).map((file) => ({ ...file })),
    entryCount: files.length,
    bundled: [],
  };
}
