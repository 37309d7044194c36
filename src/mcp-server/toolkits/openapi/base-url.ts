// The one place an OpenAPI toolkit talks to.
import { ToolError } from "../../../toolkit-cli/index.ts";
import { isObject, type JsonObject, listOf, type OpenapiDocument, textOf } from "./document.ts";
import type { OpenapiOptions } from "./openapi-options.ts";

type Choosing = Pick<OpenapiOptions, "baseUrl" | "serverVariables">;

/**
 * The operator's base URL, else the document's first server. A document that was fetched may name only
 * the server it came from: who serves it must not choose where credentials go.
 */
export function findBaseUrl(document: OpenapiDocument, options: Choosing): URL {
  const url =
    options.baseUrl === undefined ? documentUrl(document, options) : new URL(options.baseUrl);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw wrong(`the server's address begins with ${url.protocol}, not with https:`);
  }
  if (url.username !== "" || url.password !== "") {
    throw wrong("the server's address holds a user or password; give them as auth");
  }
  url.search = "";
  url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

function documentUrl(document: OpenapiDocument, { serverVariables = {} }: Choosing): URL {
  const server = listOf(document.root["servers"]).find(isObject) ?? {};
  const text = fillVariables(textOf(server["url"]) ?? "/", server, serverVariables);
  const url = parseUrl(text, document.url);
  if (url === undefined) {
    throw wrong(
      `the document names no whole address of its server, but ${JSON.stringify(text.slice(0, 100))}`,
    );
  }
  if (document.url !== undefined && document.url.origin !== url.origin) {
    throw wrong(
      `the document comes from ${document.url.origin} and names a server elsewhere, ${url.origin}`,
    );
  }
  return url;
}

function parseUrl(text: string, base: URL | undefined): URL | undefined {
  return URL.parse(text, base) ?? undefined;
}

function fillVariables(
  text: string,
  server: JsonObject,
  given: Readonly<Record<string, string>>,
): string {
  const variables = isObject(server["variables"]) ? server["variables"] : {};
  return text.replaceAll(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (!isObject(variable)) return value ?? whole;
    const allowed = listOf(variable["enum"]);
    if (value !== undefined && allowed.length > 0 && !allowed.includes(value)) {
      throw wrong(`serverVariables.${name} must be one of ${allowed.slice(0, 20).join(", ")}`);
    }
    return value ?? textOf(variable["default"]) ?? whole;
  });
}

function wrong(problem: string): ToolError {
  return new ToolError(
    "unavailable",
    `The API's address is not clear: ${problem}. Set baseUrl in the configuration.`,
  );
}
