// Daytona's own clients and a WebSocket, peers that operators install if they want them; loaded when first needed.
import type { Configuration, SandboxApi, SnapshotsApi } from "@daytona/api-client";
import type {
  ProcessApi,
  Configuration as ToolboxConfiguration,
} from "@daytona/toolbox-api-client";
import type { WebSocket } from "ws";

/** What of them is used. */
export interface DaytonaLibrary {
  readonly Configuration: typeof Configuration;
  readonly SandboxApi: typeof SandboxApi;
  readonly SnapshotsApi: typeof SnapshotsApi;
  readonly ToolboxConfiguration: typeof ToolboxConfiguration;
  readonly ProcessApi: typeof ProcessApi;
  readonly WebSocket: typeof WebSocket;
}

/** The clients' methods take arguments by position, which differ from version to version. */
export const INSTALL_LINE =
  "npm install -g @daytona/api-client@0.218 @daytona/toolbox-api-client@0.218 ws@8";

/** Undefined where one of them is not installed. */
export async function findDaytonaLibrary(): Promise<DaytonaLibrary | undefined> {
  try {
    const [api, toolbox, sockets] = await Promise.all([
      import("@daytona/api-client"),
      import("@daytona/toolbox-api-client"),
      import("ws"),
    ]);
    return {
      Configuration: api.Configuration,
      SandboxApi: api.SandboxApi,
      SnapshotsApi: api.SnapshotsApi,
      ToolboxConfiguration: toolbox.Configuration,
      ProcessApi: toolbox.ProcessApi,
      WebSocket: sockets.WebSocket,
    };
  } catch {
    // Not installed, or not for this Node: the probe says how to have it.
    return undefined;
  }
}
