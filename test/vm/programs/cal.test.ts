import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

describe("cal", () => {
  it("shows a month, from Sunday or from Monday", async () => {
    const machine = await boot();
    expect((await machine.sh("cal 2 2024; cal -m feb 2021")).stdout).toBe(
      [
        "   February 2024    ",
        "Su Mo Tu We Th Fr Sa",
        "             1  2  3",
        " 4  5  6  7  8  9 10",
        "11 12 13 14 15 16 17",
        "18 19 20 21 22 23 24",
        "25 26 27 28 29      ",
        "   February 2021    ",
        "Mo Tu We Th Fr Sa Su",
        " 1  2  3  4  5  6  7",
        " 8  9 10 11 12 13 14",
        "15 16 17 18 19 20 21",
        "22 23 24 25 26 27 28",
        "",
      ].join("\n"),
    );
  });

  it("shows the months around one side by side, across the end of a year", async () => {
    const machine = await boot();
    expect((await machine.sh("cal -3 1 2024 | head -n 3")).stdout).toBe(
      [
        "   December 2023          January 2024         February 2024    ",
        "Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa  Su Mo Tu We Th Fr Sa",
        "                1  2      1  2  3  4  5  6               1  2  3",
        "",
      ].join("\n"),
    );
  });

  it("refuses what is no month and no year", async () => {
    const machine = await boot();
    expect(await machine.sh("cal 13 2024; cal x 2024; cal 0")).toEqual({
      stdout: "",
      stderr:
        "cal: unknown month name: 13\ncal: unknown month name: x\ncal: year '0' not in range 1..9999\n",
      status: 1,
    });
  });
});
