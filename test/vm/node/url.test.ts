import { describeLikeNode } from "../../support/node-beside.ts";

describeLikeNode("URL", {
  "takes addresses apart and puts them together": `
    for (const input of ["http://u:p@Ex\\u00e4mple.com:80/a/../b?q#f", "file:///c:/x y", "web+x:/.//p", "data:text/plain,a#b", "https://[::1]:99/?", "ws://h:80#", "mailto:a@b", "http://1.2.3", "http://a b", "//x", "http://u@/"]) {
      try { console.log(require("node:util").inspect(new URL(input), { showHidden: true })); } catch (error) { console.log(error.code, error.input); }
    }
    const url = new URL("http://a.b/c?d=1#e"); url.port = "81"; url.hostname = "x y"; url.protocol = "ftp"; url.pathname = "p q"; url.searchParams.append("k", "v w"); url.hash = ""; url.username = "n";
    console.log(url.href, URL.canParse("a", "b:c"), URL.parse("x", "http://y/z").href, url.origin);`,
  "paths, domains and formats": `
    const url = require("node:url");
    console.log(url.pathToFileURL("/a b#?%\\n").href, url.pathToFileURL("C:\\\\x\\\\y z", { windows: true }).href, url.pathToFileURL("\\\\\\\\server\\\\share\\\\f", { windows: true }).href);
    console.log(url.domainToASCII("espa\\u00f1ol.com"), url.domainToUnicode("xn--fiq228c.com"), url.domainToASCII("xn--i\\u00f1valid.com") === "");
    console.log(url.format(new URL("http://u:p@\\u6e2c\\u8a66/?a#b"), { unicode: true, auth: false, fragment: false }));
    try { url.pathToFileURL("\\\\\\\\no host\\\\share", { windows: true }); } catch (error) { console.log(error.code, error.input, error.base); }`,
  URLPattern: `
    const pattern = new URLPattern("/:kind/*", "https://example.com"); console.log(pattern, pattern.exec("https://example.com/a/b/c"), pattern.test("https://x.com/a/b"));
    console.log(new URLPattern({ pathname: "/(\\\\d+)" }).exec({ pathname: "/42" }).pathname, new URLPattern({ pathname: "/A" }, { ignoreCase: true }).test({ pathname: "/a" }));
    for (const run of [() => URLPattern(), () => new URLPattern(1), () => new URLPattern("("), () => pattern.exec(1)]) try { run(); } catch (error) { console.log(error.name, error.code); }`,
});
