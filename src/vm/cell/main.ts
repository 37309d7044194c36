// The entry of a cell.
import { fileURLToPath } from "node:url";
import { loadCell } from "./load-cell.ts";

const { startCell } = await loadCell();
await startCell(fileURLToPath(new URL("../..", import.meta.url)));
