// What the configuration of the server under test names. Calls go to a file that the bench reads.
import { appendFileSync } from "node:fs";
import { benchToolkits } from "./bench-toolkits.ts";

export const JOURNAL_VARIABLE = "AGENTOS_TOKEN_BENCH_JOURNAL";

const journal = process.env[JOURNAL_VARIABLE];

export const toolkits = benchToolkits((record) => {
  if (journal !== undefined) appendFileSync(journal, `${JSON.stringify(record)}\n`);
});
