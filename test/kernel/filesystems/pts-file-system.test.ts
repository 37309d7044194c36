import { describe, expect, it } from "vitest";
import { O_NOCTTY, O_RDONLY, O_RDWR } from "../../../src/kernel/abi/open-flags.ts";
import { decodeText, encodeText } from "../../../src/kernel/abi/text.ts";
import { OTHER, TestKernel, USER } from "../../support/test-kernel.ts";

describe("/dev/pts", () => {
  it("has a device for each pseudo-terminal whose master is open", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const first = await sys.openpty();
      const second = await sys.openpty();
      const names = async (): Promise<string[]> => {
        const fd = await sys.open("/dev/pts", O_RDONLY);
        const found = [...(await sys.readdir(fd, 1)), ...(await sys.readdir(fd))];
        await sys.close(fd);
        return found.map(({ name, kind }) => `${name} ${kind}`);
      };
      expect(await names()).toEqual(["0 device", "1 device"]);
      await sys.close(first.master);
      expect(await names()).toEqual(["1 device"]);
      await expect(sys.stat("/dev/pts/0")).rejects.toMatchObject({ errno: "ENOENT" });
      await expect(sys.stat("/dev/pts/01")).rejects.toMatchObject({ errno: "ENOENT" });
      expect(second.path).toBe("/dev/pts/1");
    });
  });

  it("belongs to who made it, and opens for the owner only", async () => {
    const test = await TestKernel.boot();
    await test.as(USER, async (sys) => {
      const { master, path } = await sys.openpty();
      const { kind, mode, uid, gid } = await sys.stat(path);
      expect({ kind, mode, uid, gid }).toEqual({ kind: "device", mode: 0o620, uid: 1000, gid: 5 });
      const slave = await sys.open(path, O_RDWR | O_NOCTTY);
      await sys.write(slave, encodeText("up"));
      const into = new Uint8Array(10);
      expect(decodeText(into.subarray(0, await sys.read(master, into)))).toBe("up");
      await test.as(OTHER, (other) =>
        expect(other.open(path, O_RDWR)).rejects.toMatchObject({ errno: "EACCES" }),
      );
      await sys.chmod(path, 0o666);
      await test.as(OTHER, (other) => other.open(path, O_RDWR));
    });
  });

  it("makes a pseudo-terminal when /dev/ptmx is opened", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const master = await sys.open("/dev/ptmx", O_RDWR);
      expect(await sys.ioctl(master, { request: "TIOCGPTN" })).toBe(0);
      expect((await sys.stat("/dev/pts/0")).uid).toBe(1000);
    });
    expect(test.kernel.limits.used("maxPtys")).toBe(0);
  });

  it("takes no files, directories or links", async () => {
    const test = await TestKernel.boot();
    await test.asRoot(async (sys) => {
      await sys.openpty();
      const changes: Promise<unknown>[] = [
        sys.mkdir("/dev/pts/d"),
        sys.symlink("x", "/dev/pts/l"),
        sys.unlink("/dev/pts/0"),
        sys.rename("/dev/pts/0", "/dev/pts/1"),
        sys.link("/dev/pts/0", "/dev/pts/1"),
        sys.chmod("/dev/pts", 0o777),
      ];
      for (const change of changes) await expect(change).rejects.toMatchObject({ errno: "EPERM" });
      await expect(sys.truncate("/dev/pts/0", 0)).rejects.toMatchObject({ errno: "EINVAL" });
    });
  });
});
