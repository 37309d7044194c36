// buf.utf8Slice(), buf.hexWrite() and the other pairs, with the view as first argument, as in Node's binding.
#include <new>

#include "binding.h"

namespace guest {
namespace {

bool RequireBuffer(Isolate* isolate, const Bytes& bytes) {
  if (bytes.is_valid()) return true;
  ThrowType(isolate, "argument must be a buffer");
  return false;
}

/** slice(view, start = 0, end = length) */
template <Encoding encoding>
void Slice(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Bytes bytes(args[0]);
  if (!RequireBuffer(isolate, bytes)) return;
  if (bytes.length() == 0) return args.GetReturnValue().SetEmptyString();
  size_t start;
  size_t end;
  if (!ReadIndex(isolate, args[1], 0, &start)) return;
  if (!ReadIndex(isolate, args[2], bytes.length(), &end)) return;
  // An index that is an object may have run JavaScript, which may have detached or shrunk the buffer.
  Bytes now(args[0]);
  if (end <= start) return args.GetReturnValue().SetEmptyString();
  if (end > now.length()) return ThrowCode(isolate, ErrorKind::kRangeError, "ERR_OUT_OF_RANGE", "Index out of range");
  size_t length = end - start;
  const char* from = now.data() + start;
  std::unique_ptr<char[]> copy;
  if (now.is_shared()) {
    // Another thread may write meanwhile.
    copy.reset(new (std::nothrow) char[length]);
    if (!copy) return ThrowNoMemory(isolate);
    memcpy(copy.get(), from, length);
    from = copy.get();
  }
  Local<String> text;
  if (MakeString(isolate, from, length, encoding).ToLocal(&text) && Continue(isolate, length)) args.GetReturnValue().Set(text);
}

/** write(view, string, offset = 0, length = rest): the number of bytes written */
template <Encoding encoding>
void Write(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Bytes bytes(args[0]);
  if (!RequireBuffer(isolate, bytes)) return;
  if (!args[1]->IsString()) return ThrowType(isolate, "argument must be a string");
  size_t offset;
  size_t length;
  if (!ReadIndex(isolate, args[2], 0, &offset)) return;
  if (offset > bytes.length()) {
    return ThrowCode(isolate, ErrorKind::kRangeError, "ERR_BUFFER_OUT_OF_BOUNDS",
                     "\"offset\" is outside of buffer bounds");
  }
  if (!ReadIndex(isolate, args[3], bytes.length() - offset, &length)) return;
  Bytes now(args[0]);
  if (offset > now.length()) return args.GetReturnValue().Set(0);
  if (length > now.length() - offset) length = now.length() - offset;
  if (length == 0) return args.GetReturnValue().Set(0);
  size_t written = WriteString(isolate, now.data() + offset, length, args[1].As<String>(), encoding);
  if (Continue(isolate, written)) args.GetReturnValue().Set(static_cast<uint32_t>(written));
}

/** createFromString(string, encoding): the string's bytes as a Buffer */
void CreateFromString(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsString()) return ThrowType(isolate, "argument must be a string");
  Local<String> text = args[0].As<String>();
  Encoding encoding = ParseEncoding(isolate, args[1], kUtf8);
  size_t size = StringSize(isolate, text, encoding);
  Scratch<char, 4096> memory(size);
  if (memory.data() == nullptr) return ThrowNoMemory(isolate);
  size_t written = WriteString(isolate, memory.data(), size, text, encoding);
  Local<Uint8Array> bytes;
  if (!NewBytes(isolate, written).ToLocal(&bytes)) return;
  if (written > 0) memcpy(Bytes(bytes).data(), memory.data(), written);
  Local<Value> prototype = StateValue(isolate, kBufferPrototype);
  if (prototype->IsObject()) USE(bytes->SetPrototypeV2(isolate->GetCurrentContext(), prototype));
  args.GetReturnValue().Set(bytes);
}

void SetBufferPrototype(const Arguments& args) {
  if (!args[0]->IsObject()) return ThrowType(args.GetIsolate(), "prototype must be an object");
  SetStateValue(args.GetIsolate(), kBufferPrototype, args[0]);
}

}  // namespace

void InstallSlices(Local<Context> context, Local<Object> buffer) {
  SetPure(context, buffer, "asciiSlice", Slice<kAscii>);
  SetPure(context, buffer, "base64Slice", Slice<kBase64>);
  SetPure(context, buffer, "base64urlSlice", Slice<kBase64Url>);
  SetPure(context, buffer, "latin1Slice", Slice<kLatin1>);
  SetPure(context, buffer, "hexSlice", Slice<kHex>);
  SetPure(context, buffer, "ucs2Slice", Slice<kUcs2>);
  SetPure(context, buffer, "utf8Slice", Slice<kUtf8>);
  SetMethod(context, buffer, "base64Write", Write<kBase64>);
  SetMethod(context, buffer, "base64urlWrite", Write<kBase64Url>);
  SetMethod(context, buffer, "hexWrite", Write<kHex>);
  SetMethod(context, buffer, "ucs2Write", Write<kUcs2>);
  SetMethod(context, buffer, "asciiWriteStatic", Write<kAscii>);
  SetMethod(context, buffer, "latin1WriteStatic", Write<kLatin1>);
  SetMethod(context, buffer, "utf8WriteStatic", Write<kUtf8>);
  SetMethod(context, buffer, "createFromString", CreateFromString);
  SetMethod(context, buffer, "setBufferPrototype", SetBufferPrototype);
}

}  // namespace guest
