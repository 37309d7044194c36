// A folder of the host for tests.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Files by path: text, `{ link }`, or bytes. */
type Tree = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>;

export class TestFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "agentos-mcp-software-")));

  constructor(tree: Tree = {}) {
    this.add(tree);
  }

  add(tree: Tree): void {
    for (const [name, content] of Object.entries(tree)) {
      const path = join(this.path, name);
      mkdirSync(dirname(path), { recursive: true });
      if (typeof content === "object" && "link" in content) symlinkSync(content.link, path);
      else writeFileSync(path, content);
    }
  }

  addFifo(name: string): void {
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(this.path, name)]);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
