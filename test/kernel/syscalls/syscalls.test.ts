/**
 * Every system call: its success, and each errno the table says it can fail with.
 *
 * All in one file, so that the last test can hold what the others have shown against the table.
 */
import { describe, expect, it } from "vitest";
import { syscallNames, syscalls } from "../../../src/kernel/syscalls/table.ts";
import { shown } from "../../support/syscall-coverage.ts";
import { describeAttributes } from "./attributes.ts";
import { describeConnections } from "./connections.ts";
import { describeDescriptors } from "./descriptors.ts";
import { describeDirectories } from "./directories.ts";
import { describeFiles } from "./files.ts";
import { describeGroups } from "./groups.ts";
import { describeIdentity } from "./identity.ts";
import { describeLocks } from "./locks.ts";
import { describeNames } from "./names.ts";
import { describeOpen } from "./open.ts";
import { describePathErrnos } from "./path-errnos.ts";
import { describeProcesses } from "./processes.ts";
import { describeSignals } from "./signals.ts";
import { describeSocketData } from "./socket-data.ts";
import { describeSocketTransfer } from "./socket-transfer.ts";
import { describeSockets } from "./sockets.ts";
import { describeSystem } from "./system.ts";
import { describeTerminals } from "./terminals.ts";
import { describeWatches } from "./watches.ts";

describe("paths of calls", describePathErrnos);
describeOpen();
describeFiles();
describeNames();
describeAttributes();
describeDirectories();
describeDescriptors();
describeLocks();
describeTerminals();
describeSockets();
describeConnections();
describeSocketData();
describeSocketTransfer();
describeWatches();
describeProcesses();
describeGroups();
describeSignals();
describeIdentity();
describeSystem();

describe("the table", () => {
  it("says of each call the errnos that its tests have met, and no others", () => {
    const said = syscallNames.flatMap((name) => [
      name,
      ...syscalls[name].errnos.map((errno) => `${name} ${errno}`),
    ]);
    expect([...shown()].toSorted()).toEqual(said.toSorted());
  });
});
