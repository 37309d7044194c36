// The numbers of Node's HTTPParser.
export const events = {
  kOnMessageBegin: 0,
  kOnHeaders: 1,
  kOnHeadersComplete: 2,
  kOnBody: 3,
  kOnMessageComplete: 4,
  kOnExecute: 5,
  kOnTimeout: 6,
} as const;

export const types = { REQUEST: 1, RESPONSE: 2 } as const;

/** What llhttp is lenient about, by its setters' names. */
export const lenientSetters: readonly (readonly [number, string])[] = [
  [1 << 0, "llhttp_set_lenient_headers"],
  [1 << 1, "llhttp_set_lenient_chunked_length"],
  [1 << 2, "llhttp_set_lenient_keep_alive"],
  [1 << 3, "llhttp_set_lenient_transfer_encoding"],
  [1 << 4, "llhttp_set_lenient_version"],
  [1 << 5, "llhttp_set_lenient_data_after_close"],
  [1 << 6, "llhttp_set_lenient_optional_lf_after_cr"],
  [1 << 7, "llhttp_set_lenient_optional_crlf_after_chunk"],
  [1 << 8, "llhttp_set_lenient_optional_cr_before_lf"],
  [1 << 9, "llhttp_set_lenient_spaces_after_chunk_size"],
  [1 << 10, "llhttp_set_lenient_header_value_relaxed"],
];

export const lenientFlags = {
  kLenientNone: 0,
  kLenientHeaders: 1 << 0,
  kLenientChunkedLength: 1 << 1,
  kLenientKeepAlive: 1 << 2,
  kLenientTransferEncoding: 1 << 3,
  kLenientVersion: 1 << 4,
  kLenientDataAfterClose: 1 << 5,
  kLenientOptionalLFAfterCR: 1 << 6,
  kLenientOptionalCRLFAfterChunk: 1 << 7,
  kLenientOptionalCRBeforeLF: 1 << 8,
  kLenientSpacesAfterChunkSize: 1 << 9,
  kLenientHeaderValueRelaxed: 1 << 10,
  kLenientAll: (1 << 10) - 1,
} as const;
