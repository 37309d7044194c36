// internalBinding('encoding_binding'): TextEncoder and TextDecoder of UTF-8.
#include <new>

#include "binding.h"
#include "simdutf.h"

namespace guest {
namespace {

/** decodeUTF8(bytes, ignoreBOM, fatal) */
void DecodeUtf8(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Bytes bytes(args[0]);
  if (!bytes.is_valid()) {
    return ThrowType(isolate,
                     "The \"list\" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.");
  }
  const char* from = bytes.data();
  size_t length = bytes.length();
  std::unique_ptr<char[]> copy;
  if (bytes.is_shared() && length > 0) {
    copy.reset(new (std::nothrow) char[length]);
    if (!copy) return ThrowNoMemory(isolate);
    memcpy(copy.get(), from, length);
    from = copy.get();
  }
  if (!args[1]->IsTrue() && length >= 3 && memcmp(from, "\xEF\xBB\xBF", 3) == 0) {
    from += 3;
    length -= 3;
  }
  if (args[2]->IsTrue() && length > 0 && simdutf::validate_utf8_with_errors(from, length).error) {
    return ThrowCode(isolate, ErrorKind::kTypeError, "ERR_ENCODING_INVALID_ENCODED_DATA",
                     "The encoded data was not valid for encoding utf-8");
  }
  Local<String> text;
  if (MakeString(isolate, from, length, kUtf8).ToLocal(&text) && Continue(isolate, length)) args.GetReturnValue().Set(text);
}

/** encodeUtf8String(string): a Uint8Array */
void EncodeUtf8String(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsString()) return ThrowType(isolate, "argument must be a string");
  Local<String> text = args[0].As<String>();
  size_t length = text->Utf8LengthV2(isolate);
  Local<Uint8Array> bytes;
  if (!NewBytes(isolate, length).ToLocal(&bytes)) return;
  if (length > 0) WriteString(isolate, Bytes(bytes).data(), length, text, kUtf8);
  if (Continue(isolate, length)) args.GetReturnValue().Set(bytes);
}

/** encodeInto(string, Uint8Array): encodeIntoResults becomes [characters read, bytes written] */
void EncodeInto(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsString() || !args[1]->IsUint8Array()) return ThrowType(isolate, "takes a string and a Uint8Array");
  Local<Value> results = StateValue(isolate, kEncodeIntoResults);
  if (!results->IsUint32Array()) return;
  Bytes bytes(args[1]);
  size_t read = 0;
  size_t written = 0;
  if (bytes.length() > 0) {
    written = args[0].As<String>()->WriteUtf8V2(isolate, bytes.data(), bytes.length(),
                                                String::WriteFlags::kReplaceInvalidUtf8, &read);
  }
  uint32_t both[] = {static_cast<uint32_t>(read), static_cast<uint32_t>(written)};
  Bytes out(results);
  if (out.length() == sizeof(both)) memcpy(out.data(), both, sizeof(both));
}

}  // namespace

void InstallEncoding(Local<Context> context, Local<Object> target) {
  Isolate* isolate = Isolate::GetCurrent();
  Local<Object> encoding = Object::New(isolate);
  SetMethod(context, encoding, "encodeInto", EncodeInto);
  SetPure(context, encoding, "encodeUtf8String", EncodeUtf8String);
  SetPure(context, encoding, "decodeUTF8", DecodeUtf8);
  Local<v8::Uint32Array> results = v8::Uint32Array::New(ArrayBuffer::New(isolate, 8), 0, 2);
  SetProperty(context, encoding, "encodeIntoResults", results);
  SetStateValue(isolate, kEncodeIntoResults, results);
  SetProperty(context, target, "encoding", encoding);
}

}  // namespace guest
