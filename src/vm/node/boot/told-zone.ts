// Date, Intl and Temporal as they are where a process has a time zone of its own: what takes ICU's default zone when
// it is given none is given the process's. Nothing of this is there in a process without TZ.

let zone = "UTC";
let isTold = false;

/** `name` is ICU's; what Intl does not know is UTC. */
export function tellIntl(name: string): void {
  zone = knownZone(name.replace(/^GMT(?=[+-])/, ""));
  if (isTold) return;
  isTold = true;
  tellDateTimeFormat();
  tellDates();
  tellTemporal();
}

const { DateTimeFormat } = Intl;

function knownZone(timeZone: string): string {
  try {
    return new DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return "UTC";
    throw error;
  }
}

/** The options with the zone, if they name none. */
function withZone(options: unknown): unknown {
  if (options === undefined) return { timeZone: zone };
  if (typeof options !== "object" || options === null) return options;
  if (Reflect.get(options, "timeZone") !== undefined) return options;
  return Object.create(options, { timeZone: { value: zone } });
}

function tellDateTimeFormat(): void {
  const told = new Proxy(DateTimeFormat, {
    apply: (target, self, [locales, options]) =>
      Reflect.apply(target, self, [locales, withZone(options)]),
    construct: (target, [locales, options], newTarget) =>
      Reflect.construct(target, [locales, withZone(options)], newTarget),
  });
  replace(Intl, "DateTimeFormat", told);
  replace(DateTimeFormat.prototype, "constructor", told);
}

function tellDates(): void {
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
    tell(Date.prototype, name, ([locales, options]) => [locales, withZone(options)]);
}

function tellTemporal(): void {
  const temporal: Record<string, any> | undefined = Reflect.get(globalThis, "Temporal");
  if (temporal === undefined) return;
  const { Now, Instant } = temporal;
  for (const name of ["plainDateTimeISO", "plainDateISO", "plainTimeISO", "zonedDateTimeISO"])
    tell(Now, name, ([timeZone]) => [timeZone ?? zone]);
  tell(Instant.prototype, "toLocaleString", ([locales, options]) => [locales, withZone(options)]);
  const { timeZoneId } = Now;
  replace(Now, "timeZoneId", new Proxy(timeZoneId, { apply: () => zone }));
}

/** Has a method called with the arguments that `change` makes of those it was given. */
function tell(
  owner: object,
  name: string,
  change: (given: readonly unknown[]) => readonly unknown[],
): void {
  const method: (...given: unknown[]) => unknown = Reflect.get(owner, name);
  const apply = (target: typeof method, self: unknown, given: unknown[]): unknown =>
    Reflect.apply(target, self, change(given));
  replace(owner, name, new Proxy(method, { apply }));
}

function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, {
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
