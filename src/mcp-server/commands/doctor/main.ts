// Entry of the doctor's process, on the Node that cells run on: `node main.js <home> json|text`.
import { diagnose, formatReport } from "../../../vm/index.ts";

const [home = "", format = "text"] = process.argv.slice(2);
const report = await diagnose({ home });
const text =
  format === "json" ? JSON.stringify(report, undefined, 2) : formatReport(report).join("\n");
process.stdout.write(`${text}\n`);
process.exitCode = report.state === "failed" ? 1 : 0;
