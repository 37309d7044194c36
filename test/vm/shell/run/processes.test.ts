import { describe, expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";

const clean = { stderr: "", status: 0 };

describe("the shell's processes", () => {
  it("runs the last command of -c in its own process", async () => {
    const machine = await boot();
    const own = await machine.sh(
      "sh -c 'echo $$; exec sh -c \"echo \\$\\$\"'; sh -c 'echo $PPID' | grep -c .",
    );
    const [shell, replaced] = own.stdout.split("\n");
    expect(replaced).toBe(shell);
    expect(await machine.sh("ps -o pid= -o args= -p $$; :")).toMatchObject(clean);
  });

  it("gives a subshell a pid of its own and the shell's $$", async () => {
    const machine = await boot();
    const { stdout } = await machine.sh("echo $$ $BASHPID; (echo $$ $BASHPID); :");
    const [[own, ownPid], [inner, innerPid]] = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" ")) as [[string, string], [string, string]];
    expect([ownPid, inner]).toEqual([own, own]);
    expect(innerPid).not.toBe(own);
  });

  it("has one process for a subshell in the background, which $! names", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "mkfifo pid; ( echo $BASHPID > pid; sleep 20; echo not reached ) > out 2>&1 & read pid < pid; [ $pid = $! ]; echo $?; kill $!; wait $!; echo $?; cat out",
    );
    expect(result).toEqual({ stdout: "0\n143\n", ...clean });
  });

  it("ends a writer whose reader has left by SIGPIPE", async () => {
    const machine = await boot();
    const result = await machine.sh("yes | head -n 1; echo ${PIPESTATUS[@]}");
    expect(result).toEqual({ stdout: "y\n141 0\n", ...clean });
  });

  it("keeps what a stage of a pipeline does to itself", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "x=1; cd /; { x=2; cd /tmp; } | cat; echo $x $PWD; (x=3); echo $x",
    );
    expect(result).toEqual({ stdout: "1 /\n1\n", ...clean });
  });

  it("leaves the rest of stdin to the commands it reads from stdin", async () => {
    const machine = await boot();
    const script = "read line\nthe line\necho got: $line\ncat\nleft over\nand more\n";
    const result = await machine.run(["bash"], { stdin: script });
    expect(result).toEqual({ stdout: "got: the line\nleft over\nand more\n", ...clean });
  });

  it("is killed in an endless loop of builtins", async () => {
    const machine = await boot();
    const result = await machine.sh("while :; do :; done", { limitMs: 200 });
    expect(result).toEqual({ stdout: "", stderr: "", status: 143 });
  });

  it("lets others run while it loops", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "while :; do :; done & pid=$!; sleep 0.02; kill $pid; wait $pid; echo $?",
    );
    expect(result).toEqual({ stdout: "143\n", ...clean });
  });

  it("ends a recursion without end with an error", async () => {
    const machine = await boot();
    const result = await machine.sh("f() { f; }; f; echo same line\necho next");
    expect(result).toEqual({
      stdout: "next\n",
      stderr: "environment: line 1: f: maximum function nesting level exceeded (4096)\n",
      status: 0,
    });
  });

  it("takes here-documents that no pipe holds", async () => {
    const machine = await boot();
    const body = "0123456789abcdef\n".repeat(8192);
    const result = await machine.sh(`wc -c <<E\n${body}E\n`);
    expect(result).toEqual({ stdout: "139264\n", ...clean });
    expect((await machine.sh("ls -A /tmp")).stdout).toBe("");
  });

  it("says in bash's words what it cannot start", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "nope; ./nope; /; printf 'x\\0y' > b; chmod +x b; ./b; touch t; ./t",
    );
    expect(result).toEqual({
      stdout: "",
      stderr:
        "bash: line 1: nope: command not found\n" +
        "bash: line 1: ./nope: No such file or directory\n" +
        "bash: line 1: /: Is a directory\n" +
        "bash: line 1: ./b: cannot execute binary file: Exec format error\n" +
        "bash: line 1: ./t: Permission denied\n",
      status: 126,
    });
  });

  it("runs a file without an interpreter line as a script", async () => {
    const machine = await boot();
    const result = await machine.sh("printf 'echo script $1\\n' > s; chmod +x s; ./s arg");
    expect(result).toEqual({ stdout: "script arg\n", ...clean });
  });

  it("stays within the VM's processes when a guest forks without end", async () => {
    const machine = await boot({ limits: { maxProcesses: 32 } });
    const result = await machine.sh("bomb() { bomb | bomb & }; bomb; sleep 0.2; echo alive", {
      limitMs: 5000,
    });
    expect(result.stdout).toBe("alive\n");
    const again = await machine.sh("sudo kill -9 -1; :", { limitMs: 5000 });
    expect(again.status).toBeLessThanOrEqual(137);
  });
});
