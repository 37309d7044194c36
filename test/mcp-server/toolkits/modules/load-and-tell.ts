// `node load-and-tell.ts <directory> <configuration>`: loads the toolkits and prints what came of it.
import { serverConfig } from "../../../../src/mcp-server/config/server-config.ts";
import { loadToolkits } from "../../../../src/mcp-server/toolkits/load-toolkits.ts";

const [directory = "", config = "{}"] = process.argv.slice(2);
const logged: string[] = [];
const toolkits = await loadToolkits(serverConfig.parse(JSON.parse(config)), {
  directory,
  env: {},
  log: (line) => void logged.push(line),
});
const loaded = await Promise.all(
  toolkits.map(async (toolkit) => ({
    name: toolkit.name,
    description: toolkit.description,
    expose: toolkit.expose,
    tools: await namesOf(() => toolkit.tools()),
  })),
);
process.stdout.write(JSON.stringify({ loaded, logged }));

async function namesOf(tools: () => Promise<readonly { name: string }[]>): Promise<unknown> {
  try {
    return (await tools()).map(({ name }) => name);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
