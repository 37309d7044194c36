import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { FolderReader } from "../../../../src/vm/broker/software/folder-reader.ts";
import { HostFolder, ServedFolder } from "../../../support/host-folder.ts";

const reader = new FolderReader();
let folder: HostFolder;

beforeEach(() => {
  folder = new HostFolder({ open: "yes", "secret/key": "no" });
});

afterEach(() => folder.remove());
afterAll(() => reader.close());

const wish = (path: string) => ({ folder: 0, path, offset: 0, length: 10 });

describe("SoftwareService", () => {
  it("serves the VM's folders and no other", async () => {
    const { service } = await ServedFolder.open(reader, folder);
    const { value, body } = await service.read(wish("open"));
    expect([value.sizeBytes, new TextDecoder().decode(body)]).toEqual([3, "yes"]);
    for (const number of [1, 2 ** 40]) {
      await expect(service.read({ ...wish("open"), folder: number })).rejects.toMatchObject({
        errno: "ENODEV",
      });
      await expect(service.list({ folder: number, path: "", from: 0 })).rejects.toMatchObject({
        errno: "ENODEV",
      });
    }
  });

  it("asks the policy itself, whatever the cell's kernel says", async () => {
    const rules = [{ mode: "deny", paths: ["/opt/software/x/secret/**"] }] as const;
    const permissions = { fs: { default: "allow", rules } } as const;
    const { service } = await ServedFolder.open(reader, folder, { permissions });
    const refusal = { errno: "EACCES", reason: "permissions.fs.rules[0]" };
    await expect(service.read(wish("secret/key"))).rejects.toMatchObject(refusal);
    await expect(service.list({ folder: 0, path: "secret", from: 0 })).rejects.toMatchObject(
      refusal,
    );
    await service.read(wish("open"));
  });

  it("lets through what is to be asked for only where somebody can be asked", async () => {
    const permissions = { fs: "ask" } as const;
    const nobody = await ServedFolder.open(reader, folder, { permissions });
    await expect(nobody.service.read(wish("open"))).rejects.toMatchObject({
      errno: "EACCES",
    });
    const somebody = await ServedFolder.open(reader, folder, { permissions, canAsk: true });
    await somebody.service.read(wish("open"));
  });

  it("answers many requests at once, each with its own", async () => {
    const { service } = await ServedFolder.open(reader, folder);
    for (let i = 0; i < 50; i++) folder.add({ [`f${i}`]: String(i) });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => service.read(wish(`f${i}`))),
    );
    expect(answers.map(({ body }) => Number(new TextDecoder().decode(body)))).toEqual(
      Array.from({ length: 50 }, (_, i) => i),
    );
  });
});

describe("FolderReader", () => {
  it("names what is wrong with a folder by its code", async () => {
    await expect(reader.open(`${folder.path}/none`)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(reader.open(`${folder.path}/open`)).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  it("fails what is under way when it is closed, and starts again when it is used", async () => {
    const own = new FolderReader();
    const root = await own.open(folder.path);
    const underWay = own.read(root, "open", 0, 1);
    const outcome = expect(underWay).rejects.toMatchObject({ code: "EIO" });
    await own.close();
    await outcome;
    expect((await own.read(root, "open", 0, 1)).sizeBytes).toBe(3);
    await own.close();
  });
});
