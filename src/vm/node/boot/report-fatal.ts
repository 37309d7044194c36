// What Node prints on stderr before an uncaught error ends the process.
import { call } from "../channel.ts";
import { encodeUtf8, native } from "../native.ts";
import { library } from "../statics.ts";
import type { Node } from "./bootstrap.ts";

export function reportFatal({ require, internalBinding }: Node, error: unknown): void {
  let text: string;
  try {
    const { inspect } = require("internal/util/inspect");
    text = describe(inspect, error, internalBinding);
  } catch {
    text = "Uncaught error";
  }
  call("write", 2, encodeUtf8(`${text}\n\nNode.js ${library.version}\n`), null);
}

function describe(inspect: any, error: any, internalBinding: any): string {
  const isError = internalBinding("types").isNativeError(error);
  const arrow = arrowOf(error, internalBinding);
  if (!isError) return `${arrow}\nUncaught:\n${inspect(error)}\n(Use \`node --trace-uncaught ...\` to show where the exception was thrown)`.replace(/^\n/, "");
  return `${arrow}${inspect(error, { colors: false })}`;
}

/** The line the error was thrown at, with its place above it. */
function arrowOf(error: any, internalBinding: any): string {
  const { privateSymbols } = internalBinding("util");
  const arrow = error?.[privateSymbols.arrow_message_private_symbol];
  if (typeof arrow === "string") return `${arrow}\n`;
  const place = native["errorPlace"]?.(error);
  return typeof place === "string" ? `${place}\n\n` : "";
}
