// What an operator says of an OpenAPI toolkit: the schema of `toolkits.<name>` with `openapi`.
import { z } from "zod";

const MAX_TIMEOUT_MS = 3_600_000;

/** Where a secret is. The configuration never holds one itself. */
const secret = z.union(
  [
    z.strictObject({ env: z.string().min(1) }),
    z.strictObject({ file: z.string().min(1) }),
    z.strictObject({ command: z.array(z.string()).min(1) }),
  ],
  'must be { "env": NAME }, { "file": PATH } or { "command": [PROGRAM, …] }: secrets do not stand in the configuration',
);

const nameOrSecret = z.union([z.string().min(1), secret]);
/** Only for operations that the document protects by this scheme. */
const scheme = z.string().optional();

const credential = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("bearer"), scheme, token: secret }),
  z.strictObject({ type: z.literal("basic"), scheme, username: nameOrSecret, password: secret }),
  z.strictObject({
    type: z.literal("apiKey"),
    scheme,
    in: z.enum(["header", "query", "cookie"]),
    name: z.string().min(1),
    value: secret,
  }),
  z.strictObject({
    type: z.literal("oauth2"),
    scheme,
    tokenUrl: z.url({ protocol: /^https?$/ }),
    clientId: nameOrSecret,
    clientSecret: secret,
    scopes: z.array(z.string()).optional(),
    audience: z.string().optional(),
  }),
]);

const choice = z.strictObject({
  tags: z.array(z.string()).optional(),
  /** Operation ids or tool names; `*` stands for anything. */
  operations: z.array(z.string()).optional(),
  methods: z.array(z.string()).optional(),
});

const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, "is no header's name")
  .refine(
    (name) => !/^((proxy-)?authorization|cookie|host)$/i.test(name),
    "is not set here: use auth",
  );

export const openapiOptions = z.strictObject({
  openapi: z.string().min(1),
  description: z.string().optional(),
  expose: z.enum(["cli", "direct", "both"]).optional(),
  disabled: z.boolean().optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  serverVariables: z.record(z.string(), z.string()).optional(),
  /** Other origins that redirects may lead to; credentials never go there. */
  origins: z.array(z.url({ protocol: /^https?$/ })).optional(),
  headers: z.record(headerName, z.string()).optional(),
  auth: z.union([credential, z.array(credential)]).optional(),
  include: choice.optional(),
  exclude: choice.optional(),
  deprecated: z.boolean().optional(),
  approval: z.union([z.enum(["none", "writes", "all"]), z.array(z.string())]).optional(),
  timeoutMs: z.number().int().min(1).max(MAX_TIMEOUT_MS).optional(),
  pagination: z
    .strictObject({
      parameter: z.string(),
      next: z.string(),
      items: z.string().optional(),
    })
    .optional(),
});

export type OpenapiOptions = z.output<typeof openapiOptions>;
export type SecretOption = z.output<typeof secret>;
export type CredentialOption = z.output<typeof credential>;
export type OperationChoice = z.output<typeof choice>;
