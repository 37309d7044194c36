import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

const clean = { stderr: "", status: 0 };

/** In a directory with some YAML. */
async function run(script: string): Promise<unknown> {
  const machine = await boot();
  const files = [
    "cd /tmp",
    String.raw`printf '# top\na: 1 # one\nb:\n  - x # first\n  - y\n# about c\nc:\n  d: "q"\n  e: hello\nf: {g: [1, 2]}\n' > f.yml`,
    String.raw`printf 'a: 5\nz:\n  q: 1\n' > g.yml`,
    String.raw`printf 'a: &x\n  k: 1\nb: *x\n' > alias.yml`,
    String.raw`printf 'a: 1\n---\na: 2\n' > many.yml`,
    String.raw`printf '{"a":[1,{"b":"x"}]}' > j.json`,
  ];
  return machine.sh(`${files.join("; ")}; ${script}`);
}

describe("yq", () => {
  it("keeps comments, order and styles of what it does not change", async () => {
    expect(await run(`yq '.a = 9 | .c.d = "r" | .n = [1, {"x": 2}] | del(.b[1])' f.yml`)).toEqual({
      stdout:
        '# top\na: 9 # one\nb:\n  - x # first\n# about c\nc:\n  d: "r"\n  e: hello\nf: {g: [1, 2]}\nn:\n  - 1\n  - x: 2\n',
      ...clean,
    });
  });

  it("edits a file in place", async () => {
    expect(await run("yq -i '.a += 1' g.yml; cat g.yml")).toEqual({
      stdout: "a: 6\nz:\n  q: 1\n",
      ...clean,
    });
  });

  it("prints parts, scalars as they are", async () => {
    expect(await run("yq .c.e f.yml; yq .b f.yml; yq '.b[0], .a' f.yml; yq .nope f.yml")).toEqual({
      stdout: "hello\n- x # first\n- y\nx\n1\nnull\n",
      ...clean,
    });
  });

  it("keeps anchors and aliases, and reads through them", async () => {
    expect(await run("yq . alias.yml; yq .b.k alias.yml; yq -o json -I0 . alias.yml")).toEqual({
      stdout: 'a: &x\n  k: 1\nb: *x\n1\n{"a":{"k":1},"b":{"k":1}}\n',
      ...clean,
    });
  });

  it("runs on each of several documents", async () => {
    expect(await run("yq '.a += 1' many.yml; yq .a many.yml; yq -N .a many.yml")).toEqual({
      stdout: "a: 2\n---\na: 3\n1\n---\n2\n1\n2\n",
      ...clean,
    });
  });

  it("merges files with eval-all", async () => {
    const script =
      "yq ea 'select(fileIndex == 0) * select(fileIndex == 1)' many.yml g.yml -o json -I0; yq eval-all '. as $item ireduce ({}; . * $item)' many.yml g.yml";
    expect(await run(script)).toEqual({
      stdout: '{"a":5,"z":{"q":1}}\n{"a":5,"z":{"q":1}}\na: 5\nz:\n  q: 1\n',
      ...clean,
    });
  });

  it("reads and writes other formats", async () => {
    const script =
      "yq -p json -o yaml . j.json; yq . j.json -I0; yq -o props .c f.yml; echo '- {a: 1, b: x}' | yq -o csv .; echo 'a.b = 1' | yq -p props .";
    expect(await run(script)).toEqual({
      stdout:
        'a:\n  - 1\n  - b: x\n{"a":[1,{"b":"x"}]}\nd = q\ne = hello\na,b\n1,x\na:\n  b: "1"\n',
      ...clean,
    });
  });

  it("knows yq's own names", async () => {
    const script =
      "yq 'keys' g.yml; yq '.b[] | select(. == \"x*\")' f.yml; X=v yq -n '.a = strenv(X)'; yq '.a | tag' f.yml; yq '.c.e | upcase' f.yml; yq '.c.e | sub(\"l\", \"L\")' f.yml";
    expect(await run(script)).toEqual({
      stdout: "- a\n- z\nx\na: v\n!!int\nHELLO\nheLLo\n",
      ...clean,
    });
  });

  it("says what is wrong", async () => {
    const script =
      "yq . missing.yml; echo $?; yq -e .nope g.yml; echo $?; yq '.a |' g.yml; echo $?; yq '.a.b' g.yml; echo $?";
    expect(await run(script)).toEqual({
      stdout: "1\nnull\n1\n1\n1\n",
      stderr:
        'Error: open missing.yml: no such file or directory\nError: no matches found\nError: syntax error, unexpected $end (Unix shell quoting issues?)\nError: Cannot index number with string "b"\n',
      status: 0,
    });
  });

  it("does not expand a bomb of aliases", async () => {
    const machine = await boot();
    const lines = ["a0: &a0 [x, x]"];
    for (let level = 1; level < 40; level++)
      lines.push(`a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`);
    await machine.sh(`cat > /tmp/bomb.yml << 'END'\n${lines.join("\n")}\nEND`);
    expect(await machine.sh("yq '.a39 | length' /tmp/bomb.yml")).toEqual({
      stdout: "2\n",
      ...clean,
    });
  });
});
