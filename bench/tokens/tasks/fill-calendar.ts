// T4: many small writes that differ in a number.
import type { Task } from "./task.ts";

const DAYS = 31;
const ANSWER = `${DAYS} stand-ups are in the calendar team-core, one for each day of December 2026.`;

export function fillCalendar(): Task {
  const events = Array.from({ length: DAYS }, (_, at) => {
    const day = `2026-12-${String(at + 1).padStart(2, "0")}`;
    return {
      calendar_id: "team-core",
      title: "Stand-up",
      start: `${day}T09:30:00Z`,
      end: `${day}T09:45:00Z`,
    };
  });
  return {
    key: "T4",
    title: "31 calendar writes",
    isBatch: true,
    prompt:
      "Put a stand-up from 9:30 to 9:45 UTC into the calendar team-core for every day of December 2026.",
    answer: ANSWER,
    needs: ["calendar create-event"],
    queries: ["create calendar event"],
    async direct(turn) {
      await turn(events.map((input) => ({ tool: "calendar create-event", input })));
      return ANSWER;
    },
    command: `for d in 2026-12-{01..31}; do agentos-calendar create-event --calendar-id team-core --title Stand-up --start \${d}T09:30:00Z --end \${d}T09:45:00Z --fields id; done | wc -l`,
    code: `for (let d = 1; d <= 31; d++) {
  const day = \`2026-12-\${String(d).padStart(2, "0")}\`;
  await tools.calendar.createEvent({ calendar_id: "team-core", title: "Stand-up", start: \`\${day}T09:30:00Z\`, end: \`\${day}T09:45:00Z\` });
}
return 31;`,
    shows: [String(DAYS)],
    writes: events,
  };
}
