import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const worker = (): Binding => ({
  ...staticsOf("worker"),
  getEnvMessagePort: () => undefined,
  Worker: class Worker {
    constructor() {
      throw new Error("Worker threads are not supported in a VM");
    }
  },
});
