// The approvals of a server, shared by its VMs, its connections and the commands of people.
import { join } from "node:path";
import type { ServerLog } from "../server-process/server-log.ts";
import type { ApprovalDesk } from "./approval-desk.ts";

export interface SharedApprovalsOptions {
  readonly homeDirectory: string;
  readonly log: ServerLog;
}

/** One desk at most, loaded when somebody needs it. */
export class SharedApprovals {
  readonly #options: SharedApprovalsOptions;
  #loading: Promise<ApprovalDesk> | undefined;

  constructor(options: SharedApprovalsOptions) {
    this.#options = options;
  }

  async get(): Promise<ApprovalDesk> {
    this.#loading ??= this.#load();
    return await this.#loading;
  }

  async #load(): Promise<ApprovalDesk> {
    const [{ Approvals, GuestLog }, { ApprovalDesk }] = await Promise.all([
      import("../../vm/index.ts"),
      import("./approval-desk.ts"),
    ]);
    const { homeDirectory, log } = this.#options;
    const approvals = new Approvals({
      rememberedFile: join(homeDirectory, "approvals.json"),
      decisionsFile: join(homeDirectory, "logs", "approvals.jsonl"),
      log: (line) => log.warn(line),
    });
    // The log is one of the places where people look; guests decide how often they ask.
    const lines = new GuestLog((line) => log.info(line)).open("approvals");
    approvals.on("pending", ({ id, vm, summary }) => {
      const where = vm === "" ? "" : ` (VM ${vm})`;
      lines.add(`waiting: ${summary}${where}; agentos-mcp approvals allow ${id}`);
    });
    return new ApprovalDesk(approvals);
  }
}
