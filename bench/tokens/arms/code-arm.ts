// The arm in which the model writes code that calls the tools.
import { assertDone } from "../tasks/task.ts";
import type { Arm } from "./arm.ts";
import { ClientSession } from "./client-session.ts";

/** A model that has never seen these tools: it searches for their declarations, then runs code. */
export const code: Arm = {
  key: "code",
  title: "code mode",
  async run(task, { server, shows }) {
    const connection = await server.connect();
    try {
      const session = new ClientSession(connection, shows);
      await session.turn(
        ...task.queries.map((query) => ({ name: "toolkit_search", input: { query } })),
      );
      server.forgetCalls();
      const [shown = ""] = await session.turn({ name: "code_run", input: { code: task.code } });
      const calls = server.calls();
      assertDone(task, shown, calls);
      const definitions = await connection.definitions();
      const { prompt, answer } = task;
      const { turns } = session;
      return { conversation: { definitions, notes: "", prompt, turns, answer }, calls };
    } finally {
      await connection.close();
    }
  },
};
