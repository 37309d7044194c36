import { type Exposure, type Tool, ToolError, type Toolkit } from "../../toolkit-cli/index.ts";

/** A toolkit of the configuration that cannot be used: there, so that whoever misses it learns why. */
export class UnavailableToolkit implements Toolkit {
  readonly name: string;
  readonly description: string;
  readonly expose: Exposure = "cli";
  readonly #problem: string;

  constructor(name: string, problem: string) {
    this.name = name;
    this.description = `Not available: ${problem}`;
    this.#problem = problem;
  }

  tools(): Promise<readonly Tool[]> {
    return Promise.reject(new ToolError("unavailable", this.#problem));
  }
}
