import { describeLikeNode } from "../../support/node-beside.ts";

describeLikeNode("crypto", {
  "digests, in one go and in many": `
    const crypto = require("node:crypto");
    console.log(crypto.createHash("sha256").update("abc").update("\\ud800", "utf16le").digest("hex"));
    const long = crypto.createHash("sha512"); for (let i = 0; i < 50; i += 1) long.update(Buffer.alloc(3000, i));
    console.log(long.copy().digest("base64"), long.digest("base64url"));
    console.log(crypto.createHmac("sha1", "key").update("data").digest(), crypto.hash("md5", "x"), crypto.createHash("shake128", { outputLength: 5 }).digest("hex"));
    for (const run of [() => crypto.createHash("no"), () => crypto.createHmac("no", ""), () => crypto.createHash("md5").update(1), () => { const h = crypto.createHash("md5"); h.digest(); h.update("a"); }])
      try { run(); } catch (error) { console.log(error.name, error.code, error.message); }
    console.log(crypto.getHashes().length, crypto.getCiphers().length, crypto.getCurves().length, crypto.timingSafeEqual(Buffer.from("a"), Buffer.from("a")));`,
  "derives keys, at once and later": `
    const crypto = require("node:crypto");
    console.log(crypto.pbkdf2Sync("p", "s", 1000, 16, "sha256"), crypto.scryptSync("p", "s", 16), Buffer.from(crypto.hkdfSync("sha1", "k", "s", "i", 8)));
    crypto.pbkdf2("p", "s", 10, 8, "sha1", (error, key) => { console.log(error, key); crypto.scrypt("p", "s", 8, (error, key) => console.log(error, key)); });
    for (const run of [() => crypto.pbkdf2("p", "s", 1, 1, "no", () => {}), () => crypto.scryptSync("p", "s", 8, { N: 2 ** 20 }), () => crypto.scryptSync("p", "s", 8, { N: 3 })])
      try { run(); } catch (error) { console.log(error.name, error.code, error.message); }`,
  "ciphers, with and without tags": `
    const crypto = require("node:crypto"); const key = Buffer.alloc(32, 1); const iv = Buffer.alloc(12, 2);
    const seal = crypto.createCipheriv("aes-256-gcm", key, iv); seal.setAAD(Buffer.from("about"));
    const sealed = Buffer.concat([seal.update("text", "utf8"), seal.final()]); console.log(sealed, seal.getAuthTag());
    const open = crypto.createDecipheriv("aes-256-gcm", key, iv); open.setAAD(Buffer.from("about")); open.setAuthTag(seal.getAuthTag());
    console.log(open.update(sealed, undefined, "utf8") + open.final("utf8"));
    const bad = crypto.createDecipheriv("aes-256-gcm", key, iv); bad.setAuthTag(Buffer.alloc(16)); bad.update(sealed);
    for (const run of [() => bad.final(), () => crypto.createCipheriv("no", key, iv), () => crypto.createCipheriv("aes-256-cbc", key, iv), () => crypto.createDecipheriv("aes-256-cbc", key, Buffer.alloc(16)).final()])
      try { run(); } catch (error) { console.log(error.name, error.code, error.message, Object.keys(error)); }`,
  "keys in all forms, and what they sign": `
    const crypto = require("node:crypto");
    for (const [type, options] of [["rsa", { modulusLength: 1024 }], ["ec", { namedCurve: "P-256" }], ["ed25519", {}]]) {
      const { publicKey, privateKey } = crypto.generateKeyPairSync(type, options);
      const digest = type === "ed25519" ? null : "sha256"; const signature = crypto.sign(digest, Buffer.from("x"), privateKey);
      console.log(type, publicKey.asymmetricKeyDetails, crypto.verify(digest, Buffer.from("x"), publicKey, signature), crypto.verify(digest, Buffer.from("y"), publicKey, signature));
      for (const how of [{ format: "pem", type: "pkcs8" }, { format: "der", type: "pkcs8", cipher: "aes-128-cbc", passphrase: "p" }, { format: "jwk" }]) {
        const exported = privateKey.export(how); const again = crypto.createPrivateKey({ key: exported, ...how });
        console.log(again.equals(privateKey), crypto.createPublicKey(again).equals(publicKey));
      }
    }
    try { crypto.createPrivateKey("nothing"); } catch (error) { console.log(error.message, error.code, error.library, error.reason); }
    const a = crypto.createECDH("secp256k1"); const b = crypto.createECDH("secp256k1"); a.generateKeys(); b.generateKeys();
    console.log(a.computeSecret(b.getPublicKey()).equals(b.computeSecret(a.getPublicKey())), crypto.createDiffieHellman(512).verifyError);`,
  "random values have their sizes": `
    const crypto = require("node:crypto");
    console.log(crypto.randomBytes(3_000_000).length, crypto.randomUUID().length, crypto.randomInt(5) < 5, crypto.getRandomValues(new Uint32Array(4)).some((n) => n > 0));
    crypto.randomFill(new Uint8Array(10), 2, 4, (error, bytes) => console.log(error, bytes.slice(0, 2), bytes.length));`,
  "Web Crypto": `
    const { subtle } = crypto; const hex = (bytes) => Buffer.from(bytes).toString("hex");
    (async () => {
      console.log(hex(await subtle.digest("SHA-256", Buffer.from("abc"))));
      const key = await subtle.importKey("raw", Buffer.alloc(16, 1), "AES-GCM", true, ["encrypt", "decrypt"]); console.log(key);
      const sealed = await subtle.encrypt({ name: "AES-GCM", iv: Buffer.alloc(12) }, key, Buffer.from("text")); console.log(hex(sealed), sealed);
      await subtle.decrypt({ name: "AES-GCM", iv: Buffer.alloc(12, 9) }, key, sealed).catch((error) => console.log(error.name, error.message));
      const pair = await subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]); console.log(pair);
      const how = { name: "ECDSA", hash: "SHA-256" }; const signature = await subtle.sign(how, pair.privateKey, Buffer.from("x"));
      console.log(await subtle.verify(how, pair.publicKey, signature, Buffer.from("x")), (await subtle.exportKey("jwk", pair.publicKey)).crv);
      const base = await subtle.importKey("raw", Buffer.from("p"), "PBKDF2", false, ["deriveBits"]);
      console.log(hex(await subtle.deriveBits({ name: "PBKDF2", salt: Buffer.from("s"), iterations: 9, hash: "SHA-1" }, base, 128)));
    })();`,
});
