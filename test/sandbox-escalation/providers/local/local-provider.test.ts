import { describeSandboxProviderContract } from "../../../contract/sandbox-provider-contract.ts";
import { openLocal, probeLocal } from "./local-under-test.ts";
import { findSmallRoot, noSmallRoot } from "./make-small-root.ts";

const probe = await probeLocal();
const all = probe.isUsable ? undefined : probe.reason;
const isHard = probe.isUsable && probe.abilities.memory === "hard";
const limits = "memory is watched there, see local-sandbox.test.ts";

describeSandboxProviderContract("local", async () => openLocal(), {
  all: all ?? (isHard ? undefined : "needs control groups that this user may make"),
});

describeSandboxProviderContract(
  "local without control groups",
  async () => openLocal({ usesControlGroups: false }),
  { all, limits },
);

const image = findSmallRoot();
describeSandboxProviderContract(
  "local with a root of its own",
  async () => openLocal(image === undefined ? {} : { image }),
  { all: all ?? noSmallRoot(image), ...(isHard ? {} : { limits }) },
);
