import {
  O_APPEND,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOFOLLOW,
  O_RDONLY,
  O_RDWR,
  O_TRUNC,
  O_WRONLY,
} from "../../../../src/kernel/abi/open-flags.ts";
import type { Answer, Scenario, World } from "./world.ts";

/** What a name can be. */
const kinds: Readonly<Record<string, (world: World, path: string) => Promise<unknown>>> = {
  "a file": (world, path) => world.file(path, "text"),
  "a directory": (world, path) => world.mkdir(path),
  "a full directory": async (world, path) => {
    await world.mkdir(path);
    await world.file(`${path}/inner`, "x");
  },
  "a link to a file": async (world, path) => {
    await world.file(`${path}.target`, "far");
    await world.symlink(`${path}.target`, path);
  },
  "a link to a directory": async (world, path) => {
    await world.mkdir(`${path}.target`);
    await world.symlink(`${path}.target`, path);
  },
  "a dangling link": (world, path) => world.symlink("nowhere", path),
  "a link to itself": (world, path) => world.symlink(path, path),
  nothing: async () => {},
};

const flagSets: Readonly<Record<string, number>> = {
  O_RDONLY,
  O_WRONLY,
  O_RDWR,
  "O_WRONLY|O_CREAT": O_WRONLY | O_CREAT,
  "O_RDONLY|O_CREAT": O_RDONLY | O_CREAT,
  "O_WRONLY|O_CREAT|O_EXCL": O_WRONLY | O_CREAT | O_EXCL,
  "O_WRONLY|O_TRUNC": O_WRONLY | O_TRUNC,
  "O_RDONLY|O_TRUNC": O_RDONLY | O_TRUNC,
  "O_WRONLY|O_APPEND|O_CREAT": O_WRONLY | O_APPEND | O_CREAT,
  "O_RDONLY|O_DIRECTORY": O_RDONLY | O_DIRECTORY,
  "O_RDWR|O_DIRECTORY": O_RDWR | O_DIRECTORY,
  "O_RDONLY|O_NOFOLLOW": O_RDONLY | O_NOFOLLOW,
  "O_RDONLY|O_NOFOLLOW|O_DIRECTORY": O_RDONLY | O_NOFOLLOW | O_DIRECTORY,
  "O_WRONLY|O_CREAT|O_NOFOLLOW": O_WRONLY | O_CREAT | O_NOFOLLOW,
};

const pathCalls: Readonly<Record<string, (world: World, path: string) => Promise<Answer>>> = {
  stat: (world, path) => world.stat(path),
  lstat: (world, path) => world.lstat(path),
  readlink: (world, path) => world.readlink(path),
  readdir: (world, path) => world.readdir(path),
  "open to make": (world, path) => world.open(path, O_WRONLY | O_CREAT),
  mkdir: (world, path) => world.mkdir(path),
  rmdir: (world, path) => world.rmdir(path),
  unlink: (world, path) => world.unlink(path),
  chmod: (world, path) => world.chmod(path, 0o700),
  truncate: (world, path) => world.truncate(path, 1),
  "link from": (world, path) => world.link(path, "new"),
  "link to": (world, path) => world.link("source", path),
  symlink: (world, path) => world.symlink("source", path),
  "rename from": (world, path) => world.rename(path, "new"),
  "rename a file to": (world, path) => world.rename("source", path),
  "rename a directory to": (world, path) => world.rename("folder", path),
};

/** Ways to write the same name. */
const spellings: readonly string[] = ["x", "x/", "x//", "x/.", "folder/../x", "./x", "x/.."];

export const matrices: readonly Scenario[] = [
  ...Object.entries(flagSets).flatMap(([flags, value]) =>
    Object.entries(kinds).map(([kind, prepare]) =>
      openScenario(`open ${flags} of ${kind}`, value, prepare),
    ),
  ),
  ...Object.entries(pathCalls).flatMap(([call, run]) =>
    Object.entries(kinds).map(([kind, prepare]) =>
      spellingScenario(`${call}: ${kind}`, run, prepare),
    ),
  ),
  ...Object.entries(kinds).flatMap(([from, prepareFrom]) =>
    Object.entries(kinds).map(([to, prepareTo]) => ({
      name: `rename ${from} over ${to}`,
      act: async (world: World): Promise<Answer[]> => {
        await prepareFrom(world, "from");
        await prepareTo(world, "to");
        return [await world.rename("from", "to"), await tree(world)];
      },
    })),
  ),
];

function openScenario(
  name: string,
  flags: number,
  prepare: (world: World, path: string) => Promise<unknown>,
): Scenario {
  const act = async (world: World): Promise<Answer[]> => {
    await prepare(world, "x");
    const opened = await world.open("x", flags, 0o640);
    return [
      opened,
      await world.write(0, "ab"),
      await world.read(0, 9),
      await world.fstat(0),
      await tree(world),
    ];
  };
  return { name, act };
}

function spellingScenario(
  name: string,
  run: (world: World, path: string) => Promise<Answer>,
  prepare: (world: World, path: string) => Promise<unknown>,
): Scenario {
  const act = async (world: World): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (const [at, spelling] of spellings.entries()) {
      const below = `s${at}`;
      await world.mkdir(below);
      const inside = within(world, below);
      await inside.file("source", "source");
      await inside.mkdir("folder");
      await prepare(inside, "x");
      answers.push([spelling, await run(inside, spelling), await tree(inside)]);
    }
    return answers;
  };
  return { name, act };
}

/** The same world, its paths below a directory of it. */
function within(world: World, directory: string): World {
  const at = (path: string): string => (path.startsWith("/") ? path : `${directory}/${path}`);
  return {
    ...world,
    root: `${world.root}/${directory}`,
    open: (path, flags, mode) => world.open(at(path), flags, mode),
    file: (path, text, mode) => world.file(at(path), text, mode),
    mkdir: (path, mode) => world.mkdir(at(path), mode),
    rmdir: (path) => world.rmdir(at(path)),
    unlink: (path) => world.unlink(at(path)),
    stat: (path) => world.stat(at(path)),
    lstat: (path) => world.lstat(at(path)),
    readlink: (path) => world.readlink(at(path)),
    readdir: (path) => world.readdir(at(path)),
    chmod: (path, mode) => world.chmod(at(path), mode),
    truncate: (path, size) => world.truncate(at(path), size),
    link: (from, to) => world.link(at(from), at(to)),
    rename: (from, to) => world.rename(at(from), at(to)),
    symlink: (target, path) => world.symlink(target, at(path)),
    text: (path) => world.text(at(path)),
  };
}

/** Everything below the root: names, kinds, modes, sizes, texts of links. */
async function tree(world: World, path = "."): Promise<Answer> {
  const names = await world.readdir(path);
  if (!Array.isArray(names)) return names;
  const found: Answer[] = [];
  for (const name of names) {
    if (typeof name !== "string") continue;
    const below = `${path}/${name}`;
    const stat = await world.lstat(below);
    const kind = typeof stat === "object" && stat !== null && "kind" in stat ? stat["kind"] : null;
    const more =
      kind === "directory"
        ? await tree(world, below)
        : kind === "symlink"
          ? await world.readlink(below)
          : null;
    found.push([name, stat, more]);
  }
  return found;
}
