import type { ProcessTable } from "./process-table.ts";

/** What ends later than this after SIGKILL does not end. */
const END_MS = 3000;

/** Ends all that runs, so that nothing changes files any more. Never throws. */
export async function endProcesses(processes: ProcessTable): Promise<void> {
  const running = processes.list().filter(({ end }) => end === undefined);
  if (running.length === 0) return;
  const ended = running.map(async ({ process }) => {
    await process.kill("SIGKILL");
    await process.ended;
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, END_MS);
  });
  await Promise.race([Promise.allSettled(ended), late]);
  clearTimeout(timer);
}
