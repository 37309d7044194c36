// URLs, parsed by the cell's own Node: node_url.cc's answers in its own shape.
import { domainToASCII, domainToUnicode, pathToFileURL } from "node:url";
import type { Packed } from "../../../node/wire/pack.ts";
import { flag, int, list, maybe, text } from "../arguments.ts";
import type { Calls } from "../guest.ts";

export const urlCalls: Calls = {
  urlParse: (_, args) => describe(parse(text(args, 0), maybe(text, args, 1))),
  urlFromPath: (_, args) => describe(pathToFileURL(text(args, 0), { windows: flag(args, 1) })),
  urlUpdate(_, args) {
    const url = parse(text(args, 0), undefined);
    const property = properties[int(args, 1)];
    if (url === null || property === undefined) return null;
    try {
      url[property] = text(args, 2);
    } catch {
      return null;
    }
    return describe(url);
  },
  domainToAscii: (_, args) => domainToASCII(text(args, 0)),
  domainToUnicode: (_, args) => domainToUnicode(text(args, 0)),
  urlOrigin: (_, args) => parse(text(args, 0), undefined)?.origin ?? "null",
  urlFormat(_, args) {
    const url = parse(text(args, 0), undefined);
    if (url === null) return text(args, 0);
    const [hash, unicode, search, auth] = list(args, 1);
    if (hash !== true) url.hash = "";
    if (search !== true) url.search = "";
    if (auth !== true) {
      url.username = "";
      url.password = "";
    }
    return unicode === true ? url.href.replace(url.hostname, domainToUnicode(url.hostname)) : url.href;
  },
};

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

function parse(input: string, base: string | undefined): URL | null {
  return URL.parse(input, base);
}

/** Schemes as ada numbers them. */
const schemes = ["http:", "", "https:", "ws:", "ftp:", "wss:", "file:"];
/** ada's sign for a part that is not there. */
const OMITTED = 0xffff_ffff;

/** The address and where its parts end, as ada::url_components. */
function describe(url: URL | null): Packed {
  if (url === null) return null;
  const { href, protocol, username, password, hostname, port, pathname, search, hash } = url;
  const protocolEnd = protocol.length;
  const hasHost = href.startsWith("//", protocolEnd);
  const at = protocolEnd + (hasHost ? 2 : 0);
  const usernameEnd = at + username.length;
  const hostStart = usernameEnd + (password === "" ? 0 : password.length + 1);
  const hasCredentials = username !== "" || password !== "";
  const hostEnd = hostStart + (hasCredentials ? 1 : 0) + hostname.length;
  const portNumber = port === "" ? OMITTED : Number(port);
  const hashStart = href.indexOf("#");
  const beforeHash = hashStart < 0 ? href.length : hashStart;
  const found = href.indexOf("?");
  const searchStart = found < 0 || found >= beforeHash ? -1 : found;
  const pathnameEnd = searchStart < 0 ? beforeHash : searchStart;
  const scheme = schemes.indexOf(protocol);
  return [
    href,
    protocolEnd,
    usernameEnd,
    hostStart,
    hostEnd,
    portNumber,
    pathnameEnd - pathname.length,
    searchStart < 0 || (search === "" && searchStart < 0) ? OMITTED : searchStart,
    hashStart < 0 || (hash === "" && hashStart < 0) ? OMITTED : hashStart,
    scheme < 0 ? 1 : scheme,
  ];
}
