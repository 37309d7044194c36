/** A member as `tar -t` shows it. */
import { showMode } from "../file-mode.ts";
import { formatTime } from "../format-time.ts";
import { showName } from "./member-names.ts";
import type { Member } from "./tar-header.ts";

const kinds = {
  "5": "directory",
  "2": "symlink",
  "3": "device",
  "4": "device",
  "6": "fifo",
} as const;

export interface ListRules {
  readonly isVerbose: boolean;
  readonly isNumeric: boolean;
  readonly hasFullTime: boolean;
}

/** Owners and sizes stand in columns that grow and never shrink again. */
export class MemberList {
  readonly #rules: ListRules;
  /** GNU's ugswidth. */
  #width = 19;

  constructor(rules: ListRules) {
    this.#rules = rules;
  }

  line(member: Member, name = member.name): string {
    const { isVerbose, isNumeric, hasFullTime } = this.#rules;
    if (!isVerbose) return `${showName(name)}\n`;
    const user = isNumeric || member.userName === "" ? String(member.uid) : member.userName;
    const group = isNumeric || member.groupName === "" ? String(member.gid) : member.groupName;
    const size =
      member.type === "3" || member.type === "4"
        ? `${member.device.major},${member.device.minor}`
        : String(member.type === "1" ? 0 : member.size);
    const owners = `${user}/${group}`;
    this.#width = Math.max(this.#width, owners.length + 1 + size.length);
    const padded = size.padStart(this.#width - owners.length - 1);
    const time = formatTime(hasFullTime ? "%F %T" : "%F %R", member.mtimeMs);
    return `${this.#mode(member)} ${owners} ${padded} ${time} ${showName(name)}${this.#link(member)}\n`;
  }

  #mode({ type, mode }: Member): string {
    const kind = Object.entries(kinds).find(([letter]) => letter === type)?.[1] ?? "file";
    const shown = showMode(kind, mode).slice(1);
    const letter = { "1": "h", "5": "d", "2": "l", "3": "c", "4": "b", "6": "p" }[type] ?? "-";
    return `${letter}${shown}`;
  }

  #link({ type, linkName }: Member): string {
    if (type === "2") return ` -> ${showName(linkName)}`;
    return type === "1" ? ` link to ${showName(linkName)}` : "";
  }
}
