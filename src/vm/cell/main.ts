// The entry of a cell.
import { loadCell } from "./load-cell.ts";

const { startCell } = await loadCell();
await startCell();
