import { parse as parseBash } from "unbash";
import { adaptScript } from "./adapt.ts";
import type { Script } from "./ast.ts";
import { SourceLines } from "./source-lines.ts";

/** Reads shell source. Never throws: `error` tells what is wrong, the statements before it can run. */
export function parse(source: string, firstLine = 1): Script {
  return adaptScript(parseBash(source), new SourceLines(source, firstLine));
}
