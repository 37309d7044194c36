import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { buildCommit, CommitError } from "../../../bench/against/builds.ts";

describe("buildCommit", () => {
  it.each(["no-such-branch", "--all", "HEAD:src"])(
    "refuses %s, which is no commit",
    async (name) => {
      const { signal } = new AbortController();
      const said: string[] = [];
      const work = { folder: tmpdir(), signal, say: (line: string) => said.push(line) };
      await expect(buildCommit(name, work)).rejects.toThrow(
        new CommitError(`There is no commit "${name}" in this repository.`),
      );
      expect(said).toEqual([]);
    },
  );
});
