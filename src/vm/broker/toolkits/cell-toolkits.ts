import type { Policy } from "../../../kernel/index.ts";
import type { CellBoot } from "../../boot-cell.ts";
import type { CellClient } from "../cell-client.ts";
import { GrantedToolkits, toolkitsInVm } from "./granted-toolkits.ts";
import { serveToolRequest } from "./serve-tool-request.ts";
import { ThreadShare } from "./thread-share.ts";
import { ToolkitService } from "./toolkit-service.ts";

export interface CellToolkitsParts {
  readonly cell: CellClient;
  readonly boot: CellBoot;
  readonly policy: Policy;
  readonly maxToolCalls: number;
}

/** What one cell gets of toolkits, from its start to its end. */
export class CellToolkits {
  readonly service: ToolkitService;
  readonly #stopListening: readonly (() => void)[];

  constructor({ cell, boot, policy, maxToolCalls }: CellToolkitsParts) {
    const { hostname, options, toolAudit, log } = boot;
    const toolkits = toolkitsInVm(options);
    const { approvals } = options;
    const granted = new GrantedToolkits(toolkits, policy);
    const thread = new ThreadShare();
    const grant = {
      vm: hostname,
      toolkits: granted,
      policy,
      approvals,
      audit: toolAudit,
      log,
      thread,
    };
    // A cell is told once of what it has asked for: a toolkit may say that it has changed without end.
    const described = new Set<string>();
    this.service = new ToolkitService({
      maxToolCalls,
      thread,
      serve: (request, caller, signal) => {
        if (request.op === "describe") described.add(request.toolkit);
        return serveToolRequest(grant, { request, caller, signal });
      },
      distrust: (what) => void cell.distrust(what),
      log,
    });
    const tell = (toolkit: string): void => {
      if (described.delete(toolkit)) cell.tell({ type: "toolkitChanged", toolkit });
    };
    this.#stopListening = toolkits.map(
      (toolkit) => toolkit.onChange?.(() => tell(toolkit.name)) ?? nothing,
    );
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
    this.service.close();
  }
}

const nothing = (): void => undefined;
