// TypeScript without its types, by the parser that Node itself bundles (amaro: SWC as WebAssembly). It is
// loaded once for all processes of a VM: to compile it takes far longer than most programs run.
import { Buffer } from "node:buffer";
import * as util from "node:util";
import { compileFunction } from "node:vm";
import { KernelError } from "../../../kernel/index.ts";
import type { Builtins } from "./builtins.ts";

const PARSER = "internal/deps/amaro/dist/index";
/** The parser's memory is given back when nothing was parsed for so long. */
const KEEP_MS = 60_000;
/** Its memory only grows: after a source longer than this it is loaded anew. */
const LONG_SOURCE = 1 << 20;

type Transform = (source: string, options: object) => { readonly code: string };

/** What the parser says about a source that it does not take. */
export type ParseFailure = Readonly<Record<string, string | number>>;

export class TypeStripper {
  readonly #builtins: Builtins;
  #transform: Transform | undefined;
  #forget: NodeJS.Timeout | undefined;

  constructor(builtins: Builtins) {
    this.#builtins = builtins;
  }

  /** The code, or what is wrong with the source. */
  strip(source: string, filename: string | undefined): string | ParseFailure {
    const transform = this.#load();
    let isDone = false;
    try {
      const { code } = transform(source, { mode: "strip-only", filename });
      isDone = source.length <= LONG_SOURCE;
      return code;
    } catch (error) {
      const failure = describe(error);
      isDone = "code" in failure;
      return failure;
    } finally {
      // A parser that has panicked, or has grown, is not used again.
      if (!isDone) this.#transform = undefined;
    }
  }

  #load(): Transform {
    clearTimeout(this.#forget);
    this.#forget = setTimeout(() => {
      this.#transform = undefined;
    }, KEEP_MS).unref();
    this.#transform ??= loadParser(this.#builtins);
    return this.#transform;
  }
}

function loadParser(builtins: Builtins): Transform {
  const source = builtins.find(PARSER);
  if (source === undefined) throw new KernelError("ENOENT", PARSER);
  const module: { exports: { transformSync?: Transform } } = { exports: {} };
  const require = (id: string): unknown => (id === "util" ? util : { Buffer });
  compileFunction(source, ["module", "exports", "require"], { filename: `node:${PARSER}` })(
    module,
    module.exports,
    require,
  );
  const { transformSync } = module.exports;
  if (transformSync === undefined) throw new KernelError("ENOENT", PARSER);
  return transformSync;
}

/** The parser throws objects that are no errors, texts, or, where it panics, WebAssembly's errors. */
function describe(error: unknown): ParseFailure {
  const failure: Record<string, string | number> = {};
  if (typeof error !== "object" || error === null) return { message: String(error) };
  if (error instanceof Error) return { message: error.message };
  for (const [name, value] of Object.entries(error)) {
    if (typeof value === "string" || typeof value === "number") failure[name] = value;
  }
  return failure;
}
