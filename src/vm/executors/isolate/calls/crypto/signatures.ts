// What each function, class and job of Node's crypto takes, as Node's own library gives it. Letters are kinds.ts's;
// =a|b is one of some names, or nothing where it ends so; figures are themselves.
// KEY and PRIVATE stand for a key's five arguments, NAME for a
// kind of keys, PAIR for how a pair of keys is written, WEB and WEB1 for what Web Crypto wants of it.

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
  getCipherInfo: "si uU uU",
  oneShotDigest: "s i n v =buffer 6 lU bU bU",
  publicEncrypt: "KEY b p sU bU sU",
  publicDecrypt: "KEY b p sU bU sU",
  privateEncrypt: "PRIVATE b p sU bU sU",
  privateDecrypt: "PRIVATE b p sU bU sU",
  timingSafeEqual: "pb pb",
  ECDHConvertKey: "b s i",
  certVerifySpkac: "b",
  certExportPublicKey: "b",
  certExportChallenge: "b",
  parsePKCS12: "b bU",
};

/** Constructors. */
export const constructors: Readonly<Record<string, string>> = {
  Hash: "sh lU in n bU bU",
  Hmac: "s kb",
  Mac: "s i n kb sU sU bU bU bU lU",
  Sign: "s",
  Verify: "s",
  CipherBase: "o s kb bN ua =CS1|CS2|CS3| =GB|IEEE|",
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
  Hash: { update: "v", digest: "" },
  Hmac: { update: "v", digest: "" },
  Mac: { update: "v", final: "" },
  Sign: { update: "v", sign: "PRIVATE iU iU i" },
  Verify: { update: "v", verify: "KEY b iU iU i" },
  CipherBase: {
    update: "v",
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
  export: "iU iU sn bn",
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
  AESCipherJob: ["i k b i bU uU bU"],
  ChaCha20Poly1305CipherJob: ["i k b b bU"],
  RSACipherJob: ["i k b i s bU"],
  HashJob: ["s b LU"],
  CShakeJob: ["=cSHAKE128|cSHAKE256 b bU bU L"],
  TurboShakeJob: ["=TurboSHAKE128|TurboSHAKE256 t m b"],
  KangarooTwelveJob: ["=KT128|KT256 bU m b"],
  HmacJob: ["01 s k b bU"],
  KmacJob: ["01 k =KMAC128|KMAC256 bU L L b bU"],
  SignJob: ["0 PRIVATE b sn iU iU iU bU U", "1 KEY b sn iU iU iU bU b"],
  HKDFJob: ["s kb b b l"],
  PBKDF2Job: ["kb b u l s"],
  ScryptJob: ["kb b u u u d l"],
  Argon2Job: ["kb b u l u u b b u"],
  DHBitsJob: ["KEY PRIVATE"],
  KEMEncapsulateJob: ["KEY"],
  KEMDecapsulateJob: ["PRIVATE b"],
  RandomPrimeJob: ["i o bU bU"],
  CheckPrimeJob: ["b i"],
  SecretKeyGenJob: ["L", "L WEB1"],
  RsaKeyPairGenJob: ["i u u PAIR", "i u u sU sU iU PAIR", "i u u WEB"],
  DsaKeyPairGenJob: ["u i PAIR"],
  EcKeyPairGenJob: ["s iu PAIR", "s Ui WEB"],
  DhKeyPairGenJob: ["s PAIR", "ib i PAIR"],
  NamedKeyPairGenJob: ["NAME PAIR", "NAME WEB"],
};
