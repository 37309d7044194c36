import {
  F_OK,
  O_APPEND,
  O_CREAT,
  O_RDONLY,
  O_RDWR,
  O_TRUNC,
  O_WRONLY,
  R_OK,
  W_OK,
  X_OK,
} from "../../../../src/kernel/abi/open-flags.ts";
import { defaultAction, signals } from "../../../../src/kernel/abi/signals.ts";
import type { Answer, Scenario, World } from "./world.ts";

type Story = (world: World) => Promise<Answer[]>;

const fileStories: Readonly<Record<string, Story>> = {
  "a file read and written through one offset": async (w) => [
    await w.open("f", O_RDWR | O_CREAT),
    await w.write(0, "hello"),
    await w.read(0, 5),
    await w.pread(0, 3, 1),
    await w.pwrite(0, "J", 0),
    await w.read(0, 1),
    await w.text("f"),
  ],
  "pwrite to a file opened with O_APPEND appends": async (w) => [
    await w.file("f", "abc"),
    await w.open("f", O_RDWR | O_APPEND),
    await w.pwrite(0, "X", 0),
    await w.text("f"),
  ],
  "O_APPEND of two": async (w) => [
    await w.open("f", O_WRONLY | O_CREAT | O_APPEND),
    await w.open("f", O_WRONLY | O_APPEND),
    await w.write(0, "1"),
    await w.write(1, "2"),
    await w.write(0, "3"),
    await w.text("f"),
  ],
  "writes past the end leave zeros": async (w) => [
    await w.open("f", O_RDWR | O_CREAT),
    await w.pwrite(0, "x", 5),
    await w.pread(0, 10, 0),
    await w.fstat(0),
  ],
  "reads at and past the end": async (w) => [
    await w.file("f", "abc"),
    await w.open("f", O_RDONLY),
    await w.pread(0, 5, 3),
    await w.pread(0, 5, 300),
    await w.read(0, 0),
  ],
  "a file that is unlinked while it is open": async (w) => [
    await w.open("f", O_RDWR | O_CREAT),
    await w.unlink("f"),
    await w.write(0, "kept"),
    await w.pread(0, 4, 0),
    await w.fstat(0),
    await w.stat("f"),
    await w.file("f", "new"),
    await w.pread(0, 4, 0),
  ],
  "truncation of an open file": async (w) => [
    await w.open("f", O_RDWR | O_CREAT),
    await w.write(0, "hello"),
    await w.ftruncate(0, 2),
    await w.write(0, "!"),
    await w.text("f"),
    await w.ftruncate(0, 0),
    await w.fstat(0),
  ],
  "O_TRUNC under an open file": async (w) => [
    await w.file("f", "hello"),
    await w.open("f", O_RDWR),
    await w.open("f", O_WRONLY | O_TRUNC),
    await w.read(0, 5),
  ],
  "what is not open for it": async (w) => [
    await w.file("f", "x"),
    await w.open("f", O_RDONLY),
    await w.open("f", O_WRONLY),
    await w.write(0, "y"),
    await w.read(1, 1),
    await w.ftruncate(0, 0),
    await w.pread(1, 1, 0),
    await w.pwrite(0, "z", 0),
  ],
  "an open directory": async (w) => [
    await w.mkdir("d"),
    await w.open("d", O_RDONLY),
    await w.read(0, 1),
    await w.pread(0, 1, 0),
    await w.write(0, "x"),
    await w.ftruncate(0, 0),
    await w.fchmod(0, 0o700),
    await w.fsync(0),
    await w.fstat(0),
  ],
  "a closed file": async (w) => [
    await w.file("f"),
    await w.open("f", O_RDWR),
    await w.close(0),
    await w.close(0),
    await w.read(0, 1),
    await w.write(0, "x"),
    await w.fstat(0),
    await w.ftruncate(0, 1),
  ],
  "truncate of what it cannot cut": async (w) => [
    await w.mkdir("d"),
    await w.truncate("d", 0),
    await w.truncate("none", 0),
    await w.file("f", "abc"),
    await w.truncate("f", 6),
    await w.text("f"),
  ],
};

const nameStories: Readonly<Record<string, Story>> = {
  "hard links share everything": async (w) => [
    await w.file("a", "1"),
    await w.link("a", "b"),
    await w.file("b", "22"),
    await w.text("a"),
    await w.stat("a"),
    await w.chmod("b", 0o600),
    await w.stat("a"),
    await w.unlink("a"),
    await w.stat("b"),
  ],
  "rename of one name onto another of the same file": async (w) => [
    await w.file("a", "1"),
    await w.link("a", "b"),
    await w.rename("a", "b"),
    await w.readdir("."),
  ],
  "rename into a directory of its own": async (w) => [
    await w.mkdir("a"),
    await w.mkdir("a/b"),
    await w.rename("a", "a/b/c"),
    await w.rename("a", "a/b"),
    await w.rename("a/b", "a"),
    await w.rename("a", "a"),
    await w.file("a/f"),
    await w.rename("a/f", "a"),
  ],
  "rename of dots": async (w) => [
    await w.mkdir("a"),
    await w.mkdir("a/b"),
    await w.rename("a/.", "x"),
    await w.rename("a/b/..", "x"),
    await w.rename("a", "a/."),
    await w.rename("a/b", "a/b/.."),
  ],
  "moving a directory that its owner may not write": async (w) => [
    await w.mkdir("d", 0o500),
    await w.mkdir("other"),
    await w.rename("d", "e"),
    await w.rename("e", "other/e"),
    await w.readdir("other"),
  ],
  "removing dots": async (w) => [
    await w.mkdir("a"),
    await w.rmdir("a/."),
    await w.rmdir("a/.."),
    await w.unlink("a/."),
    await w.unlink("a/.."),
    await w.unlink("a"),
    await w.rmdir("a/"),
  ],
  "links lead from where they are": async (w) => [
    await w.mkdir("d"),
    await w.file("d/f", "in d"),
    await w.symlink("f", "d/here"),
    await w.symlink("../d/f", "d/up"),
    await w.symlink("d", "l"),
    await w.text("l/here"),
    await w.text("l/up"),
    await w.text("l/../d/f"),
    await w.stat("l/"),
    await w.lstat("l"),
    await w.lstat("l/"),
  ],
  "absolute links": async (w) => [
    await w.file("f", "abs"),
    await w.symlink(`${w.root}/f`, "l"),
    await w.symlink(`${w.root}/./l`, "m"),
    await w.text("m"),
    await w.readlink("m"),
  ],
  "links that lead through files": async (w) => [
    await w.file("f"),
    await w.symlink("f/x", "l"),
    await w.stat("l"),
    await w.open("l", O_CREAT | O_WRONLY),
    await w.stat("f/../f"),
    await w.mkdir("f/d"),
  ],
  "texts of links": async (w) => [
    await w.symlink("", "empty"),
    await w.symlink("a".repeat(4095), "long"),
    await w.symlink("a".repeat(4096), "longer"),
    await w.lstat("long"),
    await w.stat("long"),
    await w.symlink("x/../y//z/", "odd"),
    await w.readlink("odd"),
  ],
  "making through a dangling link": async (w) => [
    await w.symlink("made", "l"),
    await w.symlink("no/where", "m"),
    await w.symlink("dir/", "n"),
    await w.open("l", O_CREAT | O_WRONLY),
    await w.open("m", O_CREAT | O_WRONLY),
    await w.open("n", O_CREAT | O_WRONLY),
    await w.mkdir("l"),
    await w.mkdir("n"),
    await w.readdir("."),
  ],
  "names that are too long": async (w) => [
    await w.file("n".repeat(255)),
    await w.file("n".repeat(256)),
    await w.mkdir("é".repeat(128)),
    await w.stat("x".repeat(5000)),
    await w.symlink("n".repeat(256), "l"),
    await w.stat("l"),
    await w.open("l", O_CREAT),
    await w.stat(`${"./".repeat(2000)}`),
    await w.stat(`${"./".repeat(2100)}`),
  ],
  "empty paths": async (w) => [
    await w.stat("/../"),
    await w.readlink("."),
    await w.mkdir("."),
    await w.mkdir(".."),
    await w.rmdir("none/."),
    await w.link(".", "x"),
  ],
  "links to links": async (w) => [
    await w.symlink("nowhere", "s"),
    await w.link("s", "t"),
    await w.readlink("t"),
    await w.lstat("t"),
    await w.link("none", "u"),
  ],
  times: async (w) => [
    await w.file("f"),
    await w.utimes("f", 1_000_000_000_000, 1_500_000_000_000),
    await w.symlink("f", "l"),
    await w.utimes("l", 1000, 2000),
    await w.utimes("none", 0, 0),
  ],
};

const modes = [0o644, 0o4755, 0o2755, 0o2644, 0o1755, 0o6777, 0o000, 0o777];
const modeStories: Readonly<Record<string, Story>> = Object.fromEntries(
  modes.flatMap((mode): [string, Story][] => {
    const name = mode.toString(8).padStart(4, "0");
    return [
      [
        `a file made with mode ${name}`,
        async (w) => [await w.open("f", O_CREAT | O_RDWR, mode), await w.stat("f")],
      ],
      [
        `a directory made with mode ${name}`,
        async (w) => [await w.mkdir("d", mode), await w.stat("d")],
      ],
      [
        `chmod to ${name}`,
        async (w) => [
          await w.file("f"),
          await w.chmod("f", mode),
          await w.stat("f"),
          await w.mkdir("d"),
          await w.chmod("d", mode),
          await w.stat("d"),
        ],
      ],
      [
        `access with mode ${name}`,
        async (w) => {
          await w.file("f");
          await w.chmod("f", mode);
          return [
            await w.access("f", F_OK),
            await w.access("f", R_OK),
            await w.access("f", W_OK),
            await w.access("f", X_OK),
            await w.access("none", F_OK),
          ];
        },
      ],
      [
        `writing to a file of mode ${name}`,
        async (w) => [
          await w.open("f", O_CREAT | O_RDWR),
          await w.fchmod(0, mode),
          await w.write(0, "x"),
          await w.fstat(0),
        ],
      ],
    ];
  }),
);

const groupStories: Readonly<Record<string, Story>> = {
  "a directory in a directory with the setgid bit": async (w) => [
    await w.mkdir("d"),
    await w.chmod("d", 0o2755),
    await w.mkdir("d/e"),
    await w.stat("d/e"),
    await w.file("d/f"),
    await w.stat("d/f"),
    await w.mkdir("d/g", 0o6777),
    await w.stat("d/g"),
  ],
};

const scripts: Readonly<Record<string, string>> = {
  "a plain first line": "#!/bin/echo\n",
  "a first line with an argument": "#!/bin/echo one  two \n",
  "blanks before the interpreter": "#! \t /bin/echo\tx\n",
  "no line feed": "#!/bin/echo",
  "no interpreter there": "#!/no/such/thing\n",
  "a directory as interpreter": "#!/bin\n",
  "a carriage return": "#!/bin/echo\r\n",
};

const runStories: Readonly<Record<string, Story>> = {
  ...Object.fromEntries(
    Object.entries(scripts).map(([name, text]): [string, Story] => [
      `a script with ${name}`,
      async (w) => [await w.file("s", text, 0o755), await w.run("s", "a", "b c")],
    ]),
  ),
  "what cannot be run": async (w) => [
    await w.run("none"),
    await w.mkdir("d"),
    await w.run("d"),
    await w.file("closed", "#!/bin/echo\n", 0o644),
    await w.run("closed"),
    await w.run("closed/x"),
    await w.symlink("l", "l"),
    await w.run("l"),
  ],
  "scripts of scripts": async (w) => {
    const answers: Answer[] = [await w.file("s1", "#!/bin/echo\n", 0o755)];
    for (let i = 2; i <= 7; i++) await w.file(`s${i}`, `#!${w.root}/s${i - 1}\n`, 0o755);
    for (let i = 1; i <= 7; i++) answers.push(await w.run(`s${i}`, "x"));
    return answers;
  },
};

/** A stopped process would wait for ever. */
const endingSignals = Object.entries(signals).filter(
  ([, signal]) => defaultAction(signal) !== "stop",
);
const endStories: Readonly<Record<string, Story>> = Object.fromEntries([
  ...endingSignals.map(([name, signal]): [string, Story] => [
    `a process that sends itself ${name}`,
    async (w) => [await w.signalSelf(signal)],
  ]),
  ...[0, 1, 255, 256, 300].map((code): [string, Story] => [
    `a process that exits with ${code}`,
    async (w) => [await w.exitWith(code)],
  ]),
]);

export const stories: readonly Scenario[] = Object.entries({
  ...fileStories,
  ...nameStories,
  ...modeStories,
  ...groupStories,
  ...runStories,
  ...endStories,
}).map(([name, act]) => ({ name, act }));
