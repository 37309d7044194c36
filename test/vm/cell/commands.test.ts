import { expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

it("gives each of many commands that start at once its own three files, and no other's", async () => {
  const machine = await boot();
  const started = Array.from({ length: 32 }, () => machine.run(["ls", "/proc/self/fd"]));
  // The fourth is the directory that ls reads.
  const own = { stdout: "0\n1\n2\n3\n", stderr: "", status: 0 };
  expect(await Promise.all(started)).toEqual(started.map(() => own));
});
