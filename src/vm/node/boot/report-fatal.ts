// What Node prints on stderr before an uncaught error ends the process, see ReportFatalException in
// src/node_errors.cc.

import { errorHooks } from "../bindings/errors.ts";
import { optionValues } from "../bindings/options.ts";
import { CallError, call } from "../channel.ts";
import { facts } from "../facts.ts";
import { placeThrown } from "../loop/catch-thrown.ts";
import { isOurs, placeInLibrary } from "../loop/visible-place.ts";
import { encodeUtf8, native } from "../native.ts";
import { library } from "../statics.ts";
import type { Node } from "./bootstrap.ts";
import { elsewhereHint } from "./elsewhere.ts";

export function reportFatal(node: Node, error: unknown, known = placeThrown(error)): void {
  const place = inSource(known ?? placeOf(error));
  let text: string;
  try {
    text = describe(node, error, place);
  } catch {
    text = "Uncaught error\n";
  }
  const version =
    optionValues.get("--extra-info-on-fatal-exception") === false
      ? ""
      : `\nNode.js ${library.version}\n`;
  printError(`${text}${version}${elsewhereHint(error)}`);
}

/** Writes to stderr as fprintf does: what cannot be written is lost. */
export function printError(text: string): void {
  try {
    call("writeAll", 2, encodeUtf8(text));
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}

/** The line an error was made at, with its place above and a mark below it. */
function placeOf(error: unknown): string {
  if (!native["types"].isNativeError(error)) return "";
  const place = native["errorPlace"](error);
  if (typeof place !== "string") return "";
  if (!isOurs(place)) return `${place}\n`;
  // V8 knows none, and takes the one that asks for it.
  const isUnknown = place.includes("errorPlace");
  return placeInLibrary(isUnknown ? new Error("here").stack : (error as Error).stack);
}

/** A place in what its source map says the file was made of, as GetSourceMapErrorSource. */
function inSource(place: string): string {
  if (!errorHooks.areSourceMapsOn) return place;
  const [, file, line, marks] = /^(.*):(\d+)\n.*\n([ \t]*)\^/.exec(place) ?? [];
  if (marks === undefined) return place;
  const source = errorHooks.sourceMapErrorSource?.(file, Number(line), marks.length);
  return typeof source === "string" ? source : place;
}

function describe(node: Node, error: any, place: string): string {
  const { require, internalBinding } = node;
  const isNativeError: boolean = internalBinding("types").isNativeError(error);
  const { arrow_message_private_symbol, decorated_private_symbol } =
    internalBinding("util").privateSymbols;
  const isObject = (typeof error === "object" && error !== null) || typeof error === "function";
  const attached = isObject ? error[arrow_message_private_symbol] : undefined;
  const isHidden = typeof attached === "string" && isOurs(attached);
  const known = isHidden ? placeInLibrary(error.stack) : attached;
  const arrow = typeof known === "string" ? known : isNativeError ? place : undefined;
  /** Of what is not an error the place is printed at once. */
  const before = typeof known === "string" || isNativeError || place === "" ? "" : `\n${place}`;
  const above =
    arrow === undefined || arrow === "" || error[decorated_private_symbol] === true
      ? ""
      : `${arrow}\n`;
  const given = isObject ? traceOf(require, error) : undefined;
  const isDecorated = isHidden && given?.startsWith(attached) === true;
  const trace = isDecorated ? `${known}${given.slice(attached.length)}` : given;
  if (trace !== undefined && trace !== "") return `${before}${above}${trace}\n`;
  return `${before}${above}${nameOf(error, isObject)}\n${adviceFor()}`;
}

function traceOf(load: Node["require"], error: any): string | undefined {
  const { fatalExceptionStackEnhancers } = load("internal/errors");
  fatalExceptionStackEnhancers.beforeInspector(error);
  const trace: unknown = fatalExceptionStackEnhancers.afterInspector(error);
  return trace === undefined ? undefined : `${trace as string}`;
}

/** Of what has no stack. */
function nameOf(error: any, isObject: boolean): string {
  if (typeof error === "symbol") return "";
  if (isObject && error.message !== undefined && error.name !== undefined)
    return `${error.name}: ${error.message}`;
  try {
    return String(error);
  } catch {
    return "<toString() threw exception>";
  }
}

function adviceFor(): string {
  if (optionValues.get("--trace-uncaught") === true) return "";
  const name = (facts.argv[0] ?? "node").replace(/^.*\//, "").replace(/(?<=.)\.[^.]*$/, "");
  return `(Use \`${name} --trace-uncaught ...\` to show where the exception was thrown)\n`;
}
