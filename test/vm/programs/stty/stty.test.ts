import { afterEach, describe, expect, it } from "vitest";
import { ShellScreen } from "../../../support/shell-screen.ts";

const open: ShellScreen[] = [];

/** A shell on a terminal of 80 columns whose lines are not edited, so that settings are its own. */
async function openShell(): Promise<ShellScreen> {
  const screen = await ShellScreen.open({ rows: 24, cols: 80 });
  open.push(screen);
  await screen.shows("$");
  return screen;
}

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

describe("stty", () => {
  it("shows all settings as GNU's does", async () => {
    const screen = await openShell();
    await screen.run("stty -a");
    expect(screen.rows.slice(1, -1)).toEqual([
      "speed 38400 baud; rows 24; columns 80; line = 0;",
      "intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;",
      "eol2 = <undef>; swtch = <undef>; start = ^Q; stop = ^S; susp = ^Z; rprnt = ^R;",
      "werase = ^W; lnext = ^V; discard = ^O; min = 1; time = 0;",
      "-parenb -parodd -cmspar cs8 -hupcl -cstopb cread -clocal -crtscts",
      "-ignbrk -brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr icrnl ixon -ixoff",
      "-iuclc -ixany -imaxbel iutf8",
      "opost -olcuc -ocrnl onlcr -onocr -onlret -ofill -ofdel nl0 cr0 tab0 bs0 vt0 ff0",
      "isig icanon iexten echo echoe echok -echonl -noflsh -xcase -tostop -echoprt",
      "echoctl echoke -flusho -extproc",
    ]);
  });

  it("shows what differs from sane, and makes it sane", async () => {
    const screen = await openShell();
    await screen.run("stty; stty -echo intr ^X; stty; stty sane; stty");
    expect(screen.rows.slice(1, -1)).toEqual([
      "speed 38400 baud; line = 0;",
      "-brkint -imaxbel iutf8",
      "speed 38400 baud; line = 0;",
      "intr = ^X;",
      "-brkint -imaxbel iutf8",
      "-echo",
      "speed 38400 baud; line = 0;",
    ]);
  });

  it("saves all settings as numbers and takes them back", async () => {
    const screen = await openShell();
    await screen.run("s=$(stty -g); stty raw -echo; stty $s; test $s = $(stty -g) && echo same");
    expect(screen.rows.slice(-2)).toEqual(["same", "$"]);
    await screen.run("stty -g");
    expect(screen.rows.join("")).toContain(
      "4500:5:bf:8a3b:3:1c:7f:15:4:0:1:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0",
    );
  });

  it("tells and changes the size and the speed", async () => {
    const screen = await openShell();
    await screen.run("stty size; stty rows 30 cols 100; stty size; stty speed; stty 9600 speed");
    expect(screen.rows.slice(1, -1)).toEqual(["24 80", "30 100", "38400", "9600"]);
    await screen.run("stty rows 24 cols 80; tput cols; tput lines; tty");
    expect(screen.rows.slice(-4)).toEqual(["80", "24", "/dev/pts/0", "$"]);
  });
});
