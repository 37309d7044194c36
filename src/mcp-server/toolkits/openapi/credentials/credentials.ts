// The credentials of a toolkit: held here, put on requests to its own API, and shown to nobody.
import { ToolError } from "../../../../toolkit-cli/index.ts";
import type { CredentialOption, SecretOption } from "../openapi-options.ts";
import { ClientToken } from "./client-token.ts";
import { Secret, type SecretPlace } from "./secret.ts";

export interface Authorized {
  readonly url: URL;
  readonly headers: Headers;
}

/** One way to prove who asks. */
interface Credential {
  readonly scheme: string | undefined;
  /** The parameter it fills in, so that callers are not asked for it. */
  readonly parameter: { readonly in: string; readonly name: string } | undefined;
  put(request: Authorized): Promise<void>;
  /** After a refusal: looks again next time. False where that changes nothing. */
  renew(): boolean;
}

export class Credentials {
  readonly #credentials: readonly Credential[];

  constructor(options: readonly CredentialOption[], place: SecretPlace) {
    this.#credentials = options.map((option) => makeCredential(option, place));
  }

  /** Whether a parameter is a credential's. */
  fills(parameter: { readonly in: string; readonly name: string }): boolean {
    return this.#credentials.some(
      (credential) =>
        credential.parameter?.in === parameter.in &&
        credential.parameter.name.toLowerCase() === parameter.name.toLowerCase(),
    );
  }

  /** Puts on a request what an operation with these schemes needs. */
  async put(schemes: readonly string[] | undefined, request: Authorized): Promise<void> {
    for (const credential of this.#for(schemes)) await credential.put(request);
  }

  /** After the API refused them. Whether asking again may help. */
  renew(schemes: readonly string[] | undefined): boolean {
    return this.#for(schemes)
      .map((credential) => credential.renew())
      .some(Boolean);
  }

  has(schemes: readonly string[] | undefined): boolean {
    return this.#for(schemes).length > 0;
  }

  /** Public operations get none; those of another scheme only what is not for one scheme. */
  #for(schemes: readonly string[] | undefined): readonly Credential[] {
    if (schemes === undefined) return this.#credentials;
    if (schemes.length === 0) return [];
    return this.#credentials.filter(
      ({ scheme }) => scheme === undefined || schemes.includes(scheme),
    );
  }
}

function makeCredential(option: CredentialOption, place: SecretPlace): Credential {
  const { scheme } = option;
  if (option.type === "oauth2") return oauth2(option, place);
  if (option.type === "bearer") {
    const token = new Secret(option.token, place);
    const put = async ({ headers }: Authorized): Promise<void> =>
      setHeader(headers, "authorization", `Bearer ${await token.read()}`);
    return { scheme, parameter: undefined, put, renew: () => token.forget() };
  }
  if (option.type === "basic") {
    const username = nameOrSecret(option.username, place);
    const password = new Secret(option.password, place);
    const put = async ({ headers }: Authorized): Promise<void> => {
      const pair = `${await username.read()}:${await password.read()}`;
      place.values.add(pair);
      setHeader(headers, "authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
    };
    const renew = (): boolean => [username.forget(), password.forget()].some(Boolean);
    return { scheme, parameter: undefined, put, renew };
  }
  const value = new Secret(option.value, place);
  const put = async (request: Authorized): Promise<void> =>
    putKey(request, option, await value.read());
  const parameter = { in: option.in, name: option.name };
  return { scheme, parameter, put, renew: () => value.forget() };
}

function oauth2(
  option: Extract<CredentialOption, { type: "oauth2" }>,
  place: SecretPlace,
): Credential {
  const clientId = nameOrSecret(option.clientId, place);
  const clientSecret = new Secret(option.clientSecret, place);
  const token = new ClientToken({
    tokenUrl: option.tokenUrl,
    scopes: option.scopes,
    audience: option.audience,
    client: async () => ({ id: await clientId.read(), secret: await clientSecret.read() }),
    values: place.values,
    log: place.log,
  });
  return {
    scheme: option.scheme,
    parameter: undefined,
    put: async ({ headers }) => setHeader(headers, "authorization", `Bearer ${await token.read()}`),
    renew() {
      token.forget();
      clientId.forget();
      clientSecret.forget();
      return true;
    },
  };
}

interface Readable {
  read(): Promise<string>;
  forget(): boolean;
}

function nameOrSecret(option: string | SecretOption, place: SecretPlace): Readable {
  if (typeof option !== "string") return new Secret(option, place);
  return { read: () => Promise.resolve(option), forget: () => false };
}

function putKey(
  { url, headers }: Authorized,
  option: Extract<CredentialOption, { type: "apiKey" }>,
  value: string,
): void {
  const own = `${encodeURIComponent(option.name)}=${encodeURIComponent(value)}`;
  if (option.in === "query") {
    // Not by searchParams, which would write the other parameters anew.
    url.search = [...otherPairs(url.search.slice(1), "&", option.name), own].join("&");
  } else if (option.in === "header") {
    setHeader(headers, option.name, value);
  } else {
    const others = otherPairs(headers.get("cookie") ?? "", ";", option.name);
    setHeader(headers, "cookie", [...others, own].join("; "));
  }
}

/** A caller's object may have been taken apart into a pair of the credential's name. */
function otherPairs(text: string, separator: string, name: string): string[] {
  const pairs = text.split(separator).map((pair) => pair.trim());
  return pairs.filter((pair) => pair !== "" && nameOf(pair) !== name);
}

function nameOf(pair: string): string {
  const [name = ""] = pair.split("=");
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    // A stray % is part of the name.
    return name;
  }
}

/** The platform's own message would show the value. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ToolError(
      "unavailable",
      `The credential for ${name} cannot be sent: it has a line break or another character that headers cannot have.`,
    );
  }
}
