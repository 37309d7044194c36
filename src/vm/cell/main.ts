// The entry of a cell. The build makes one script of it, which Node loads sooner than modules.
import { fileURLToPath } from "node:url";
import { loadCell } from "./load-cell.ts";

loadCell()
  .then(({ startCell }) => startCell(fileURLToPath(new URL("../..", import.meta.url))))
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
