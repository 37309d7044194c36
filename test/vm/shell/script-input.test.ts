import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

describe("a script on standard input", () => {
  it("may define a function of a thousand lines, each with what could close it", async () => {
    const body = Array.from(
      { length: 1000 },
      (_, at) => `  if [ "$1" = ${at} ]; then { echo "$(echo ${at}) \${x:-b}"; }; fi`,
    );
    const script = `f() {\n${body.join("\n")}\n}\nf 999; echo $LINENO\n`;
    const machine = await boot({
      seed: [
        {
          path: "/tmp/script",
          kind: "file",
          mode: 0o644,
          content: new TextEncoder().encode(script),
        },
      ],
    });
    expect(await machine.sh("bash < /tmp/script; cat /tmp/script | bash")).toMatchObject({
      stdout: "999 b\n1003\n999 b\n1003\n",
      stderr: "",
      status: 0,
    });
  });
});
