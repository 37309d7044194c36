// What each function, class and job of Node's crypto takes, as Node's own library gives it. Letters are kinds.ts's;
// KEY stands for a key's five arguments, PAIR for how a pair of keys is written, WEB for what Web Crypto wants of it.

/** Functions of the binding. What is not here, a guest does not reach: engines, FIPS, the host's certificates. */
export const functions: Readonly<Record<string, string>> = {
  getFipsCrypto: "",
  getFipsCryptoGeneration: "",
  getOpenSSLSecLevelCrypto: "",
  testFipsCrypto: "",
  getHashes: "",
  getCiphers: "",
  getSSLCiphers: "",
  getCurves: "",
  getMacs: "",
  getCachedAliases: "",
  getCachedMacAliases: "",
  getPqcKeyTypes: "",
  getBundledRootCertificates: "",
  secureHeapUsed: "",
  getCipherInfo: "si un un",
  oneShotDigest: "s i n b sn iun un bn bn",
  publicEncrypt: "KEY b p sn bn sn",
  publicDecrypt: "KEY b p sn bn sn",
  privateEncrypt: "KEY b p sn bn sn",
  privateDecrypt: "KEY b p sn bn sn",
  timingSafeEqual: "pb pb",
  ECDHConvertKey: "b s i",
  certVerifySpkac: "b",
  certExportPublicKey: "b",
  certExportChallenge: "b",
  parsePKCS12: "b bn",
};

/** Constructors. */
export const constructors: Readonly<Record<string, string>> = {
  Hash: "sh un in n bn bn",
  Hmac: "s kb",
  Mac: "s i n kb sn sn bn bn bn un",
  Sign: "",
  Verify: "",
  CipherBase: "o s kb bN i sn sn",
  DiffieHellman: "ib ib",
  DiffieHellmanGroup: "s",
  ECDH: "s",
  X509Certificate: "bc",
};

const exchange = {
  generateKeys: "",
  computeSecret: "b",
  getPrivateKey: "",
  setPublicKey: "b",
  setPrivateKey: "b",
};
const group = { ...exchange, getPrime: "", getGenerator: "", getPublicKey: "" };
const none = Object.fromEntries(
  `checkCA fingerprint fingerprint256 fingerprint512 getIssuerCert infoAccess issuer keyUsage pem publicKey raw
  serialNumber signatureAlgorithm signatureAlgorithmOid subject subjectAltName toLegacy validFrom validFromDate
  validTo validToDate`
    .split(/\s+/)
    .map((name) => [name, ""]),
);

/** Methods by class. */
export const methods: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Hash: { update: "b", digest: "" },
  Hmac: { update: "b", digest: "" },
  Mac: { update: "b", final: "" },
  Sign: { init: "s", update: "b", sign: "KEY in in i" },
  Verify: { init: "s", update: "b", verify: "KEY b in in i" },
  CipherBase: {
    update: "b",
    final: "",
    setAutoPadding: "o",
    getAuthTag: "",
    setAuthTag: "b",
    setAAD: "b i",
  },
  DiffieHellman: group,
  DiffieHellmanGroup: group,
  ECDH: { ...exchange, getPublicKey: "i" },
  X509Certificate: {
    ...none,
    checkHost: "s i",
    checkEmail: "s i",
    checkIP: "s i",
    checkIssued: "c",
    checkPrivateKey: "k",
    verify: "k",
  },
};

/** Methods of a key, by its type: secret ones, and the others. */
export const secretKeyMethods: Readonly<Record<string, string>> = {
  getKeyType: "",
  getSymmetricKeySize: "",
  export: "",
  exportJwk: "j o",
  equals: "k",
};
export const asymmetricKeyMethods: Readonly<Record<string, string>> = {
  getKeyType: "",
  getAsymmetricKeyType: "",
  checkEcKeyData: "",
  export: "in in sn bn",
  exportJwk: "j o",
  rawPublicKey: "",
  rawPrivateKey: "",
  rawSeed: "",
  exportECPublicRaw: "i",
  exportECPrivateRaw: "",
  keyDetail: "j",
  equals: "k",
};

/** Jobs, after their mode; one of several where Node's library has several ways. */
export const jobs: Readonly<Record<string, readonly string[]>> = {
  AESCipherJob: ["i k b i bn un bn"],
  ChaCha20Poly1305CipherJob: ["i k b b bn"],
  RSACipherJob: ["i k b i s bn"],
  HashJob: ["s b un"],
  CShakeJob: ["s b bn bn u"],
  TurboShakeJob: ["s u u b"],
  KangarooTwelveJob: ["s bn u b"],
  HmacJob: ["i s k b bn"],
  KmacJob: ["i k s bn un u b bn"],
  SignJob: ["i KEY b sn in in in bn bn"],
  HKDFJob: ["s kb b b u"],
  PBKDF2Job: ["kb b u u s", "kb b i i s"],
  ScryptJob: ["kb b u u u d i", "kb b u u u d u"],
  Argon2Job: ["kb b u u u u b b u"],
  DHBitsJob: ["KEY KEY"],
  KEMEncapsulateJob: ["KEY"],
  KEMDecapsulateJob: ["KEY b"],
  RandomPrimeJob: ["i o bn bn"],
  CheckPrimeJob: ["b i"],
  SecretKeyGenJob: ["u", "u j u o"],
  RsaKeyPairGenJob: ["i u u PAIR", "i u u sn sn in PAIR", "i u u WEB"],
  DsaKeyPairGenJob: ["u i PAIR"],
  EcKeyPairGenJob: ["s iu PAIR", "s Ui WEB"],
  DhKeyPairGenJob: ["s PAIR", "ib i PAIR"],
  NamedKeyPairGenJob: ["s PAIR", "s WEB"],
};
