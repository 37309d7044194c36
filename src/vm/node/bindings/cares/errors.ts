// c-ares' errors, by their numbers (ares.h).
const errors: readonly (readonly [string, string])[] = [
  ["", "Successful completion"],
  ["ENODATA", "DNS server returned answer with no data"],
  ["EFORMERR", "DNS server claims query was misformatted"],
  ["ESERVFAIL", "DNS server returned general failure"],
  ["ENOTFOUND", "Domain name not found"],
  ["ENOTIMP", "DNS server does not implement requested operation"],
  ["EREFUSED", "DNS server refused query"],
  ["EBADQUERY", "Misformatted DNS query"],
  ["EBADNAME", "Misformatted domain name"],
  ["EBADFAMILY", "Unsupported address family"],
  ["EBADRESP", "Misformatted DNS reply"],
  ["ECONNREFUSED", "Could not contact DNS servers"],
  ["ETIMEOUT", "Timeout while contacting DNS servers"],
  ["EOF", "End of file"],
  ["EFILE", "Error reading file"],
  ["ENOMEM", "Out of memory"],
  ["EDESTRUCTION", "Channel is being destroyed"],
  ["EBADSTR", "Misformatted string"],
  ["EBADFLAGS", "Illegal flags specified"],
  ["ENONAME", "Given hostname is not numeric"],
  ["EBADHINTS", "Illegal hints flags specified"],
  ["ENOTINITIALIZED", "c-ares library initialization not yet performed"],
  ["ELOADIPHLPAPI", "Error loading iphlpapi.dll"],
  ["EADDRGETNETWORKPARAMS", "Could not find GetNetworkParams function"],
  ["ECANCELLED", "DNS query cancelled"],
];

const SET_SERVERS_PENDING = -1000;

/** The words of an error. */
export function aresWords(number: number): string {
  if (number === SET_SERVERS_PENDING) return "There are pending queries.";
  return errors[number]?.[1] ?? "unknown";
}
