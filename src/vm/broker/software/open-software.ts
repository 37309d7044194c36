import { HostError } from "../../host-error.ts";
import type { PlacedSoftware } from "../../software-options.ts";
import { FolderError, type FolderReader } from "./folder-reader.ts";
import type { OpenSoftware } from "./software-service.ts";

/** Opens every folder a VM is to get, in their order. SOFTWARE_UNAVAILABLE. */
export async function openSoftware(
  reader: FolderReader,
  software: readonly PlacedSoftware[],
): Promise<OpenSoftware[]> {
  return Promise.all(
    software.map(async ({ path, at }) => {
      try {
        return { at, root: await reader.open(path) };
      } catch (cause) {
        if (!(cause instanceof FolderError)) throw cause;
        const problem = problemOf(cause);
        throw new HostError("SOFTWARE_UNAVAILABLE", { at, problem }, { cause });
      }
    }),
  );
}

/** By code alone: the host's paths are not for whoever reads the error. */
function problemOf({ code }: FolderError): string {
  switch (code) {
    case "ENOENT":
      return "it does not exist";
    case "ENOTDIR":
      return "it is not a directory";
    case "EACCES":
    case "EPERM":
      return "the server may not read it";
    default:
      return `it cannot be read (${code === "" ? "unknown" : code})`;
  }
}
