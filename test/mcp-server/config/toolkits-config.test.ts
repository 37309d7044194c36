import { describe, expect, it } from "vitest";
import { toolkitsConfig } from "../../../src/mcp-server/config/toolkits-config.ts";

const token = { env: "TOKEN" };

describe("toolkitsConfig", () => {
  it("takes modules and documents with all that can be set", () => {
    const config = {
      project: { module: "./project.ts", export: "project", expose: "both", disabled: false },
      books: {
        openapi: "https://api.example.com/openapi.json",
        description: "Books",
        expose: "cli",
        disabled: false,
        baseUrl: "https://api.example.com/v2",
        serverVariables: { region: "eu" },
        origins: ["https://files.example.com"],
        headers: { "x-version": "2" },
        auth: [
          { type: "bearer", scheme: "token", token },
          { type: "basic", username: "ann", password: { file: "password" } },
          { type: "apiKey", in: "header", name: "x-key", value: { command: ["pass", "key"] } },
          {
            type: "oauth2",
            tokenUrl: "https://id.example.com/token",
            clientId: "me",
            clientSecret: token,
            scopes: ["a"],
            audience: "b",
          },
        ],
        include: { tags: ["books"], operations: ["list*"], methods: ["GET"] },
        exclude: { methods: ["DELETE"] },
        deprecated: true,
        approval: ["DELETE", "remove-*"],
        timeoutMs: 1000,
        pagination: { parameter: "cursor", next: "meta.next", items: "data" },
      },
    };
    expect(toolkitsConfig.parse(config)).toEqual(config);
  });

  it.each([
    [{ a: {} }, "a", 'must have "module" or "openapi", and not both'],
    [{ a: { module: "x", openapi: "y" } }, "a", 'must have "module" or "openapi", and not both'],
    [{ a: "x" }, "a", 'must have "module" or "openapi", and not both'],
    [{ a: { module: "x", exports: "y" } }, "a", "has no setting exports (did you mean export?)"],
    [{ a: { openapi: "x", baseURL: "y" } }, "a", "has no setting baseURL (did you mean baseUrl?)"],
    [{ a: { module: 1 } }, "a.module", "must be of type string"],
    [
      { a: { openapi: "x", headers: { Authorization: "s3cr3t" } } },
      "a.headers.Authorization",
      /use auth/,
    ],
    [{ a: { openapi: "x", headers: { "a b": "1" } } }, "a.headers.a b", /is no header's name/],
    [{ a: { openapi: "x", baseUrl: "ftp://x" } }, "a.baseUrl", "Invalid URL"],
    [
      { a: { openapi: "x", auth: { type: "bearer", token: "s3cr3t" } } },
      "a.auth",
      /secrets do not stand in the configuration/,
    ],
  ])("refuses %j", (config, path, words) => {
    const result = toolkitsConfig.safeParse(config);
    const [issue] = result.error?.issues ?? [];
    expect(issue?.path.join(".")).toMatch(path);
    expect(issue?.message).toMatch(words);
    expect(JSON.stringify(result.error?.issues)).not.toContain("s3cr3t");
  });
});
