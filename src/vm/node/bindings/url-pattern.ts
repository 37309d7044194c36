import type { Binding } from "./base.ts";

export const urlPattern = (): Binding => ({
  URLPattern: class URLPattern {
    constructor() {
      throw new Error("URLPattern is not supported in a VM");
    }
  },
});
