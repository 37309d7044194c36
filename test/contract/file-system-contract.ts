import { describe } from "vitest";
import { attributesContract } from "./file-system/attributes.ts";
import { contentContract } from "./file-system/content.ts";
import { limitsContract } from "./file-system/limits.ts";
import { listingContract } from "./file-system/listing.ts";
import { namesContract } from "./file-system/names.ts";
import { renameContract } from "./file-system/rename.ts";
import { ContractTests, type FileSystemContract } from "./file-system/setup.ts";

export type { FileSystemContract } from "./file-system/setup.ts";

/** What every FileSystem driver must do; see src/kernel/vfs/file-system.ts. */
export function describeFileSystemContract(name: string, contract: FileSystemContract): void {
  const tests = new ContractTests(contract);
  describe(`${name} (file system contract)`, () => {
    describe("names", () => namesContract(tests));
    describe("content", () => contentContract(tests));
    describe("rename", () => renameContract(tests));
    describe("listing", () => listingContract(tests));
    describe("attributes", () => attributesContract(tests));
    describe("limits", () => limitsContract(tests));
  });
}
