import { describeLikeNode } from "../../support/node-beside.ts";

describeLikeNode("What Node takes from ICU", {
  "turns bytes of one encoding into another's": `
    const { transcode } = require("buffer");
    const encodings = ["utf8", "ucs2", "utf16le", "latin1", "binary", "ascii", "hex", "nope"];
    for (const from of encodings) for (const to of encodings)
      try { console.log(from, to, transcode(Buffer.from("h\\u00e9 \\u20ac"), from, to)); } catch (error) { console.log(from, to, error.name, error.code, error.errno, error.message); }`,
  "knows how wide text is on a terminal": `
    console.table([{ text: "\\u4f60\\u597d", emoji: "\\u{1f600}" }, { text: "e\\u0301", emoji: "\\u2764\\ufe0f" }, { text: "\\u1100\\u1161", emoji: "\\u{1f468}\\u200d\\u{1f469}" }]);`,
  "decodes what others wrote": `
    for (const name of ["shift_jis", "gbk", "euc-kr", "windows-1252", "utf-16be", "iso-8859-2", "koi8-r", "no-such"])
      try { console.log(name, new TextDecoder(name).encoding, new TextDecoder(name).decode(new Uint8Array([0x82, 0xa0, 0x41]))); } catch (error) { console.log(name, error.name, error.code, error.message); }`,
});
