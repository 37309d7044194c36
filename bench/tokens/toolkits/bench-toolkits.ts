// Every toolkit of the bench: those the tasks need, and the stand-ins.
import type { Toolkit } from "../../../src/toolkit-cli/index.ts";
import { standIns } from "../catalogue/stand-ins.ts";
import { calendar } from "./calendar.ts";
import type { RecordCall } from "./call-record.ts";
import { crm } from "./crm.ts";
import { drive } from "./drive.ts";
import { finance } from "./finance.ts";
import { tracker } from "./tracker.ts";

export function benchToolkits(record: RecordCall): readonly Toolkit[] {
  return [
    tracker(record),
    drive(record),
    crm(record),
    calendar(record),
    finance(record),
    ...standIns(),
  ];
}
