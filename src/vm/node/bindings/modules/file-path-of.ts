// The path of a file: URL that Node's library made.
import { codedError } from "../../errors.ts";

const PREFIX = "file://";

/** undefined where it is no such URL, or its path has an escaped slash. */
export function filePathOf(href: string): string | undefined {
  if (!href.startsWith(`${PREFIX}/`)) return undefined;
  const path = href.slice(PREFIX.length).replace(/[?#].*$/s, "");
  if (!path.includes("%")) return path;
  if (/%2f/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** As url::ThrowInvalidURL, for the package.json beside this address. */
export function invalidUrl(href: string): Error {
  const error: Error & Record<string, unknown> = Object.assign(
    codedError(TypeError as ErrorConstructor, "ERR_INVALID_URL", "Invalid URL"),
  );
  const isOpaque = /^[a-z][a-z0-9+.-]*:(?!\/)/i.test(href);
  error["input"] = isOpaque ? "./package.json" : href;
  if (isOpaque) error["base"] = href;
  return error;
}
