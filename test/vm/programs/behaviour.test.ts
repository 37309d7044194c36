import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

const clean = { stderr: "", status: 0 };

describe("sudo", () => {
  it("runs a command as root without a password", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "id -u; sudo id -u; sudo -u user id -un; sudo sh -c 'echo $SUDO_USER $HOME $USER'; id -un",
    );
    expect(result).toEqual({ stdout: "1000\n0\nuser\nuser /root root\nuser\n", ...clean });
  });

  it("writes where the user may not", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "touch /etc/x; sudo touch /etc/x; stat -c %U /etc/x; rm /etc/x; sudo rm /etc/x",
    );
    expect(result).toEqual({
      stdout: "root\n",
      stderr:
        "touch: cannot touch '/etc/x': Permission denied\nrm: cannot remove '/etc/x': Permission denied\n",
      status: 0,
    });
  });

  it("refuses what it does not know", async () => {
    const machine = await boot();
    const result = await machine.sh("sudo -u nobodyelse id; sudo nope; sudo");
    expect(result).toEqual({
      stdout: "",
      stderr:
        "sudo: unknown user nobodyelse\nsudo: nope: command not found\nsudo: a command is required\nTry 'sudo --help' for more information.\n",
      status: 1,
    });
  });
});

describe("tail -f", () => {
  it("shows what is appended, as it comes", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "echo one > f; tail -f f > out & pid=$!; until grep -q one out; do :; done; echo two >> f; until grep -q two out; do :; done; kill $pid; wait $pid; cat out",
    );
    expect(result).toEqual({ stdout: "one\ntwo\n", ...clean });
  });

  // GNU's words, as tail 9.1 says them.
  it("goes on with what has the name under -F: rotated, replaced, or not there yet", async () => {
    const machine = await boot();
    const until = (text: string): string => `until grep -q ${text} out; do :; done`;
    const result = await machine.sh(
      `tail -F f > out 2> said & pid=$!; until grep -q cannot said; do :; done; echo one > f; ${until("one")}; ` +
        "mv f f.1; until grep -q inaccessible said; do :; done; " +
        `echo two > f; ${until("two")}; echo three > g; mv g f; ${until("three")}; echo more >> f; ${until("more")}; ` +
        "kill $pid; wait $pid; cat out said",
    );
    expect(result.stdout).toBe(
      "one\ntwo\nthree\nmore\n" +
        "tail: cannot open 'f' for reading: No such file or directory\n" +
        "tail: 'f' has appeared;  following new file\n" +
        "tail: 'f' has become inaccessible: No such file or directory\n" +
        "tail: 'f' has appeared;  following new file\n" +
        "tail: 'f' has been replaced;  following new file\n",
    );
  });

  it("ends under --follow=name when no file has a name any more", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "echo one > f; tail --follow=name f > out & pid=$!; until grep -q one out; do :; done; rm f; wait $pid; echo $?; cat out",
    );
    expect(result).toEqual({
      stdout: "1\none\n",
      stderr: "tail: f: No such file or directory\ntail: no files remaining\n",
      status: 0,
    });
  });
});

describe("xargs", () => {
  it("keeps its items from commands that read, and leaves them input that holds none", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "seq 100000 | xargs sh -c 'cat; echo $#' | awk '{ n += $1 + 1 } END { print n }'; echo f > f; echo fed | xargs -a f cat -",
    );
    expect(result).toEqual({ stdout: "100000\nfed\nf\n", ...clean });
  });

  it("gives commands the terminal under -o, where there is one", async () => {
    const machine = await boot();
    const result = await machine.sh("echo a | xargs -o cat");
    expect(result).toEqual({
      stdout: "",
      stderr: "xargs: failed to open /dev/tty for reading: No such device or address\n",
      status: 1,
    });
  });
});

describe("ps", () => {
  it("shows processes with their parents and commands", async () => {
    const machine = await boot();
    const { stdout, stderr } = await machine.sh(
      "sleep 5 & ps -o ppid=,args= -p $!; [ $(ps -o ppid= -p $!) = $$ ] && echo child; kill $!; wait",
    );
    expect({ stdout: stdout.replace(/\d+/g, "N"), stderr }).toEqual({
      stdout: "      N sleep N\nchild\n",
      stderr: "",
    });
  });

  it("lists everything with -e and aux, and answers 1 for nothing", async () => {
    const machine = await boot();
    const { stdout, status } = await machine.sh(
      "ps -e -o comm= > l; sort l; ps aux | head -n 1; ps -p 9999",
    );
    expect(stdout).toBe(
      "bash\ninit\nps\nUSER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n    PID TTY          TIME CMD\n",
    );
    expect(status).toBe(1);
  });
});

describe("bulk data", () => {
  it("streams what no memory of ours would hold at once", async () => {
    const machine = await boot();
    const result = await machine.sh("head -c 200M /dev/zero | tr '\\0' 'x' | cat | wc -c");
    expect(result).toEqual({ stdout: "209715200\n", ...clean });
  });

  it("keeps bytes that are no text", async () => {
    const machine = await boot();
    const { output } = await machine.runBytes(
      ["bash", "-c", "cat | sort | uniq | head -n 2 | tail -n +1 | cut -b 1-2"],
      { stdin: Uint8Array.of(0xff, 0xfe, 10, 0x80, 0, 10, 0x41, 0x42, 10) },
    );
    expect([...output]).toEqual([0x41, 0x42, 10, 0x80, 0, 10]);
  });

  it("takes a line of many megabytes", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "head -c 8M /dev/zero | tr '\\0' 'x' > f; echo >> f; grep -c x f; sort f | wc -c; wc -L f; cut -c1-3 f",
    );
    expect(result).toEqual({ stdout: "1\n8388609\n8388608 f\nxxx\n", ...clean });
  });

  it("walks and removes a deep tree", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "d=.; for i in {1..300}; do d=$d/x; done; mkdir -p $d; find . -type d | wc -l; rm -r x; ls",
    );
    expect(result).toEqual({ stdout: "301\n", ...clean });
  });
});

describe("mv and cp", () => {
  it("move between file systems by copying", async () => {
    const machine = await boot();
    await machine.sys.mkdir("/mnt/other");
    await machine.sys.mount({ type: "memory", target: "/mnt/other" });
    await machine.sys.chmod("/mnt/other", 0o777);
    const result = await machine.sh(
      "mkdir d; echo x > d/f; ln -s f d/l; mv d /mnt/other; ls; ls -F /mnt/other/d; cat /mnt/other/d/l",
    );
    expect(result).toEqual({ stdout: "f\nl@\nx\n", ...clean });
  });
});

describe("find and grep -r", () => {
  it("go as deep as a tree does, further than directories are held open", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "d=t; for i in {1..40}; do d=$d/$i; mkdir -p $d; echo needle $i > $d/f; done; ulimit -n 40; " +
        "find t -type f | wc -l; grep -r needle t | wc -l; find t -name f -path '*/40/*' | tail -c 8; " +
        "find t -depth -delete; ls t",
    );
    expect(result).toEqual({
      stdout: "40\n40\n39/40/f\n",
      stderr: "ls: cannot access 't': No such file or directory\n",
      status: 2,
    });
  });

  it("say what went away between the listing and the look, and go on", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "mkdir d; touch d/a d/b d/c; find d -type f -exec rm -f d/a d/b d/c \\; -print 2>&1 | sed 's/[abc]/x/' | sort | uniq -c | tr -s ' '",
    );
    expect(result.stdout).toBe(" 1 d/x\n 2 find: 'd/x': No such file or directory\n");
  });
});
