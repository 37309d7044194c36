import { copyTranscript } from "./copy-transcript.ts";
import { fillCalendar } from "./fill-calendar.ts";
import { filterIssues } from "./filter-issues.ts";
import { joinExpenses } from "./join-expenses.ts";
import { lookUp } from "./look-up.ts";
import type { Task } from "./task.ts";

export const tasks: readonly Task[] = [
  lookUp(),
  filterIssues(),
  copyTranscript(),
  fillCalendar(),
  joinExpenses(),
];
