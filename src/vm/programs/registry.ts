/** Every program by its name, loaded when it first runs and kept. */
import type { Program } from "../../kernel/index.ts";

interface ProgramModule {
  readonly main: Program;
}

/** Where each program is. Names that share a file are one program told apart by argv[0]. */
const modules = {
  "[": () => import("./test.ts"),
  basename: () => import("./basename.ts"),
  bash: () => import("../shell/main.ts"),
  cat: () => import("./cat.ts"),
  chmod: () => import("./chmod.ts"),
  chown: () => import("./chown.ts"),
  cp: () => import("./cp.ts"),
  cut: () => import("./cut.ts"),
  date: () => import("./date.ts"),
  dirname: () => import("./dirname.ts"),
  echo: () => import("./echo.ts"),
  egrep: () => import("./grep.ts"),
  env: () => import("./env.ts"),
  false: () => import("./true.ts"),
  fgrep: () => import("./grep.ts"),
  find: () => import("./find.ts"),
  grep: () => import("./grep.ts"),
  head: () => import("./head.ts"),
  id: () => import("./id.ts"),
  kill: () => import("./kill.ts"),
  ln: () => import("./ln.ts"),
  ls: () => import("./ls.ts"),
  mkdir: () => import("./mkdir.ts"),
  mkfifo: () => import("./mkfifo.ts"),
  mktemp: () => import("./mktemp.ts"),
  mv: () => import("./mv.ts"),
  printf: () => import("./printf.ts"),
  ps: () => import("./ps.ts"),
  pwd: () => import("./pwd.ts"),
  readlink: () => import("./readlink.ts"),
  realpath: () => import("./realpath.ts"),
  rm: () => import("./rm.ts"),
  rmdir: () => import("./rmdir.ts"),
  seq: () => import("./seq.ts"),
  sh: () => import("../shell/main.ts"),
  sleep: () => import("./sleep.ts"),
  sort: () => import("./sort.ts"),
  stat: () => import("./stat.ts"),
  sudo: () => import("./sudo.ts"),
  tac: () => import("./tac.ts"),
  tail: () => import("./tail.ts"),
  tee: () => import("./tee.ts"),
  test: () => import("./test.ts"),
  touch: () => import("./touch.ts"),
  tr: () => import("./tr.ts"),
  true: () => import("./true.ts"),
  uname: () => import("./uname.ts"),
  uniq: () => import("./uniq.ts"),
  wc: () => import("./wc.ts"),
  which: () => import("./which.ts"),
  whoami: () => import("./whoami.ts"),
  xargs: () => import("./xargs.ts"),
  yes: () => import("./yes.ts"),
} as const satisfies Record<string, () => Promise<ProgramModule>>;

const table: ReadonlyMap<string, () => Promise<ProgramModule>> = new Map(Object.entries(modules));
const loaded = new Map<string, Program>();

export function programNames(): string[] {
  return [...table.keys()];
}

/** Undefined when there is no program of that name. */
export async function findProgram(name: string): Promise<Program | undefined> {
  return findLoaded(name) ?? loadProgram(name);
}

/** A program that has run before: no waiting for it. */
export function findLoaded(name: string): Program | undefined {
  return loaded.get(name);
}

async function loadProgram(name: string): Promise<Program | undefined> {
  const load = table.get(name);
  if (load === undefined) return undefined;
  const { main } = await load();
  loaded.set(name, main);
  return main;
}
