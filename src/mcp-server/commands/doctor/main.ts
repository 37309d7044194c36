// Entry of the doctor's process, on the Node that cells run on: `node main.js <home> json|text`.
import { diagnose, formatReport } from "../../../vm/index.ts";
import { checkConfiguration } from "./check-configuration.ts";

const [home = "", format = "text"] = process.argv.slice(2);
const report = await diagnose({ home, others: await checkConfiguration(home, process.env) });
const text =
  format === "json" ? JSON.stringify(report, undefined, 2) : formatReport(report).join("\n");
// Modules of the configuration may keep the process alive.
process.stdout.write(`${text}\n`, () => process.exit(report.state === "failed" ? 1 : 0));
