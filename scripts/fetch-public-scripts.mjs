// Unpacks the Debian packages whose scripts test/conformance/scripts runs, into the folder that the
// tests look at.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packages } from "../test/conformance/scripts/public-scripts.ts";
import { unpackDebianPackages } from "./unpack-debian-packages.mjs";

const folder = process.env["AGENTOS_PUBLIC_SCRIPTS"] ?? join(tmpdir(), "agentos-mcp-scripts");
unpackDebianPackages(packages, folder);
