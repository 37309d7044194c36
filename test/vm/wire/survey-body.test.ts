import { describe, expect, it } from "vitest";
import type { FileKind, Stat } from "../../../src/kernel/index.ts";
import {
  decodeSurvey,
  encodeSurvey,
  type SurveyedNode,
  surveyBytes,
} from "../../../src/vm/wire/survey-body.ts";

const kinds = [
  "file",
  "directory",
  "symlink",
  "fifo",
  "device",
  "socket",
  "anonymous",
] as const satisfies readonly FileKind[];

function statOf(kind: FileKind, ino: number): Stat {
  return {
    kind,
    mode: 0o7777,
    uid: 0xffff_ffff,
    gid: 1,
    size: Number.MAX_SAFE_INTEGER,
    nlink: 2,
    ino,
    dev: 0,
    rdev: 3,
    blocks: 4,
    atimeMs: -62_167_219_200_000,
    mtimeMs: 1_794_994_755_612.678,
    ctimeMs: 0,
  };
}

function directory(node: number, names: SurveyedNode["names"], cursor?: number): SurveyedNode {
  return { node, stat: statOf("directory", 2 ** 53 - 1), cursor, isFollowed: node > 1, names };
}

/** Texts of one, two, three and four bytes a character, and of bytes that are no UTF-8. */
const texts = ["plain", "n\u00e4me", "\u20ac\n", "\u{1f600}", "\udcff\udc80", "x".repeat(255)];
const names = texts.flatMap((name, i) =>
  kinds.map((kind, j) => ({
    name: `${name}${j}`,
    node: i === 3 ? undefined : i * 100 + j,
    stat: statOf(kind, j),
    target: kind === "symlink" ? texts.at(-i) : i === 2 ? "" : undefined,
  })),
);

describe("a survey on its way to a cell", () => {
  it("arrives as it was, whatever the names are", () => {
    const surveyed = [
      directory(0, []),
      directory(1, names, 0),
      directory(2, names, 2 ** 52),
      directory(3, names.slice(3)),
    ];
    expect(decodeSurvey(encodeSurvey(surveyed))).toEqual(surveyed);
    expect(decodeSurvey(encodeSurvey([]))).toEqual([]);
  });

  it("is read wherever it lies in memory", () => {
    const body = encodeSurvey([directory(7, names)]);
    const moved = new Uint8Array(body.length + 3).subarray(3);
    moved.set(body);
    expect(decodeSurvey(moved)).toEqual([directory(7, names)]);
  });

  it("takes no more than it is said to", () => {
    for (const one of [directory(1, []), directory(1, names), directory(1, names.slice(0, 1))]) {
      expect(encodeSurvey([one]).length).toBeLessThanOrEqual(8 + surveyBytes(one));
    }
  });
});
