import type { KernelHost } from "../../src/kernel/host.ts";

/** Node's clock, timers and event loop, for tests of what guests do to them. */
export class RealHost implements KernelHost {
  now(): number {
    return performance.timeOrigin + performance.now();
  }

  monotonic(): number {
    return performance.now();
  }

  readonly cpus = 1;

  threadCpuMs(): number {
    return performance.now();
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  }

  async yieldTurn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
  }

  takeMemoryShortage(): boolean {
    return false;
  }

  random(into: Uint8Array): void {
    crypto.getRandomValues(into as Uint8Array<ArrayBuffer>);
  }

  log({ level, message, cause }: Parameters<KernelHost["log"]>[0]): void {
    throw new Error(`${level}: ${message}`, { cause });
  }

  tellSession(): void {}

  warnLimit(): void {}

  ask(): Promise<never> {
    return Promise.reject(new Error("nobody answers here"));
  }
}
