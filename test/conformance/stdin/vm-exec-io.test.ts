import { describeEntryPoint } from "./describe-entry-point.ts";
import { openVmExecIo } from "./entry-points/mcp.ts";

describeEntryPoint("vm_exec_io", openVmExecIo);
