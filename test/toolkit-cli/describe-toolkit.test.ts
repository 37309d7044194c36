import { expect, it } from "vitest";
import { tool } from "../../src/toolkit-cli/define-tool.ts";
import { toolkit } from "../../src/toolkit-cli/define-toolkit.ts";
import { describeToolkit } from "../../src/toolkit-cli/describe-toolkit.ts";

const kit = toolkit("kit", {
  tools: {
    second: tool({ description: "2", readOnly: true, approval: true, handler: () => 2 }),
    first: tool({
      description: "1",
      output: { type: "number" },
      examples: [{ input: {} }],
      handler: () => 1,
    }),
  },
});

it("describes granted tools in plain data, in order", async () => {
  const input = { type: "object", properties: {}, additionalProperties: false };
  const description = await describeToolkit(kit);
  expect(description).toEqual({
    name: "kit",
    description: "",
    tools: [
      {
        name: "first",
        description: "1",
        input,
        output: { type: "number" },
        examples: [{ input: {} }],
        isReadOnly: false,
        needsApproval: false,
      },
      {
        name: "second",
        description: "2",
        input,
        examples: [],
        isReadOnly: true,
        needsApproval: true,
      },
    ],
  });
  expect(structuredClone(description)).toEqual(description);
});

it("does not speak of tools that are not granted", async () => {
  const { tools } = await describeToolkit(kit, ({ name }) => name !== "first");
  expect(tools.map(({ name }) => name)).toEqual(["second"]);
});
