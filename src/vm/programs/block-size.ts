/** `--block-size=SIZE` as `ls`, `du` and `df` take it. */
import { parseCount } from "./count-argument.ts";
import { showSize } from "./show-size.ts";

/** Shows a number of bytes. */
export type ShowBytes = (bytes: number) => string;

/** Undefined where the text is no size. */
export function parseBlockSize(text: string): ShowBytes | undefined {
  if (text === "human-readable") return (bytes) => showSize(bytes, 1024);
  if (text === "si") return (bytes) => showSize(bytes, 1000);
  const isGrouped = text.startsWith("'");
  if (isGrouped) return parseBlockSize(text.slice(1));
  const isUnit = /^[A-Za-z]/.test(text);
  const unit = parseCount(isUnit ? `1${text}` : text);
  if (unit === undefined || unit === 0) return undefined;
  const suffix = isUnit ? text.replace(/^k(?!B$)/, "K").replace(/^KB$/, "kB") : "";
  return (bytes) => `${Math.ceil(bytes / unit)}${suffix}`;
}

/** What is said of a text that is no size, given by an option of that spelling. */
export function blockSizeProblem(text: string, spelling: string): string {
  const isSuffix = /^[1-9]\d*[^\d]/.test(text);
  return isSuffix
    ? `invalid suffix in ${spelling} argument '${text}'`
    : `invalid ${spelling} argument '${text}'`;
}
