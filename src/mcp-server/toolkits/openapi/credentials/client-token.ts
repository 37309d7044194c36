// OAuth 2.0 client credentials: a token of the host, got and renewed as needed (RFC 6749 §4.4).
import { parseBoundedJson, ToolError } from "../../../../toolkit-cli/index.ts";
import { readLimited } from "../read-limited.ts";
import type { SecretValues } from "./secret-values.ts";

export interface ClientTokenOptions {
  readonly tokenUrl: string;
  readonly scopes?: readonly string[] | undefined;
  readonly audience?: string | undefined;
  readonly client: () => Promise<{ readonly id: string; readonly secret: string }>;
  readonly values: SecretValues;
  readonly log: (line: string) => void;
}

const FETCH_LIMIT_MS = 20_000;
const ANSWER_LIMIT_BYTES = 256 * 1024;
/** A token that ends within this time may end before the request arrives. */
const MARGIN_MS = 30_000;
/** Where the answer does not say, RFC 6749 leaves it open; a refusal renews it in any case. */
const DEFAULT_LIFE_MS = 3_600_000;

/** One token, shared by all calls until it ends or is refused. */
export class ClientToken {
  readonly #options: ClientTokenOptions;
  #getting: Promise<{ readonly value: string; readonly endsAt: number }> | undefined;

  constructor(options: ClientTokenOptions) {
    this.#options = options;
  }

  async read(): Promise<string> {
    const getting = this.#getting;
    const known = await getting?.catch(() => undefined);
    if (known !== undefined && known.endsAt > Date.now()) return known.value;
    // No await until the next one is asked for: whoever comes first does it for all.
    if (this.#getting === getting || this.#getting === undefined) this.#getting = this.#get();
    return (await this.#getting).value;
  }

  forget(): void {
    this.#getting = undefined;
  }

  async #get(): Promise<{ value: string; endsAt: number }> {
    try {
      const { id, secret } = await this.#options.client();
      const first = await this.#ask(basic(id, secret), {});
      // Servers that take the client only in the body say 400 or 401 to the other way.
      const isRefused = first.status === 400 || first.status === 401;
      const last = isRefused
        ? await this.#ask({}, { client_id: id, client_secret: secret })
        : first;
      return this.#readAnswer(last);
    } catch (error) {
      this.#getting = undefined;
      throw error;
    }
  }

  async #ask(
    headers: Record<string, string>,
    fields: Record<string, string>,
  ): Promise<{ status: number; text: string }> {
    const { tokenUrl, scopes = [], audience } = this.#options;
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
      ...(audience === undefined ? {} : { audience }),
      ...fields,
    });
    try {
      const response = await fetch(tokenUrl, {
        method: "POST",
        headers: { accept: "application/json", ...headers },
        body: form,
        redirect: "manual",
        signal: AbortSignal.timeout(FETCH_LIMIT_MS),
      });
      const bytes = await readLimited(response.body, ANSWER_LIMIT_BYTES);
      return { status: response.status, text: new TextDecoder().decode(bytes ?? new Uint8Array()) };
    } catch (error) {
      throw new ToolError("unavailable", `${this.#place()} cannot be reached.`, { cause: error });
    }
  }

  #readAnswer({ status, text }: { status: number; text: string }): {
    value: string;
    endsAt: number;
  } {
    const answer = parseAnswer(text);
    const { access_token: value, expires_in: life } = answer;
    if (status !== 200 || typeof value !== "string" || value === "") {
      this.#options.log(
        `${this.#place()} answers ${status}: ${this.#options.values.hide(text).slice(0, 500)}`,
      );
      const code = typeof answer["error"] === "string" ? ` (${answer["error"].slice(0, 80)})` : "";
      throw new ToolError("unavailable", `${this.#place()} gives no token: ${status}${code}.`);
    }
    this.#options.values.add(value);
    const lifeMs = typeof life === "number" && life >= 0 ? life * 1000 : DEFAULT_LIFE_MS;
    return { value, endsAt: Date.now() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
  }

  #place(): string {
    const { origin, pathname } = new URL(this.#options.tokenUrl);
    return `The token address ${origin}${pathname}`;
  }
}

/** Both parts are form-encoded first, see RFC 6749 §2.3.1. */
function basic(id: string, secret: string): Record<string, string> {
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function parseAnswer(text: string): Record<string, unknown> {
  try {
    const value: unknown = parseBoundedJson(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    // No JSON is no token.
    return {};
  }
}
