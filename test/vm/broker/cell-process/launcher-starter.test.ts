import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { notLinux, unless } from "../../../support/unless.ts";

const sources = fileURLToPath(new URL("../../../../src/vm", import.meta.url));

describe("LauncherStarter", unless(notLinux), () => {
  it("leaves no descriptor open where it cannot make all it needs", async () => {
    const script = `
      import { closeSync, openSync } from "node:fs";
      import { CellStarter } from "${sources}/broker/cell-process/cell-starter.ts";
      import { openLibc } from "${sources}/confinement/libc.ts";
      import { setResourceLimit } from "${sources}/confinement/process-rights.ts";
      const starter = await CellStarter.create();
      setResourceLimit(openLibc(), "openFiles", 128);
      const fill = () => {
        const fds = [];
        try {
          for (;;) fds.push(openSync("/dev/null", "r"));
        } catch (error) {
          if (error.code !== "EMFILE") throw error;
        }
        return fds;
      };
      for (const fd of fill().slice(-3)) closeSync(fd);
      const failure = await starter
        .spawnCell({ entry: "/x.js", memoryLimitBytes: 1 << 29 })
        .catch((error) => error.message);
      console.log(failure, fill().length);
      process.exit();
    `;
    const args = ["--no-warnings", "--input-type=module-typescript", "-e", script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    // 24 is EMFILE: three are free, the second pair needs a fourth.
    expect(stdout).toBe("socketpair failed with errno 24 3\n");
  });
});
