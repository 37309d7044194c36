// A server with one cell: prints the cell's pid once the cell is ready, then waits for its own end.
// Arguments: the cell's entry, the layers to leave out.
import { once } from "node:events";
import { dirname } from "node:path";
import { CellStarter } from "../../../src/vm/broker/cell-process/cell-starter.ts";
import { isLayerName } from "../../../src/vm/confinement/layer.ts";

const [entry = "", ...without] = process.argv.slice(2);
const starter = await CellStarter.create({
  readable: [dirname(entry)],
  without: without.filter(isLayerName),
});
const cell = await starter.spawnCell({ entry, memoryLimitBytes: 512 * 1024 * 1024 });
await once(cell.wire, "data");
process.stdout.write(`${cell.pid}\n`);
await cell.exited;
