// The time zone and language of a process, from its environment. V8's Date and Intl have a default of each with the
// isolate, but what Intl and Temporal take for the zone is ICU's, which is the whole cell's: so they are told.
import { facts } from "../facts.ts";
import { native } from "../native.ts";
import { tellIntl } from "./told-zone.ts";

/** Looks at TZ, and at the names of the language. The cell's own are UTC and en-US. */
export function takeRegion(): void {
  if (facts.env.has("TZ")) takeTimeZone();
  const language = languageOf(facts.env);
  if (language !== DEFAULT_LANGUAGE) native["setLanguage"](language);
}

/** Looks at TZ again, as Node does whenever process.env.TZ changes. */
export function takeTimeZone(): void {
  const zone = zoneOf(facts.env.get("TZ"));
  native["setTimeZone"](zone);
  tellIntl(zone);
}

/** ICU's name of a zone. See uprv_tzname in ICU's putil.cpp. */
function zoneOf(text: string | undefined): string {
  if (text === undefined) return "UTC";
  const name = text.replace(/^:/, "").replace(/^(?:posix|right)\//, "");
  const [, sign, hours] = /^[A-Za-z]{3,}([+-]?)(\d{1,2})$/.exec(name) ?? [];
  // POSIX counts to the west.
  if (hours !== undefined) return `GMT${sign === "-" ? "+" : "-"}${hours.padStart(2, "0")}:00`;
  return name.slice(0, NAME_LENGTH);
}

/** As uprv_getPOSIXIDForCategory in the same file. */
function languageOf(env: ReadonlyMap<string, string>): string {
  const text = env.get("LC_ALL") ?? env.get("LC_MESSAGES") ?? env.get("LANG") ?? "C";
  const name = text.replace(/\.[^@]*/, "");
  if (name === "C" || name === "POSIX") return DEFAULT_LANGUAGE;
  const [language = "", variant] = name.split("@", 2);
  return (variant === undefined ? language : `${language}__${variant}`).slice(0, NAME_LENGTH);
}

const DEFAULT_LANGUAGE = "en_US_POSIX";
/** Longer names are not ICU's. */
const NAME_LENGTH = 100;
