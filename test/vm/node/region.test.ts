// TZ and the names of the language, each in a process of its own.
import { describeLikeNode } from "../../support/node-beside.ts";

/** Runs a script with each of some environments; says what it prints. */
const each = `
const { spawnSync } = require("node:child_process");
const each = (name, values, script) => {
  for (const value of values) {
    const env = { PATH: process.env.PATH, LANG: "C.UTF-8", [name]: value };
    const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", env });
    console.log(name, value, status, stdout, stderr);
  }
};
`;

describeLikeNode("a process's region", {
  "is in the time zone that TZ names": `${each}
    const zones = ["America/New_York", "Europe/Berlin", "Asia/Kolkata", "UTC", "EST5EDT", "Etc/GMT+5", ":Europe/Paris", "Pacific/Apia", "posix/Europe/Rome"];
    each("TZ", zones, \`
      const summer = new Date(Date.UTC(2024, 6, 1, 12, 30));
      console.log(String(summer), summer.getHours(), summer.getTimezoneOffset(), summer.toLocaleString(), summer.toLocaleString("de-DE", { dateStyle: "full" }));
      console.log(summer.toLocaleDateString(), summer.toLocaleTimeString("en-US", { timeZoneName: "long" }), summer.toLocaleTimeString("en-US", { timeZone: "Asia/Tokyo" }));
      console.log(new Date(2024, 0, 1).toISOString(), new Date("2024-03-10T02:30:00").toISOString());
      console.log(Intl.DateTimeFormat().resolvedOptions().timeZone, new Intl.DateTimeFormat("fr", { timeStyle: "full" }).format(summer));
      console.log(Temporal.Now.timeZoneId(), Temporal.Now.zonedDateTimeISO().timeZoneId, Temporal.Now.zonedDateTimeISO("UTC").timeZoneId);
      console.log(Temporal.Instant.fromEpochMilliseconds(0).toLocaleString("en"));
      console.log(new Intl.DateTimeFormat() instanceof Intl.DateTimeFormat, new Intl.DateTimeFormat().constructor === Intl.DateTimeFormat, Intl.DateTimeFormat.name);
    \`);`,
  "keeps to UTC where TZ names no zone, and to an offset where it says one": `${each}
    each("TZ", ["Nope/Zone", "JST-9", "XYZ12", ""], "console.log(String(new Date(0)), new Date(0).toLocaleString())");`,
  "changes its time zone when process.env.TZ changes": `
    const date = new Date(Date.UTC(2024, 6, 1, 12, 30));
    const say = () => console.log(date.getHours(), String(date), date.toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone);
    say();
    process.env.TZ = "Asia/Tokyo"; say();
    process.env.TZ = "America/New_York"; say();
    delete process.env.TZ; console.log(date.getHours());
    Object.defineProperty(process.env, "TZ", { value: "Europe/Rome", writable: true, enumerable: true, configurable: true }); say();`,
  "gives its threads and children its time zone": `
    process.env.TZ = "Asia/Tokyo";
    const script = "console.log(new Date(0).getHours(), new Date(0).toLocaleString())";
    console.log(require("child_process").execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
    new (require("worker_threads").Worker)(script, { eval: true });`,
  "speaks the language that LC_ALL, LC_MESSAGES or LANG names": `${each}
    const script = \`
      console.log((1234567.891).toLocaleString(), Intl.NumberFormat().resolvedOptions().locale, navigator.language);
      console.log(new Date(0).toLocaleDateString(undefined, { month: "long" }), new Intl.PluralRules().resolvedOptions().locale);
    \`;
    for (const name of ["LC_ALL", "LC_MESSAGES", "LANG"]) each(name, ["de_DE.UTF-8", "C", "POSIX", "tr_TR", "ja_JP", "en_GB.UTF-8"], script);`,
});
