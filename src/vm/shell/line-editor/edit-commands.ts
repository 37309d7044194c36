/** All functions that keys can be bound to and that do something here. */
import { browseCommands } from "./commands/browse.ts";
import { completeCommands } from "./commands/complete.ts";
import { killCommands } from "./commands/kill.ts";
import { moveCommands } from "./commands/move.ts";
import { searchCommands } from "./commands/search.ts";
import { sessionCommands } from "./commands/session.ts";
import { textCommands } from "./commands/text.ts";
import { viCommands } from "./commands/vi.ts";
import type { EditCommand } from "./line-editor.ts";

export const editCommands: ReadonlyMap<string, EditCommand> = new Map([
  ...moveCommands,
  ...textCommands,
  ...killCommands,
  ...browseCommands,
  ...searchCommands,
  ...completeCommands,
  ...sessionCommands,
  ...viCommands,
]);
