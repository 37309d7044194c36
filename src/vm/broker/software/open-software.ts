import { HostError } from "../../host-error.ts";
import type { PlacedSoftware } from "../../software-options.ts";
import { codeOf, SoftwareFolder } from "./software-folder.ts";
import type { OpenSoftware } from "./software-service.ts";

/** Opens every folder a VM is to get, in their order. SOFTWARE_UNAVAILABLE. */
export async function openSoftware(software: readonly PlacedSoftware[]): Promise<OpenSoftware[]> {
  return Promise.all(
    software.map(async ({ path, at }) => {
      try {
        return { at, folder: await SoftwareFolder.open(path) };
      } catch (cause) {
        throw new HostError("SOFTWARE_UNAVAILABLE", { at, problem: problemOf(cause) }, { cause });
      }
    }),
  );
}

/** By code alone: the host's paths are not for whoever reads the error. */
function problemOf(error: unknown): string {
  const code = codeOf(error);
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
