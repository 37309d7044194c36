import type { ServerChild } from "./server-child.ts";

/**
 * The processes of all MCP servers, so that none outlives the one that started it: what still runs when
 * this process exits is killed then, whatever made it exit (a SIGKILL excepted: that leaves them the end
 * of their stdin).
 */
export class ChildGroups {
  readonly #children = new Set<ServerChild>();
  readonly #killAll = (): void => {
    for (const child of this.#children) child.killGroup("SIGKILL");
  };

  add(child: ServerChild): void {
    if (this.#children.size === 0) process.on("exit", this.#killAll);
    this.#children.add(child);
  }

  delete(child: ServerChild): void {
    this.#children.delete(child);
    if (this.#children.size === 0) process.off("exit", this.#killAll);
  }
}
