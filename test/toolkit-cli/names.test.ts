import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkDistinct,
  checkedName,
  NAME_LIMIT_CHARACTERS,
  toJavaScriptName,
  toKebabCase,
} from "../../src/toolkit-cli/names.ts";

describe("toKebabCase", () => {
  it.each([
    ["listIssues", "list-issues"],
    ["list_issues", "list-issues"],
    ["List Issues!", "list-issues"],
    ["HTTPServerError", "http-server-error"],
    ["getV2Issues", "get-v2-issues"],
    ["repos/list.for-org", "repos-list-for-org"],
    ["__proto__", "proto"],
    ["größeÄndern", "größe-ändern"],
    ["天気_予報", "天気-予報"],
    ["-- ../.. ;", ""],
  ])("makes of %j %j", (written, kebab) => {
    expect(toKebabCase(written)).toBe(kebab);
  });

  it("changes nothing the second time, and leaves nothing a shell would read", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const kebab = toKebabCase(text);
        expect(toKebabCase(kebab)).toBe(kebab);
        expect(kebab).toMatch(/^$|^[\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*$/u);
      }),
    );
  });
});

describe("toJavaScriptName", () => {
  it.each([
    ["list-issues", "listIssues"],
    ["2fa-check", "_2faCheck"],
    ["then", "then_"],
    ["größe-ändern", "größeÄndern"],
  ])("makes of %j %j", (kebab, name) => {
    expect(toJavaScriptName(kebab)).toBe(name);
  });
});

describe("checkedName", () => {
  it("refuses what leaves no name, and what is too long for a file's name", () => {
    expect(() => checkedName("tool", "///")).toThrow(
      new TypeError('"///" cannot be the name of a tool: it needs a letter or digit.'),
    );
    expect(() => checkedName("tool", 7)).toThrow(
      new TypeError("The name of a tool must be a string."),
    );
    const long = "x".repeat(NAME_LIMIT_CHARACTERS + 1);
    expect(() => checkedName("toolkit", long)).toThrow(
      new TypeError(`The name of a toolkit may have 60 characters: "${long}" is longer.`),
    );
    expect(() => checkedName("toolkit", "x".repeat(1_000_000))).toThrow(/is longer\.$/);
  });

  it("keeps every command's name below the limit of Linux", () => {
    const widest = checkedName("toolkit", "𝒳".repeat(NAME_LIMIT_CHARACTERS / 2));
    expect(Buffer.byteLength(`agentos-${widest}`)).toBeLessThan(255);
  });
});

describe("checkDistinct", () => {
  it("finds two names that become one command, or one name in JavaScript", () => {
    const written = (...names: string[]): Map<string, string> =>
      new Map(names.map((name) => [name, toKebabCase(name)]));
    expect(() => checkDistinct("tool", written("listIssues", "list_issues"))).toThrow(
      'The tools "listIssues" and "list_issues" would both be called list-issues. Rename one of them.',
    );
    expect(() => checkDistinct("tool", written("part-1", "part1"))).toThrow(
      'The tools "part-1" and "part1" would both be called part1. Rename one of them.',
    );
    checkDistinct("tool", written("a", "b", "a-b", "constructor", "__proto__"));
  });
});
