// Stands in the place of Node's bundled TypeScript parser: 3.8 MB of code that the kernel's side has loaded
// already, once for all processes.
import { CallError, call } from "../../channel.ts";

export const TYPESCRIPT_PARSER = "internal/deps/amaro/dist/index";

interface Options {
  readonly filename?: string;
}

/** A builtin's function: (exports, require, module). */
export function typescriptParser(_: unknown, __: unknown, module: { exports: unknown }): void {
  module.exports = { transformSync };
}

/** Throws what the parser throws: an object with `code` and `message`. */
function transformSync(source: string, { filename }: Options = {}): { code: string } {
  const stripped = strip(source, filename);
  if (typeof stripped === "string") return { code: stripped };
  throw stripped;
}

function strip(source: string, filename: string | undefined): string | object {
  try {
    return call("stripTypes", source, filename);
  } catch (error) {
    if (error instanceof CallError && error.code === "EFBIG")
      return {
        message: "The source is too long for type stripping in a VM",
        code: "UnsupportedSyntax",
        filename,
      };
    throw error;
  }
}
