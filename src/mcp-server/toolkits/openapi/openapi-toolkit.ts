/** An OpenAPI document as a toolkit: its operations are tools, its API is called by the host. */
import { basename, resolve } from "node:path";
import {
  compileJsonSchema,
  cutText,
  type Exposure,
  type JsonSchema,
  TOOLS_LIMIT,
  type Tool,
  ToolError,
  type Toolkit,
} from "../../../toolkit-cli/index.ts";
import { findBaseUrl } from "./base-url.ts";
import { callOperation, type OperationCall } from "./call-operation.ts";
import { chooseOperations, matchesPattern, type NamedOperation } from "./choose-operations.ts";
import { SchemaConverter } from "./convert-schema.ts";
import { Credentials } from "./credentials/credentials.ts";
import { SecretValues } from "./credentials/secret-values.ts";
import { loadDocument, type OpenapiDocument } from "./document.ts";
import { looksPaged } from "./next-page.ts";
import type { OpenapiOptions } from "./openapi-options.ts";
import { isJsonType, listOperations, type Operation } from "./operation.ts";
import { makeInput } from "./operation-input.ts";

export interface OpenapiContext {
  /** The folder of the configuration: relative paths begin there. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DESCRIPTION_CHARACTERS = 1000;
const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Nothing is read before the first use of `tools`; a document that cannot be used is tried again. */
export class OpenapiToolkit implements Toolkit {
  readonly name: string;
  readonly description: string;
  readonly expose: Exposure;
  readonly #options: OpenapiOptions;
  readonly #context: OpenapiContext;
  #loading: Promise<readonly Tool[]> | undefined;

  constructor(name: string, options: OpenapiOptions, context: OpenapiContext) {
    this.name = name;
    this.description = options.description ?? `The HTTP API of ${placeName(options.openapi)}`;
    this.expose = options.expose ?? "cli";
    this.#options = options;
    this.#context = context;
  }

  async tools(): Promise<readonly Tool[]> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return await this.#loading;
  }

  async #load(): Promise<readonly Tool[]> {
    const { openapi } = this.#options;
    const { directory } = this.#context;
    const isUrl = /^https?:\/\//i.test(openapi);
    const document = await loadDocument(isUrl ? openapi : resolve(directory, openapi));
    const base = findBaseUrl(document, this.#options);
    const chosen = chooseOperations(listOperations(document), this.#options);
    if (chosen.length > TOOLS_LIMIT) {
      throw new ToolError(
        "unavailable",
        `The document has ${chosen.length} operations, more than ${TOOLS_LIMIT}. Choose by include, such as { "tags": […] }.`,
      );
    }
    if (chosen.length === 0) {
      throw new ToolError(
        "unavailable",
        "No operation of the document is chosen. Look at include, exclude and deprecated.",
      );
    }
    const api = this.#connect(document, base);
    return chosen.map((named) => makeTool(named, api));
  }

  #connect(document: OpenapiDocument, base: URL): Api {
    const { auth = [], headers = {}, origins = [], pagination } = this.#options;
    const values = new SecretValues();
    const credentials = new Credentials([auth].flat(), { ...this.#context, values });
    const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(base.hostname);
    if (base.protocol === "http:" && !isLoopback && credentials.has(undefined)) {
      this.#context.log(
        `toolkit ${this.name}: credentials go to ${base.origin} without encryption`,
      );
    }
    return {
      document,
      options: this.#options,
      base,
      headers: { "user-agent": "agentos-mcp", ...headers },
      origins: new Set(origins.map((origin) => new URL(origin).origin)),
      credentials,
      values,
      pagination,
    };
  }
}

interface Api extends Omit<OperationCall, "operation" | "input"> {
  readonly document: OpenapiDocument;
  readonly options: OpenapiOptions;
}

/** What a tool takes is put together when somebody looks: most tools of a large API are never called. */
function makeTool({ name, operation }: NamedOperation, api: Api): Tool {
  const { document, options, credentials, pagination } = api;
  const { method, parameters } = operation;
  const input = once(() =>
    makeInput(document, operation, {
      hidden: (parameter) => credentials.fills(parameter),
      canPage: method === "GET" && looksPaged(parameters, pagination),
    }),
  );
  const output = outputSchema(document, operation);
  const validate = once(() => compileJsonSchema(input().schema));
  return {
    name,
    description: describe(operation),
    get input() {
      return input().schema;
    },
    ...(output === undefined ? {} : { output }),
    examples: [],
    isReadOnly: method === "GET" || method === "HEAD",
    needsApproval: needsApproval(name, operation, options.approval),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    validate: (value) => Promise.resolve(validate()(value)),
    run: async (value, context) =>
      await callOperation({ ...api, operation, input: input() }, value, context),
  };
}

function needsApproval(
  name: string,
  { method, id = "" }: Operation,
  approval: OpenapiOptions["approval"] = "none",
): boolean {
  if (approval === "none") return false;
  if (approval === "all") return true;
  if (approval === "writes") return WRITES.has(method);
  return approval.some((pattern) =>
    [method, name, id].some((word) => matchesPattern(pattern, word)),
  );
}

function describe({ summary, description, method, path, isDeprecated }: Operation): string {
  const words = [summary, description].filter((text) => text !== undefined && text.trim() !== "");
  const isSame = words.length === 2 && (words[1] ?? "").startsWith(words[0] ?? "");
  const text = (isSame ? words.slice(1) : words).join("\n\n");
  const whole = text === "" ? `${method} ${path}` : text;
  return cutText(isDeprecated ? `(deprecated) ${whole}` : whole, DESCRIPTION_CHARACTERS);
}

function outputSchema(document: OpenapiDocument, { response }: Operation): JsonSchema | undefined {
  for (const [mediaType, content] of response) {
    if (!isJsonType(mediaType) || content["schema"] === undefined) continue;
    const converter = new SchemaConverter(document, "response");
    return converter.withDefinitions(converter.convert(content["schema"]));
  }
  return undefined;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A path of the host says more than a VM needs to know. */
function placeName(place: string): string {
  return /^https?:\/\//i.test(place) ? new URL(place).hostname : basename(place);
}
