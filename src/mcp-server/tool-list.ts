// Every MCP tool, in the order clients see them. The list is the same for every connection.
import type { McpTool } from "./mcp-tool.ts";
import { codeRun } from "./tools/code-run.ts";
import { fsRead } from "./tools/fs-read.ts";
import { fsWrite } from "./tools/fs-write.ts";
import { toolkitSearch } from "./tools/toolkit-search.ts";
import { vmCreate } from "./tools/vm-create.ts";
import { vmDestroy } from "./tools/vm-destroy.ts";
import { vmExec } from "./tools/vm-exec.ts";
import { vmExecIo } from "./tools/vm-exec-io.ts";
import { vmList } from "./tools/vm-list.ts";

export const tools: readonly McpTool[] = [
  vmCreate,
  vmList,
  vmExec,
  vmExecIo,
  vmDestroy,
  fsRead,
  fsWrite,
  codeRun,
  toolkitSearch,
];
