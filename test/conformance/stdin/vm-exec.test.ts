import { describeEntryPoint } from "./describe-entry-point.ts";
import { openVmExec } from "./entry-points/mcp.ts";

describeEntryPoint("vm_exec", openVmExec);
