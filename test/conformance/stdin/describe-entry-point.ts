import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unless } from "../../support/unless.ts";
import type { Answer } from "../recorded-case.ts";
import type { Behaviour } from "./behaviour.ts";
import { answersOf, type EntryPoint } from "./entry-point.ts";
import {
  type Answers,
  type EntryPointName,
  findObstacle,
  readRecorded,
  recordedKindOf,
  selectBehaviours,
  stdinKinds,
} from "./manifest.ts";

/** Every behaviour, with every kind of stdin, through one entry point. */
export function describeEntryPoint(name: EntryPointName, open: () => Promise<EntryPoint>): void {
  describe(`what reads stdin, through ${name}`, () => {
    let entryPoint: EntryPoint;
    beforeAll(async () => {
      entryPoint = await open();
    });
    afterAll(() => entryPoint.close());

    it.each(stdinKinds.filter((kind) => findObstacle(name, kind) === undefined))(
      "answers as the original does when stdin is: %s",
      async (kind) => {
        const behaviours = selectBehaviours(name, kind);
        const recorded = readRecorded(kind);
        const answers = await answersOf(entryPoint, kind, behaviours);
        const isKnown = ({ differs }: Behaviour): boolean => recordedKindOf(kind) in differs;
        const same = behaviours.filter((one) => !isKnown(one));
        expect(pick(answers, same)).toEqual(pick(recorded, same));
        const mended = behaviours.filter(
          (one) => isKnown(one) && isSame(answers[one.name], recorded[one.name]),
        );
        expect(mended, "known to differ, and the same").toEqual([]);
      },
      120_000,
    );

    for (const kind of stdinKinds) {
      const obstacle = findObstacle(name, kind);
      if (obstacle === undefined) continue;
      it(`answers as the original does when stdin is: ${kind}`, unless(obstacle), () => undefined);
    }
  });
}

function pick(answers: Answers, behaviours: readonly Behaviour[]): Answers {
  return Object.fromEntries(
    behaviours.map(({ name }) => [name, answers[name]] as [string, Answer]),
  );
}

function isSame(one: Answer | undefined, other: Answer | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
