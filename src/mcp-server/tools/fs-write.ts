import { z } from "zod";
import { HostError } from "../../vm/host-error.ts";
import { chosenVm } from "../clients/chosen-vm.ts";
import { defineTool } from "../mcp-tool.ts";
import { withNotice } from "../presentation/with-notice.ts";
import { asRoot, optionalVmId } from "./arguments.ts";
import { guestPath } from "./guest-path.ts";

export const fsWrite = defineTool({
  name: "fs_write",
  title: "Write a file",
  description: "Writes a file and creates missing parent directories.",
  inputSchema: z.strictObject({
    vm_id: optionalVmId,
    path: z.string(),
    content: z.string(),
    encoding: z.enum(["utf8", "base64"]).optional(),
    append: z.boolean().optional(),
    as_root: asRoot,
  }),
  outputSchema: z.object({
    bytes: z.number().meta({ type: "integer" }),
    notice: z.string().optional(),
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  meta: { "anthropic/alwaysLoad": true },
  async handler({ vm_id, path, content, encoding = "utf8", append = false, as_root }, call) {
    const vm = await chosenVm(call, vm_id);
    const as = as_root === true ? "root" : "user";
    const target = guestPath(path, as);
    const bytes = encoding === "utf8" ? Buffer.from(content, "utf8") : decodeBase64(content);
    await vm.files.write(target, bytes, { append, createParents: true, as });
    const text = `${append ? "Appended" : "Wrote"} ${bytes.length} bytes to ${target}.`;
    return withNotice(call.connection.notices.take(vm), {
      structuredContent: { bytes: bytes.length },
      content: [{ type: "text", text }],
    });
  },
});

/** Buffer skips over what is no base64; a file that was not what the client meant helps nobody. */
function decodeBase64(content: string): Buffer {
  const text = content.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.replace(/=+$/, "").length % 4 === 1) {
    throw new HostError("CONTENT_INVALID");
  }
  return Buffer.from(text, "base64");
}
