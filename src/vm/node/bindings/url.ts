import { call } from "../channel.ts";
import { codedError } from "../errors.ts";
import type { Binding } from "./base.ts";
import {
  isPlainUpdate,
  parsePlain,
  plainComponents,
  plainFromPath,
} from "./url/plain-file-urls.ts";

const urlComponents = new Uint32Array(9);

/** URLs are parsed by the kernel's own Node, whose parser is the one Node's library expects. */
export const url = (): Binding => ({
  urlComponents,
  parse(input: string, base: string | undefined, shouldThrow: boolean): string | undefined {
    const plain = parsePlain(input, base);
    if (typeof plain === "string") return setComponents([plain, ...plainComponents]);
    const parsed = plain === null ? null : call("urlParse", input, base);
    if (parsed !== null) return setComponents(parsed);
    if (shouldThrow) throw invalid(input, base);
    return undefined;
  },
  pathToFileURL(path: string, isWindows: boolean, base?: string): string {
    const plain = isWindows ? undefined : plainFromPath(path);
    if (plain !== undefined) return setComponents([plain, ...plainComponents]);
    const parsed = call("urlFromPath", path, isWindows, base);
    if (parsed === null) throw invalid(path, base);
    return setComponents(parsed);
  },
  update(href: string, action: number, value: string): string | false {
    if (isPlainUpdate(href, action, value)) return setComponents([href, ...plainComponents]);
    const parsed = call("urlUpdate", href, action, value);
    return parsed === null ? false : setComponents(parsed);
  },
  canParse: (input: string, base?: string) => call("urlCanParse", String(input), base),
  domainToASCII: (domain: string) => call("urlDomainToAscii", domain),
  domainToUnicode: (domain: string) => call("urlDomainToUnicode", domain),
  format: (href: string, hash: boolean, unicode: boolean, search: boolean, auth: boolean) =>
    call("urlFormat", href, [hash, unicode, search, auth]),
  getOrigin(href: string): string {
    const origin = call("urlOrigin", href);
    if (origin === null) throw invalid(href, undefined);
    return origin;
  },
});

/** Where the parts of the address are, as node_url.cc tells it. */
function setComponents([href, ...components]: [string, ...number[]]): string {
  urlComponents.set(components);
  return href;
}

function invalid(input: string, base: string | undefined): Error {
  const error: Error & Record<string, unknown> = Object.assign(
    codedError(TypeError as ErrorConstructor, "ERR_INVALID_URL", "Invalid URL"),
  );
  error["input"] = input;
  if (base !== undefined) error["base"] = base;
  return error;
}
