import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  Sandbox,
  SandboxProvider,
  SandboxSpec,
} from "../../src/sandbox-escalation/provider.ts";
import { unless } from "../support/unless.ts";
import { describeFarFiles } from "./sandbox-provider/far-files.ts";
import { describeLife } from "./sandbox-provider/life.ts";
import { describeProcesses } from "./sandbox-provider/processes.ts";
import { describeStreams } from "./sandbox-provider/streams.ts";
import { describeTerminals } from "./sandbox-provider/terminals.ts";

export interface ProviderUnderTest {
  readonly provider: SandboxProvider;
  /** A workspace of its own for each spec. */
  readonly makeSpec: (overrides?: Partial<SandboxSpec>) => Promise<SandboxSpec>;
  /** What is still there of a destroyed sandbox, in words: processes, directories, containers. */
  readonly findRemains: (ref: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
  /** How much output is a flood; less where bytes take a long way. */
  readonly floodBytes?: number;
}

/** What a provider cannot do, by the suite's names, each with its reason. */
export type Inabilities = Readonly<Partial<Record<Ability, string>>> & {
  /** Why it cannot be tested on this machine at all. */
  readonly all?: string | undefined;
};

export type Ability = "terminals" | "signals" | "resume" | "attach" | "limits" | "files" | "abort";

/** What the parts of the suite have. */
export interface ContractContext {
  readonly sandbox: () => Sandbox;
  readonly underTest: () => ProviderUnderTest;
  /** A test of something that not every provider can do. */
  readonly can: (ability: Ability, name: string, test: () => Promise<void>) => void;
}

/** What every provider of sandboxes must do. */
export function describeSandboxProviderContract(
  name: string,
  open: () => Promise<ProviderUnderTest>,
  inabilities: Inabilities = {},
): void {
  describe(`${name} (sandbox provider contract)`, unless(inabilities.all), () => {
    let underTest: ProviderUnderTest | undefined;
    let sandbox: Sandbox | undefined;

    beforeAll(async () => {
      underTest = await open();
      sandbox = await underTest.provider.create(await underTest.makeSpec());
    });

    afterAll(async () => {
      await sandbox?.destroy();
      await underTest?.close();
    });

    const context: ContractContext = {
      sandbox: () => must(sandbox),
      underTest: () => must(underTest),
      can: (ability, title, test) => {
        it(title, unless(inabilities[ability]), test);
      },
    };

    it("says that it can be used, and what it can do", async () => {
      const probe = await must(underTest).provider.probe();
      expect(probe).toMatchObject({ isUsable: true });
    });

    describeProcesses(context);
    describeStreams(context);
    describeTerminals(context);
    describeLife(context);
    describeFarFiles(context);
  });
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the provider did not start");
  return value;
}
