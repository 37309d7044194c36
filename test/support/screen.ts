import { expect } from "vitest";
import type { Exec } from "../../src/vm/index.ts";
import { bytesOf, shownBy } from "./host-commands.ts";

/** What somebody sees of a command at a terminal, and types. */
export class Screen {
  readonly exec: Exec;
  shown = "";

  constructor(exec: Exec) {
    this.exec = exec;
  }

  /** Without what the terminal makes of the ends of lines. */
  get lines(): string {
    return this.shown.replaceAll("\r", "");
  }

  async until(text: string): Promise<void> {
    const look = async (): Promise<string> => (this.shown = await shownBy(this.exec));
    await expect.poll(look).toContain(text);
  }

  async ended(): Promise<void> {
    await this.exec.wait();
    this.shown = await shownBy(this.exec);
  }

  async type(text: string): Promise<void> {
    await this.exec.write(bytesOf(text));
  }
}
