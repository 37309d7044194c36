import { describeEntryPoint } from "./describe-entry-point.ts";
import { openCommandLine } from "./entry-points/command-line.ts";

describeEntryPoint("agentos-mcp exec", openCommandLine);
