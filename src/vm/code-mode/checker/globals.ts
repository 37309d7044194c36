/** What code finds beside `tools`, as the type check knows it: ours with types, Node's by name. */
import { builtinModules } from "node:module";

/** The globals of code_run, see code-mode/guest-script.ts. Shown to models in docs/code-mode.md. */
const ours = `
interface ExecResult { exitCode: number; signal?: string; stdout: string; stderr: string }
interface ExecOptions { cwd?: string; env?: Record<string, string>; stdin?: string; timeoutMs?: number }
declare const vm: {
  /** Runs a bash command in the VM; a status other than 0 is a result. */
  exec(command: string, options?: ExecOptions): Promise<ExecResult>;
};
/** Keeps a value in the VM for later calls of code_run. */
declare function store(key: string, value: any): Promise<void>;
declare function load(key: string): Promise<any>;
/** Adds a text to the answer. */
declare function text(value: any): void;
/** node:fs/promises */
declare const fs: {
  access(path: any, mode?: number): Promise<void>;
  appendFile(path: any, data: any, options?: any): Promise<void>;
  copyFile(from: any, to: any, mode?: number): Promise<void>;
  cp(from: any, to: any, options?: any): Promise<void>;
  mkdir(path: any, options?: any): Promise<any>;
  mkdtemp(prefix: string, options?: any): Promise<any>;
  open(path: any, flags?: any, mode?: any): Promise<any>;
  readFile(path: any, options?: any): Promise<any>;
  readdir(path: any, options?: any): Promise<any[]>;
  rename(from: any, to: any): Promise<void>;
  rm(path: any, options?: any): Promise<void>;
  stat(path: any, options?: any): Promise<any>;
  unlink(path: any): Promise<void>;
  writeFile(path: any, data: any, options?: any): Promise<void>;
  [name: string]: any;
};
interface Error { [property: string]: any }
interface ImportMeta { [property: string]: any }
declare module "*";
`;

/** Names of CommonJS, and Node's modules, which `node -e` has by name. */
const alsoNamed = [
  ...["require", "module", "exports", "__filename", "__dirname", "global"],
  ...builtinModules,
];

/** `readLibrary` gives a file of TypeScript's library by its path there. */
export function declareGlobals(readLibrary: (path: string) => string): string {
  const known = new Set([...libraryNames("/lib/lib.esnext.d.ts", readLibrary), "undefined"]);
  for (const name of ["vm", "store", "load", "text", "fs", "tools"]) known.add(name);
  const names = [...Object.getOwnPropertyNames(globalThis), ...alsoNamed].filter(
    (name) => /^[A-Za-z_$][\w$]*$/.test(name) && !known.has(name),
  );
  const declared = [...new Set(names)].map((name) => `declare var ${name}: any;`);
  return [ours, ...declared].join("\n");
}

/** Every name that a file of the library and those it refers to declare. */
function libraryNames(path: string, readLibrary: (path: string) => string): string[] {
  const text = readLibrary(path);
  const declarations = /^declare (?:var|let|const|function|class|namespace) (\w+)/gm;
  const own = [...text.matchAll(declarations)].map(([, name = ""]) => name);
  const parts = [...text.matchAll(/^\/\/\/ <reference lib="([\w.]+)"/gm)];
  return [
    ...own,
    ...parts.flatMap(([, name = ""]) => libraryNames(`/lib/lib.${name}.d.ts`, readLibrary)),
  ];
}
