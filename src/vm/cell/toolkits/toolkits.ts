import type { Device, Kernel } from "../../../kernel/index.ts";
import { makeDevice } from "../../../kernel/index.ts";
import type { ServerRequests } from "../server-requests.ts";
import { DescriptionCache } from "./description-cache.ts";
import { ToolCalls } from "./tool-calls.ts";
import { ToolkitsFile } from "./toolkits-file.ts";

/** Linux's MISC_MAJOR, and a minor of it that is free for anybody, see Documentation/admin-guide/devices.txt. */
const MISC_MAJOR = 10;
const MINOR = 250;

/** What a VM's kernel has of toolkits: the device that all of its processes call them by. */
export class Toolkits {
  readonly device: Device;
  readonly #descriptions = new DescriptionCache();

  constructor(kernel: Kernel, requests: ServerRequests) {
    const calls = new ToolCalls(requests, kernel.limits, () => kernel.audit.lastSequence);
    this.device = {
      rdev: makeDevice(MISC_MAJOR, MINOR),
      mode: 0o666,
      open: (flags, node) =>
        new ToolkitsFile(flags, node, { calls, descriptions: this.#descriptions }),
    };
  }

  /** What is known of a toolkit may have changed. */
  forget(toolkit: string): void {
    this.#descriptions.forget(toolkit);
  }
}
