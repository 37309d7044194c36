/** Squid's, which tools know. */
export const PROXY_PORT = 3128;

const proxyUrl = `http://127.0.0.1:${PROXY_PORT}`;

/** What programs find the proxy by, in both spellings that are in use. */
export const proxyEnvironment: Readonly<Record<string, string>> = {
  http_proxy: proxyUrl,
  https_proxy: proxyUrl,
  HTTP_PROXY: proxyUrl,
  HTTPS_PROXY: proxyUrl,
  no_proxy: "localhost,127.0.0.1,::1",
  NO_PROXY: "localhost,127.0.0.1,::1",
};
