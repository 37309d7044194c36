import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { Limits } from "../../../../src/kernel/limits/limits.ts";
import { Disk } from "../../../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../../../src/vm/broker/folders/host-folder.ts";
import { describeFileSystemContract } from "../../../contract/file-system-contract.ts";

const disk = new Disk();
afterAll(() => disk.close());

async function makeDirectory(limitBytes = 2 ** 40) {
  const path = await mkdtemp(join(tmpdir(), "host-folder-"));
  const fs = await HostFolder.open(disk, { path, limitBytes });
  const close = async (): Promise<void> => {
    await fs.close();
    await rm(path, { recursive: true });
  };
  return { path, fs, close };
}

describeFileSystemContract("HostFolder", {
  async make() {
    const { fs, close } = await makeDirectory();
    return { fs, close, limits: new Limits({}, () => {}), advance: () => undefined };
  },
  cannot: {
    "charges limits": "the host's disk has no limits of the VM's",
    "counts links of directories": "some file systems of hosts count none",
    "devices and fifos": "special files are not shared",
    "exact times": "the host's clock is not the test's",
    owners: "all that is shared is the VM's user's",
  },
});
