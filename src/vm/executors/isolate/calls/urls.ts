// URLs, parsed by the cell's own Node: node_url.cc's answers in its own shape.
import { domainToASCII, domainToUnicode, format, pathToFileURL } from "node:url";
import type { Packed } from "../../../node/wire/pack.ts";
import { flag, int, list, maybe, text } from "../arguments.ts";
import type { Calls } from "../guest.ts";
import { callableOf, findBinding } from "../node-internals.ts";

export const urlCalls: Calls = {
  urlParse: (_, args) => describe(URL.parse(text(args, 0), maybe(text, args, 1))),
  urlCanParse: (_, args) => URL.canParse(text(args, 0), maybe(text, args, 1)),
  /** A path, whether it is one of Windows, and there the server it is on. */
  urlFromPath(_, args) {
    const [path, windows, server] = [text(args, 0), flag(args, 1), maybe(text, args, 2)];
    try {
      return describe(
        pathToFileURL(windows && server ? `\\\\${server}${path}` : path, { windows }),
      );
    } catch {
      return null;
    }
  },
  urlUpdate(_, args) {
    const url = URL.parse(text(args, 0));
    const property = properties[int(args, 1)];
    if (url === null || property === undefined) return null;
    try {
      url[property] = text(args, 2);
    } catch {
      return null;
    }
    return describe(url);
  },
  urlDomainToAscii: (_, args) => domainToASCII(text(args, 0)),
  urlDomainToUnicode: (_, args) => domainToUnicode(text(args, 0)),
  /** IDNA alone, without the rules of a URL's host. */
  domainToAscii: (_, args) =>
    withInternals("toASCII", text(args, 0)) ?? domainToASCII(text(args, 0)),
  domainToUnicode: (_, args) =>
    withInternals("toUnicode", text(args, 0)) ?? domainToUnicode(text(args, 0)),
  urlOrigin: (_, args) => URL.parse(text(args, 0))?.origin ?? null,
  urlFormat(_, args) {
    const url = URL.parse(text(args, 0));
    if (url === null) return text(args, 0);
    const [fragment, unicode, search, auth] = list(args, 1).map((one) => one === true);
    return format(url, { fragment, unicode, search, auth });
  },
};

/** Node's binding, where the cell has it. */
function withInternals(name: string, domain: string): string | undefined {
  const binding = findBinding("encoding_binding");
  const result = binding === undefined ? undefined : callableOf(binding, name)(domain);
  return typeof result === "string" ? result : undefined;
}

/** updateActions of lib/internal/url.js. */
const properties = [
  "protocol",
  "host",
  "hostname",
  "port",
  "username",
  "password",
  "pathname",
  "search",
  "hash",
  "href",
] as const;

/** Schemes as ada numbers them. */
const schemes = ["http:", "", "https:", "ws:", "ftp:", "wss:", "file:"];
/** ada's sign for a part that is not there. */
const OMITTED = 0xffff_ffff;

/** The address and where its parts end, as ada::url_components. */
export function describe(url: URL | null): Packed {
  if (url === null) return null;
  const { href, protocol, username, password, hostname, port, pathname } = url;
  const protocolEnd = protocol.length;
  const at = protocolEnd + (href.startsWith("//", protocolEnd) ? 2 : 0);
  const usernameEnd = at + username.length;
  const hostStart = usernameEnd + (password === "" ? 0 : password.length + 1);
  const hasCredentials = username !== "" || password !== "";
  const hash = href.indexOf("#");
  const beforeHash = hash < 0 ? href.length : hash;
  const search = href.slice(0, beforeHash).indexOf("?");
  const scheme = schemes.indexOf(protocol);
  return [
    href,
    protocolEnd,
    usernameEnd,
    hostStart,
    hostStart + (hasCredentials ? 1 : 0) + hostname.length,
    port === "" ? OMITTED : Number(port),
    (search < 0 ? beforeHash : search) - pathname.length,
    search < 0 ? OMITTED : search,
    hash < 0 ? OMITTED : hash,
    scheme < 0 ? 1 : scheme,
  ];
}
