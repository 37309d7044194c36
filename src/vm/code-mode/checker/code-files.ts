/** The files that TypeScript sees: the code, what is declared for it, and TypeScript's own library. Nothing else exists. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-6";
import { declareGlobals } from "./globals.ts";

/** Lenient: what would only annoy authors of plain JavaScript is off. */
const options: ts.CompilerOptions = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: false,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ["lib.esnext.d.ts"],
  types: [],
  skipLibCheck: true,
  noResolve: true,
};

const GLOBALS = "/globals.d.ts";
const TOOLS = "/tools.d.ts";

/** A language service whose files are set before each check; what does not change stays parsed. */
export class CodeFiles {
  readonly service: ts.LanguageService;
  readonly #files = new Map<string, { readonly text: string; readonly version: number }>();
  readonly #library: string;
  #code = "/code.js";

  constructor() {
    // The package's entry is lib/typescript.js; its library's files are beside it.
    this.#library = dirname(fileURLToPath(import.meta.resolve("typescript-6")));
    this.#set(
      GLOBALS,
      declareGlobals((name) => this.#readLibrary(name) ?? ""),
    );
    this.service = ts.createLanguageService(this.#host());
  }

  get code(): string {
    return this.#code;
  }

  /** Replaces the code and the declaration of `tools`. */
  setCode(text: string, isTypeScript: boolean, tools: string): void {
    this.#code = isTypeScript ? "/code.ts" : "/code.js";
    this.#set(this.#code, text);
    this.#set(TOOLS, tools);
  }

  /** Whether a file is one of our declarations. */
  isOurs(fileName: string): boolean {
    return fileName === GLOBALS || fileName === TOOLS;
  }

  #set(name: string, text: string): void {
    const old = this.#files.get(name);
    if (old?.text !== text) this.#files.set(name, { text, version: (old?.version ?? 0) + 1 });
  }

  #host(): ts.LanguageServiceHost {
    const read = (name: string): string | undefined =>
      this.#files.get(name)?.text ?? this.#readLibrary(name);
    return {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [GLOBALS, TOOLS, this.#code],
      getScriptVersion: (name) => String(this.#files.get(name)?.version ?? 0),
      getScriptSnapshot: (name) => {
        const text = read(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => "/",
      getDefaultLibFileName: () => "/lib/lib.esnext.d.ts",
      fileExists: (name) => this.#files.has(name),
      readFile: read,
    };
  }

  /** A file of TypeScript's library, by its name there. */
  #readLibrary(name: string): string | undefined {
    const [, file] = /^\/lib\/(lib\.[\w.]+\.d\.ts)$/.exec(name) ?? [];
    if (file === undefined) return undefined;
    const path = join(this.#library, file);
    return ts.sys.fileExists(path) ? readFileSync(path, "utf8") : undefined;
  }
}
