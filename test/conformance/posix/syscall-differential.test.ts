/**
 * System calls against Linux itself: the same small scenarios on the host through Node and in the
 * kernel through `Sys`, with the same errnos and the same visible results.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notLinux, unless } from "../../support/unless.ts";
import { HostWorld } from "./syscalls/host-world.ts";
import { inKernel } from "./syscalls/kernel-world.ts";
import { matrices } from "./syscalls/matrices.ts";
import { stories } from "./syscalls/stories.ts";

const scenarios = [...stories, ...matrices];

describe("a scenario ends as on Linux", unless(notLinux), () => {
  let folder = "";
  let count = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "agentos-calls-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("of which there are at least 150, each with a name of its own", () => {
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
    expect(scenarios.length).toBeGreaterThanOrEqual(150);
  });

  for (const { name, act } of scenarios) {
    it(name, async () => {
      count += 1;
      const root = join(folder, String(count));
      const host = new HostWorld(root);
      try {
        const expected = await act(host);
        expect(await inKernel(root, act)).toEqual(expected);
      } finally {
        host.end();
      }
    });
  }
});
