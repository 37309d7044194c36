import { expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";

/** What bash 5.2 prints for each. */
it.each([
  [
    "goes on after a command that an interrupt did not end",
    `bash -c 'sh -c "kill -INT \\$PPID; sleep 0.1; exit 4"; echo rc=$?'; echo $?`,
    "rc=4\n0\n",
  ],
  [
    "ends with a command that an interrupt ended",
    `bash -c 'sh -c "kill -INT \\$PPID; kill -INT \\$\\$"; echo not reached'; echo $?`,
    "130\n",
  ],
  [
    "goes on after a command that ended by an interrupt of its own",
    `bash -c 'sh -c "kill -INT \\$\\$"; echo rc=$?'; echo $?`,
    "rc=130\n0\n",
  ],
  [
    "runs its own trap after the command",
    `bash -c 'trap "echo trapped" INT; sh -c "kill -INT \\$PPID; sleep 0.1; exit 4"; echo rc=$?'`,
    "trapped\nrc=4\n",
  ],
  [
    "leaves an interrupt alone that it was told to ignore",
    `bash -c 'trap "" INT; sh -c "kill -INT \\$PPID; exit 4"; echo rc=$?; kill -INT $$; echo here'`,
    "rc=4\nhere\n",
  ],
  ["ends between commands", `bash -c 'true; kill -INT $$; echo not reached'; echo $?`, "130\n"],
])("a script %s", async (_, script, stdout) => {
  const machine = await boot();
  expect((await machine.sh(script)).stdout).toBe(stdout);
});
