import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import { OverlayFileSystem } from "../../../src/kernel/filesystems/overlay-file-system.ts";
import { ProcFileSystem } from "../../../src/kernel/filesystems/proc/proc-file-system.ts";
import { PtsFileSystem } from "../../../src/kernel/filesystems/pts-file-system.ts";
import { describeFixedFileSystemContract } from "../../contract/fixed-file-system-contract.ts";
import { TestKernel } from "../../support/test-kernel.ts";

function image(): MemoryFileSystem {
  const fs = new MemoryFileSystem({ now: () => 0, isReadOnly: true });
  fs.seed([
    { path: "/etc/hostname", kind: "file", content: new TextEncoder().encode("vm\n") },
    { path: "/etc/name", kind: "symlink", target: "hostname" },
    { path: "/tmp", kind: "directory" },
  ]);
  return fs;
}

const imageFiles = { file: ["etc", "hostname"], link: ["etc", "name"], refusal: "EROFS" } as const;

describeFixedFileSystemContract("a read-only MemoryFileSystem", () => ({
  fs: image(),
  ...imageFiles,
}));

describeFixedFileSystemContract("an OverlayFileSystem without an upper layer", () => ({
  fs: new OverlayFileSystem({ lower: [image()] }),
  ...imageFiles,
}));

describeFixedFileSystemContract("ProcFileSystem", async () => {
  const { kernel } = await TestKernel.boot();
  return {
    fs: new ProcFileSystem(kernel),
    file: ["1", "status"],
    link: ["self"],
    refusal: "EROFS",
  };
});

describeFixedFileSystemContract("PtsFileSystem", async () => {
  const { kernel } = await TestKernel.boot();
  for (let i = 0; i < 3; i++) {
    const { master, slave } = kernel.ptys.create(kernel.init);
    master.retain();
    slave.retain();
  }
  return { fs: new PtsFileSystem(kernel.ptys, () => 0), file: ["1"], refusal: "EPERM" };
});
