// Unpacks Debian's Docker into a folder that tests of container sandboxes start it from.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackDebianPackages } from "./unpack-debian-packages.mjs";

/** The engine, what it starts, and a userland that is one file: its image. */
const packages = ["docker.io", "containerd", "runc", "tini", "busybox-static"];
const folder = process.env["AGENTOS_CONTAINER_ENGINE"] ?? join(tmpdir(), "agentos-mcp-engine");
unpackDebianPackages(packages, folder);
