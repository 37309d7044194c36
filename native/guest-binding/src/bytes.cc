// internalBinding('buffer'): what it does with bytes alone.
#include <algorithm>
#include <cmath>
#include <new>

#include "binding.h"
#include "simdutf.h"

namespace guest {
namespace {

/** Reads a count of bytes that Node's JavaScript has checked already; anything else reads as 0. */
size_t ReadSize(Local<Value> value) {
  double number = value->IsNumber() ? value.As<Number>()->Value() : 0;
  return number >= 1 && number <= 9007199254740991.0 ? static_cast<size_t>(number) : 0;
}

/** copy(source, target, targetStart, sourceStart, count): the number of bytes copied */
void Copy(const Arguments& args) {
  Bytes source(args[0]);
  Bytes target(args[1]);
  if (!source.is_valid() || !target.is_valid()) return ThrowType(args.GetIsolate(), "argument must be a buffer");
  size_t target_start = ReadSize(args[2]);
  size_t source_start = ReadSize(args[3]);
  size_t count = ReadSize(args[4]);
  if (target_start >= target.length() || source_start >= source.length()) return args.GetReturnValue().Set(0);
  count = std::min({count, target.length() - target_start, source.length() - source_start});
  memmove(target.data() + target_start, source.data() + source_start, count);
  args.GetReturnValue().Set(static_cast<double>(count));
}

/** copyArrayBuffer(target, targetOffset, source, sourceOffset, count) */
void CopyArrayBuffer(const Arguments& args) {
  Bytes target(args[0]);
  Bytes source(args[2]);
  size_t target_start = ReadSize(args[1]);
  size_t source_start = ReadSize(args[3]);
  size_t count = ReadSize(args[4]);
  if (!target.is_valid() || !source.is_valid() || target_start > target.length() || source_start > source.length() ||
      count > target.length() - target_start || count > source.length() - source_start) {
    return ThrowType(args.GetIsolate(), "copyArrayBuffer takes two buffers and a range within both");
  }
  if (count > 0) memmove(target.data() + target_start, source.data() + source_start, count);
}

int Order(int difference, size_t a, size_t b) {
  if (difference != 0) return difference > 0 ? 1 : -1;
  return a == b ? 0 : a > b ? 1 : -1;
}

void Compare(const Arguments& args) {
  Bytes a(args[0]);
  Bytes b(args[1]);
  if (!a.is_valid() || !b.is_valid()) return ThrowType(args.GetIsolate(), "argument must be a buffer");
  size_t count = std::min(a.length(), b.length());
  args.GetReturnValue().Set(Order(count > 0 ? memcmp(a.data(), b.data(), count) : 0, a.length(), b.length()));
}

/** compareOffset(source, target, targetStart, sourceStart, targetEnd, sourceEnd) */
void CompareOffset(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Bytes source(args[0]);
  Bytes target(args[1]);
  if (!source.is_valid() || !target.is_valid()) return ThrowType(isolate, "argument must be a buffer");
  size_t target_start, source_start, target_end, source_end;
  if (!ReadIndex(isolate, args[2], 0, &target_start) || !ReadIndex(isolate, args[3], 0, &source_start) ||
      !ReadIndex(isolate, args[4], target.length(), &target_end) ||
      !ReadIndex(isolate, args[5], source.length(), &source_end)) {
    return;
  }
  source = Bytes(args[0]);
  target = Bytes(args[1]);
  if (source_start > source.length() || source_start > source_end) {
    return ThrowCode(isolate, ErrorKind::kRangeError, "ERR_OUT_OF_RANGE",
                     "The value of \"sourceStart\" is out of range.");
  }
  if (target_start > target.length() || target_start > target_end) {
    return ThrowCode(isolate, ErrorKind::kRangeError, "ERR_OUT_OF_RANGE",
                     "The value of \"targetStart\" is out of range.");
  }
  size_t count = std::min({source_end - source_start, target_end - target_start, source.length() - source_start,
                           target.length() - target_start});
  int difference = count > 0 ? memcmp(source.data() + source_start, target.data() + target_start, count) : 0;
  args.GetReturnValue().Set(Order(difference, source_end - source_start, target_end - target_start));
}

/** Repeats the first `length` bytes of a range until it is full. */
void Repeat(char* range, size_t length, size_t full) {
  while (length < full) {
    size_t count = std::min(length, full - length);
    memcpy(range + length, range, count);
    length += count;
  }
}

/** The bytes of a fill's string at the start of the range, and how many it would have. */
size_t FillStart(Isolate* isolate, char* range, size_t full, Local<String> text, Encoding encoding) {
  if (encoding != kUtf8 && encoding != kUcs2) return WriteString(isolate, range, full, text, encoding);
  // Here, and only here, half a character may be written: at the end of the range.
  size_t size = StringSize(isolate, text, encoding);
  std::unique_ptr<char[]> all(new (std::nothrow) char[size + 1]);
  if (!all) return 0;
  WriteString(isolate, all.get(), size, text, encoding);
  memcpy(range, all.get(), std::min(size, full));
  return size;
}

/** fill(view, value, start, end, encoding): undefined, -1 for a value without bytes, -2 out of bounds */
void Fill(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!Bytes(args[0]).is_valid()) return ThrowType(isolate, "argument must be a buffer");
  size_t start, end;
  if (!ReadIndex(isolate, args[2], 0, &start) || !ReadIndex(isolate, args[3], 0, &end)) return;
  uint32_t number = 0;
  bool is_number = !args[1]->IsString() && !args[1]->IsArrayBufferView();
  if (is_number && !args[1]->Uint32Value(isolate->GetCurrentContext()).To(&number)) return;
  Bytes bytes(args[0]);
  if (start > end || end > bytes.length()) return args.GetReturnValue().Set(-2);
  char* range = bytes.data() + start;
  size_t full = end - start;
  if (full == 0) return;
  if (is_number) {
    memset(range, static_cast<int>(number & 255), full);
    return;
  }
  size_t length;
  if (args[1]->IsString()) {
    length = FillStart(isolate, range, full, args[1].As<String>(), ParseEncoding(isolate, args[4], kUtf8));
  } else {
    Bytes value(args[1]);
    length = value.length();
    if (length > 0) memmove(range, value.data(), std::min(length, full));
  }
  if (length == 0) return args.GetReturnValue().Set(-1);
  if (length < full) Repeat(range, length, full);
}

template <typename T>
T Swapped(T word) {
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(word);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(word);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(word);
}

template <typename T>
void Swap(const Arguments& args) {
  Bytes bytes(args[0]);
  if (!bytes.is_valid() || bytes.length() % sizeof(T) != 0) {
    return ThrowType(args.GetIsolate(), "argument must be a buffer of whole words");
  }
  for (size_t index = 0; index < bytes.length(); index += sizeof(T)) {
    T word;
    memcpy(&word, bytes.data() + index, sizeof(T));
    word = Swapped(word);
    memcpy(bytes.data() + index, &word, sizeof(T));
  }
}

void IsUtf8(const Arguments& args) {
  Bytes bytes(args[0]);
  if (!bytes.is_valid()) return ThrowType(args.GetIsolate(), "argument must be a buffer");
  args.GetReturnValue().Set(bytes.length() == 0 || simdutf::validate_utf8(bytes.data(), bytes.length()));
}

void IsAscii(const Arguments& args) {
  Bytes bytes(args[0]);
  if (!bytes.is_valid()) return ThrowType(args.GetIsolate(), "argument must be a buffer");
  args.GetReturnValue().Set(bytes.length() == 0 ||
                            !simdutf::validate_ascii_with_errors(bytes.data(), bytes.length()).error);
}

void ByteLengthUtf8(const Arguments& args) {
  if (!args[0]->IsString()) return ThrowType(args.GetIsolate(), "argument must be a string");
  args.GetReturnValue().Set(static_cast<double>(args[0].As<String>()->Utf8LengthV2(args.GetIsolate())));
}

/** createUnsafeArrayBuffer(size): its bytes are whatever they were */
void CreateUnsafeArrayBuffer(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  double size = args[0]->IsNumber() ? args[0].As<Number>()->Value() : -1;
  if (!(size >= 0 && size <= 9007199254740991.0)) {
    return ThrowCode(isolate, ErrorKind::kRangeError, "ERR_OUT_OF_RANGE", "Invalid array buffer length");
  }
  Local<Uint8Array> bytes;
  if (NewBytes(isolate, static_cast<size_t>(size)).ToLocal(&bytes)) args.GetReturnValue().Set(bytes->Buffer());
}

/** arrayBufferAlignedOffset(buffer, alignment): the first offset at a multiple of a power of two in memory */
void ArrayBufferAlignedOffset(const Arguments& args) {
  size_t alignment = ReadSize(args[1]);
  if (!args[0]->IsArrayBuffer() || alignment == 0 || (alignment & (alignment - 1)) != 0) {
    return ThrowType(args.GetIsolate(), "takes an ArrayBuffer and a power of two");
  }
  uintptr_t start = reinterpret_cast<uintptr_t>(args[0].As<ArrayBuffer>()->Data());
  size_t offset = (alignment - (start & (alignment - 1))) & (alignment - 1);
  args.GetReturnValue().Set(static_cast<double>(std::min(offset, args[0].As<ArrayBuffer>()->ByteLength())));
}

void SetDetachKey(const Arguments& args) {
  if (!args[0]->IsArrayBuffer()) return ThrowType(args.GetIsolate(), "takes an ArrayBuffer");
  args[0].As<ArrayBuffer>()->SetDetachKey(args[1]);
}

}  // namespace

void InstallBytes(Local<Context> context, Local<Object> buffer) {
  Isolate* isolate = Isolate::GetCurrent();
  SetMethod(context, buffer, "copy", Copy);
  SetMethod(context, buffer, "copyArrayBuffer", CopyArrayBuffer);
  SetPure(context, buffer, "compare", Compare);
  SetPure(context, buffer, "compareOffset", CompareOffset);
  SetMethod(context, buffer, "fill", Fill);
  SetMethod(context, buffer, "swap16", Swap<uint16_t>);
  SetMethod(context, buffer, "swap32", Swap<uint32_t>);
  SetMethod(context, buffer, "swap64", Swap<uint64_t>);
  SetPure(context, buffer, "isUtf8", IsUtf8);
  SetPure(context, buffer, "isAscii", IsAscii);
  SetPure(context, buffer, "byteLengthUtf8", ByteLengthUtf8);
  SetMethod(context, buffer, "createUnsafeArrayBuffer", CreateUnsafeArrayBuffer);
  SetPure(context, buffer, "arrayBufferAlignedOffset", ArrayBufferAlignedOffset);
  SetMethod(context, buffer, "setDetachKey", SetDetachKey);
  SetProperty(context, buffer, "kMaxLength", Number::New(isolate, static_cast<double>(v8::Uint8Array::kMaxByteLength)));
  SetProperty(context, buffer, "kStringMaxLength", Integer::New(isolate, String::kMaxLength));
}

}  // namespace guest
