import { describe, expect, it } from "vitest";
import {
  chooseOperations,
  matchesPattern,
} from "../../../../src/mcp-server/toolkits/openapi/choose-operations.ts";
import { listOperations } from "../../../../src/mcp-server/toolkits/openapi/operation.ts";

const paths = {
  "/pets": {
    get: { operationId: "listPets", tags: ["pets", "read"] },
    post: { operationId: "createPet", tags: ["pets"] },
  },
  "/pets/{id}": { delete: { operationId: "deletePet", tags: ["pets"] } },
  "/shops": { get: { operationId: "list_shops", tags: ["shops", "read"], deprecated: true } },
  "x-own": { get: { operationId: "no" } },
  bad: null,
};
const operations = listOperations({ root: { paths }, isDialect30: false, url: undefined });

function names(options: Parameters<typeof chooseOperations>[1]): string[] {
  return chooseOperations(operations, options).map(({ name }) => name);
}

describe("chooseOperations", () => {
  it.each([
    [{}, ["list-pets", "create-pet", "delete-pet"]],
    [{ deprecated: true }, ["list-pets", "create-pet", "delete-pet", "list-shops"]],
    [{ include: { tags: ["read"] } }, ["list-pets"]],
    [{ include: { methods: ["get", "post"], operations: ["*pet*"] } }, ["list-pets", "create-pet"]],
    [{ exclude: { methods: ["DELETE"], operations: ["createPet"] } }, ["list-pets"]],
    [{ include: { tags: [] } }, []],
  ])("chooses by %j", (options, chosen) => {
    expect(names(options)).toEqual(chosen);
  });

  it("gives names that are short enough and differ, also as JavaScript has them", () => {
    const many = {
      "/a": {
        get: { operationId: "getX" },
        put: { operationId: "get-x" },
        post: { operationId: "get x" },
      },
      "/b": {
        get: { operationId: "y".repeat(300) },
        put: { operationId: "y".repeat(301) },
        post: { operationId: "!!!" },
      },
    };
    const found = listOperations({ root: { paths: many }, isDialect30: false, url: undefined });
    expect(chooseOperations(found, {}).map(({ name }) => name)).toEqual([
      "get-x",
      "get-x-2",
      "get-x-3",
      "y".repeat(54),
      `${"y".repeat(54)}-2`,
      "post-b",
    ]);
  });

  it("numbers thousands of one name", () => {
    const items = Array.from({ length: 20_000 }, (_, index) => [
      `/${index}`,
      { get: { operationId: "same" } },
    ]);
    const root = { paths: Object.fromEntries(items) };
    const found = listOperations({ root, isDialect30: false, url: undefined });
    expect(chooseOperations(found, {}).at(-1)?.name).toBe("same-20000");
  });
});

describe("matchesPattern", () => {
  it.each([
    ["list*", "list-pets", true],
    ["*pets", "list-pets", true],
    ["*st-*", "list-pets", true],
    ["l*t*s", "list-pets", true],
    ["list", "list-pets", false],
    ["*x*", "list-pets", false],
    ["ab*ba", "aba", false],
    ["*", "", true],
    ["GET", "get", true],
    [`${"*a".repeat(50)}b`, "a".repeat(10_000), false],
  ])("%s, %s: %s", (pattern, name, isMatch) => {
    expect(matchesPattern(pattern, name)).toBe(isMatch);
  });
});
