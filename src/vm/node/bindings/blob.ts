import type { Binding } from "./base.ts";

export const blob = (): Binding => ({
  createBlob: () => undefined,
  storeDataObject: () => undefined,
  getDataObject: () => undefined,
  revokeObjectURL: () => undefined,
  concat: () => new ArrayBuffer(0),
  createBlobFromFilePath: () => undefined,
});
