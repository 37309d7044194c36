import { staticsOf } from "../statics.ts";
import { type Binding, unavailable } from "./base.ts";

export const heapUtils = (): Binding => ({
  ...staticsOf("heap_utils"),
  buildEmbedderGraph: () => [],
  triggerHeapSnapshot(): never {
    throw unavailable("v8.writeHeapSnapshot()");
  },
  createHeapSnapshotStream(): never {
    throw unavailable("v8.getHeapSnapshot()");
  },
});
