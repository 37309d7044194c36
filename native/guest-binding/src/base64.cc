// atob() and btoa(), with the return codes that Node's lib/buffer.js turns into errors.
#include "binding.h"
#include "simdutf.h"

namespace guest {
namespace {

/** btoa(string): base64, or -1 for a character beyond Latin-1 */
void Btoa(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsString()) return ThrowType(isolate, "argument must be a string");
  Local<String> text = args[0].As<String>();
  size_t length = static_cast<size_t>(text->Length());
  Scratch<char> bytes(length);
  if (bytes.data() == nullptr) return ThrowNoMemory(isolate);
  {
    String::ValueView view(isolate, text);
    if (view.is_one_byte()) {
      memcpy(bytes.data(), view.data8(), length);
    } else if (simdutf::convert_utf16_to_latin1(reinterpret_cast<const char16_t*>(view.data16()), length,
                                                bytes.data()) != length) {
      return args.GetReturnValue().Set(-1);
    }
  }
  Local<String> encoded;
  if (MakeString(isolate, bytes.data(), length, kBase64).ToLocal(&encoded)) args.GetReturnValue().Set(encoded);
}

/** atob(string): the decoded string; -1 a single character remained, -2 an invalid character, -3 anything else */
void Atob(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsString()) return ThrowType(isolate, "argument must be a string");
  Local<String> text = args[0].As<String>();
  // Decoding never makes more of a string than it was.
  Scratch<char> bytes(static_cast<size_t>(text->Length()) + 3);
  if (bytes.data() == nullptr) return ThrowNoMemory(isolate);
  simdutf::result result;
  {
    String::ValueView view(isolate, text);
    result = view.is_one_byte()
                 ? simdutf::base64_to_binary(reinterpret_cast<const char*>(view.data8()), view.length(), bytes.data(),
                                             simdutf::base64_default, simdutf::loose)
                 : simdutf::base64_to_binary(reinterpret_cast<const char16_t*>(view.data16()), view.length(),
                                             bytes.data(), simdutf::base64_default, simdutf::loose);
  }
  if (result.error == simdutf::INVALID_BASE64_CHARACTER) return args.GetReturnValue().Set(-2);
  if (result.error == simdutf::BASE64_INPUT_REMAINDER) return args.GetReturnValue().Set(-1);
  if (result.error != simdutf::SUCCESS) return args.GetReturnValue().Set(-3);
  Local<String> decoded;
  if (MakeString(isolate, bytes.data(), result.count, kLatin1).ToLocal(&decoded)) {
    args.GetReturnValue().Set(decoded);
  }
}

}  // namespace

void InstallBase64(Local<Context> context, Local<Object> buffer) {
  SetPure(context, buffer, "btoa", Btoa);
  SetPure(context, buffer, "atob", Atob);
}

}  // namespace guest
