// llhttp's errors as Node's.
import { llhttp } from "./llhttp.ts";

const HPE_USER = 24;

/** The error that parsing stopped at; none where it was for an upgrade. */
export function parseError(parser: number, errno: number, read: number): Error | undefined {
  const { exports, text } = llhttp();
  if (errno === 0 || exports["llhttp_get_upgrade"]?.(parser) === 1) return undefined;
  const reason = text(exports["llhttp_get_error_reason"]?.(parser) ?? 0);
  const colon = errno === HPE_USER ? reason.indexOf(":") : -1;
  const code =
    colon < 0 ? text(exports["llhttp_errno_name"]?.(errno) ?? 0) : reason.slice(0, colon);
  const details = { bytesParsed: read, code, reason: reason.slice(colon + 1) };
  return Object.assign(new Error("Parse Error"), details);
}

/** An error of ours, `CODE:words`; the number that a callback answers then. */
export function setReason(parser: number, reason: string): number {
  const { exports, keep } = llhttp();
  exports["llhttp_set_error_reason"]?.(parser, keep(reason));
  return HPE_USER;
}
