// Where the next page of a list is: a Link header, a link or a token in the body.
import type { JsonValue } from "../../../toolkit-cli/index.ts";
import { isObject } from "./document.ts";
import type { PlacedParameter } from "./operation-input.ts";
import { textOf } from "./serialize-parameter.ts";

export interface Page {
  readonly base: URL;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: JsonValue | undefined;
  readonly parameters: readonly PlacedParameter[];
  /** What the operator says of this API. */
  readonly pagination: Pagination | undefined;
}

export interface Pagination {
  /** The query parameter that takes the token. */
  readonly parameter: string;
  /** Where the token is in the body: `meta.next`. */
  readonly next: string;
  /** Where the items are, for `--all`. */
  readonly items?: string | undefined;
}

export interface NextPage {
  readonly url: URL;
  /** What to set in the input to get there; nothing where only the address is known. */
  readonly values: ReadonlyMap<string, string>;
}

/** Query parameters by which APIs take the place to go on from; the first that fits is used. */
const PARAMETERS = (
  "cursor page_token next_token next_cursor after starting_after continuation_token page_cursor " +
  "page offset start next"
).split(" ");
/** Where APIs say the next token, or the address of the next page. */
const FIELDS = [
  "next_cursor nextCursor next_page_token nextPageToken next_token nextToken continuation_token",
  "continuationToken next_page nextPage next meta.next_cursor meta.nextCursor meta.next",
  "pagination.next_cursor pagination.nextCursor pagination.next pagination.next_page",
  "response_metadata.next_cursor paging.cursors.after paging.next.after paging.next links.next",
  "_links.next.href _links.next page_info.end_cursor @odata.nextLink",
].flatMap((line) => line.split(" "));

/** Whether an operation looks as if it gave pages. */
export function looksPaged(
  parameters: readonly { readonly in: string; readonly name: string }[],
  pagination: Pagination | undefined,
): boolean {
  const names = parameters.filter((one) => one.in === "query").map((one) => one.name);
  if (pagination !== undefined) return names.includes(pagination.parameter);
  return names.some((name) => PARAMETERS.includes(plain(name)));
}

export function findNextPage(page: Page): NextPage | undefined {
  const link = nextLink(page.headers.get("link"));
  if (link !== undefined) return byAddress(page, link);
  if (page.pagination !== undefined) {
    const { parameter, next } = page.pagination;
    return byToken(page, valueAt(page.body, next), [parameter]);
  }
  for (const field of FIELDS) {
    const next = byToken(page, valueAt(page.body, field), likelyParameters(field));
    if (next !== undefined) return next;
  }
  return byLastItem(page);
}

/** The items of a page: the body itself, or its one list. */
export function itemsOf(
  body: JsonValue | undefined,
  at: string | undefined,
): readonly JsonValue[] | undefined {
  if (at !== undefined) return asList(valueAt(body, at));
  if (Array.isArray(body)) return body;
  if (!isObject(body)) return undefined;
  const lists = Object.values(body).filter((value) => Array.isArray(value));
  const [only] = lists;
  return lists.length === 1 ? asList(only) : undefined;
}

function asList(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The target of `rel="next"`, see RFC 8288. */
export function nextLink(header: string | null): string | undefined {
  for (const part of (header ?? "").slice(0, 16_384).split(/,\s*(?=<)/)) {
    const [, target, rest = ""] = /^\s*<([^>]*)>(.*)$/s.exec(part) ?? [];
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^;\s]*))/i.exec(rest);
    const words = (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/);
    if (target !== undefined && words.includes("next")) return target;
  }
  return undefined;
}

function byToken(
  page: Page,
  token: JsonValue | undefined,
  names: readonly string[],
): NextPage | undefined {
  if (typeof token !== "string" && typeof token !== "number") return undefined;
  const text = textOf(token);
  if (text === "" || text.length > 8192) return undefined;
  if (/^(https?:\/\/|\/)/i.test(text)) return byAddress(page, text);
  for (const name of names) {
    const placed = page.parameters.find(
      ({ parameter }) => parameter.in === "query" && plain(parameter.name) === plain(name),
    );
    if (placed !== undefined) return withQuery(page.url, placed, text);
  }
  return undefined;
}

/** Stripe's way: there is more, after the last item's id. */
function byLastItem(page: Page): NextPage | undefined {
  if (!isObject(page.body) || page.body["has_more"] !== true) return undefined;
  const last = itemsOf(page.body, undefined)?.at(-1);
  const id = isObject(last) ? last["id"] : undefined;
  return typeof id === "string" ? byToken(page, id, ["starting_after", "after"]) : undefined;
}

/** `next_page_token` is for `page_token` first of all. */
function likelyParameters(field: string): readonly string[] {
  const last = plain(field.slice(field.lastIndexOf(".") + 1));
  const own = last.replace(/^(next|end)_/, "");
  return [...PARAMETERS.filter((name) => name === own || name === last), ...PARAMETERS];
}

function byAddress({ base, url, parameters }: Page, address: string): NextPage | undefined {
  const next = URL.parse(address, url);
  if (next === null || next.origin !== base.origin || next.href === url.href) return undefined;
  if (!next.pathname.startsWith(base.pathname)) return undefined;
  const isSame = next.pathname === url.pathname;
  const changed = parameters.flatMap(({ property, parameter }): [string, string][] => {
    const value = parameter.in === "query" ? next.searchParams.get(parameter.name) : null;
    const isNew = value !== null && value !== url.searchParams.get(parameter.name);
    return isNew ? [[property, value]] : [];
  });
  return { url: next, values: new Map(isSame ? changed : []) };
}

function withQuery(url: URL, { property, parameter }: PlacedParameter, text: string): NextPage {
  const next = new URL(url);
  const own = `${encodeURIComponent(parameter.name)}=`;
  const others = url.search
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair !== "" && !pair.startsWith(own));
  next.search = [...others, own + encodeURIComponent(text)].join("&");
  return { url: next, values: new Map([[property, text]]) };
}

function valueAt(body: JsonValue | undefined, path: string): JsonValue | undefined {
  // A name with dots of its own wins: "@odata.nextLink".
  if (isPlain(body) && Object.hasOwn(body, path)) return body[path];
  let current = body;
  for (const step of path.split(".")) {
    if (!isPlain(current) || !Object.hasOwn(current, step)) return undefined;
    current = current[step];
  }
  return current;
}

function isPlain(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return isObject(value);
}

/** `pageToken` and `page-token` are `page_token`. */
function plain(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}
