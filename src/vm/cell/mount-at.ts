/** Where things are mounted in a VM that boots. */
import {
  type FileSystem,
  isKernelError,
  type Kernel,
  KernelError,
  type Sys,
} from "../../kernel/index.ts";

/** Makes the place and mounts there. A KernelError about the place. */
export async function mountAt(kernel: Kernel, at: string, fileSystem: FileSystem): Promise<void> {
  const { vfs, init } = kernel;
  await about(at, async () => {
    await makeDirectories(kernel.sysOf(init), at);
    const { existing } = await vfs.walkFrom(init, at, true);
    if (existing === undefined) throw new KernelError("ENOENT");
    vfs.mounts.add(existing, { fileSystem });
  });
}

/** Makes the place and shows there what is mounted at another. A KernelError about the place. */
export async function bindAt(kernel: Kernel, at: string, source: string): Promise<void> {
  const sys = kernel.sysOf(kernel.init);
  await about(at, async () => {
    await makeDirectories(sys, at);
    await sys.mount({ type: "bind", source, target: at });
  });
}

async function about(at: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new KernelError(error.errno, at, error.reason);
  }
}

async function makeDirectories(sys: Sys, path: string): Promise<void> {
  const names = path.split("/");
  for (let end = 2; end <= names.length; end++) {
    const directory = names.slice(0, end).join("/");
    if (await exists(sys, directory)) continue;
    await sys.mkdir(directory);
  }
}

export async function exists(sys: Sys, path: string): Promise<boolean> {
  return (await kindOf(sys, path)) !== undefined;
}

export async function kindOf(sys: Sys, path: string): Promise<string | undefined> {
  try {
    return (await sys.lstat(path)).kind;
  } catch (error) {
    if (isKernelError(error, "ENOENT")) return undefined;
    throw error;
  }
}
