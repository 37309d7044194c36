// buf.indexOf() and buf.lastIndexOf(): internalBinding('buffer').indexOfString and its like.
#include <algorithm>

#include "binding.h"

namespace guest {
namespace {

/** Where a search begins: an offset within the buffer, or -1 when there can be no match. */
int64_t SearchStart(int64_t length, int64_t offset, int64_t needle, bool is_forward) {
  if (offset < 0) {
    if (offset + length >= 0) return length + offset;
    return is_forward || needle == 0 ? 0 : -1;
  }
  if (offset <= length && offset + needle <= length) return offset;
  if (needle == 0) return length;
  return is_forward ? -1 : length - 1;
}

/** Finds bytes at a multiple of `unit`; `from` is the first or, backwards, the last place that counts. -1 if none. */
int64_t Find(const char* hay, size_t length, const char* needle, size_t size, size_t from, bool is_forward,
             size_t unit) {
  if (size == 0 || size > length) return -1;
  if (is_forward) {
    while (from + size <= length) {
      const void* found = memmem(hay + from, length - from, needle, size);
      if (found == nullptr) return -1;
      size_t place = static_cast<size_t>(static_cast<const char*>(found) - hay);
      if (place % unit == 0) return static_cast<int64_t>(place);
      from = place + 1;
    }
    return -1;
  }
  from = std::min(from, length - size);
  for (size_t place = from - from % unit;; place -= unit) {
    if (hay[place] == needle[0] && memcmp(hay + place, needle, size) == 0) return static_cast<int64_t>(place);
    if (place < unit) return -1;
  }
}

struct Search {
  int64_t offset;
  Encoding encoding;
  bool is_forward;
  int64_t end;
};

/** Reads (…, offset, encoding, isForward, end); integers outside their range saturate. */
bool ReadSearch(const Arguments& args, Search* into) {
  if (!args[2]->IsNumber() || !args[3]->IsInt32() || !args[4]->IsBoolean() || !args[5]->IsNumber()) {
    ThrowType(args.GetIsolate(), "takes a buffer, a needle, an offset, an encoding, a direction and an end");
    return false;
  }
  Local<Context> context = args.GetIsolate()->GetCurrentContext();
  into->offset = args[2]->IntegerValue(context).FromMaybe(0);
  into->encoding = ParseEncoding(args.GetIsolate(), args[3], kUtf8);
  into->is_forward = args[4]->IsTrue();
  into->end = args[5]->IntegerValue(context).FromMaybe(0);
  // Far beyond any buffer, and safe to add to.
  constexpr int64_t kFar = int64_t{1} << 53;
  into->offset = std::clamp(into->offset, -kFar, kFar);
  into->end = std::clamp(into->end, int64_t{0}, kFar);
  return true;
}

double FindNeedle(const Bytes& hay_bytes, const char* hay, const char* needle, size_t size, const Search& search,
                  bool is_text) {
  bool is_wide = search.encoding == kUcs2;
  size_t length = is_wide && is_text ? hay_bytes.length() & ~size_t{1} : hay_bytes.length();
  size_t end = std::min(static_cast<size_t>(search.end), length);
  if (is_wide) end &= ~size_t{1};
  int64_t start = SearchStart(static_cast<int64_t>(length), search.offset, static_cast<int64_t>(size),
                              search.is_forward);
  if (size == 0) return static_cast<double>(std::min(start, static_cast<int64_t>(end)));
  if (length == 0 || start < 0) return -1;
  size_t offset = static_cast<size_t>(start);
  if (offset >= end) {
    if (search.is_forward || end == 0) return -1;
    offset = end - 1;
  }
  if (size > end || (search.is_forward && size + offset > end)) return -1;
  if (!is_wide) return static_cast<double>(Find(hay, end, needle, size, offset, search.is_forward, 1));
  if (end < 2 || size < 2) return -1;
  return static_cast<double>(
      Find(hay, end, needle, size & ~size_t{1}, offset & ~size_t{1}, search.is_forward, 2));
}

/** indexOfString(view, needle, offset, encoding, isForward, end) */
void IndexOfString(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Search search;
  if (!args[1]->IsString()) return ThrowType(isolate, "needle must be a string");
  if (!ReadSearch(args, &search)) return;
  Local<String> text = args[1].As<String>();
  if (search.encoding == kHex || search.encoding == kBase64 || search.encoding == kBase64Url) {
    return args.GetReturnValue().Set(-1);
  }
  size_t size = StringSize(isolate, text, search.encoding);
  Scratch<char> needle(size);
  if (needle.data() == nullptr) return ThrowNoMemory(isolate);
  WriteString(isolate, needle.data(), size, text, search.encoding);
  Bytes bytes(args[0]);
  if (!bytes.is_valid()) return ThrowType(isolate, "argument must be a buffer");
  args.GetReturnValue().Set(FindNeedle(bytes, bytes.data(), needle.data(), size, search, true));
}

/** indexOfBuffer(view, needle, offset, encoding, isForward, end) */
void IndexOfBuffer(const Arguments& args) {
  Search search;
  if (!ReadSearch(args, &search)) return;
  Bytes bytes(args[0]);
  Bytes needle(args[1]);
  if (!bytes.is_valid() || !needle.is_valid()) return ThrowType(args.GetIsolate(), "argument must be a buffer");
  args.GetReturnValue().Set(FindNeedle(bytes, bytes.data(), needle.data(), needle.length(), search, false));
}

/** indexOfNumber(view, byte, offset, isForward, end) */
void IndexOfNumber(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[1]->IsUint32() || !args[2]->IsNumber() || !args[3]->IsBoolean() || !args[4]->IsNumber()) {
    return ThrowType(isolate, "takes a buffer, a byte, an offset, a direction and an end");
  }
  Local<Context> context = isolate->GetCurrentContext();
  constexpr int64_t kFar = int64_t{1} << 53;
  int64_t offset = std::clamp(args[2]->IntegerValue(context).FromMaybe(0), -kFar, kFar);
  int64_t last = std::clamp(args[4]->IntegerValue(context).FromMaybe(0), int64_t{0}, kFar);
  bool is_forward = args[3]->IsTrue();
  int byte = static_cast<int>(args[1].As<Uint32>()->Value() & 255);
  Bytes bytes(args[0]);
  if (!bytes.is_valid()) return ThrowType(isolate, "argument must be a buffer");
  int64_t start = SearchStart(static_cast<int64_t>(bytes.length()), offset, 1, is_forward);
  if (start < 0 || bytes.length() == 0) return args.GetReturnValue().Set(-1);
  size_t end = std::min(static_cast<size_t>(last), bytes.length());
  size_t from = static_cast<size_t>(start);
  const char* data = bytes.data();
  const void* found = nullptr;
  if (!is_forward) {
    found = memrchr(data, byte, std::min(from + 1, end));
  } else if (from < end) {
    found = memchr(data + from, byte, end - from);
  }
  args.GetReturnValue().Set(found ? static_cast<double>(static_cast<const char*>(found) - data) : -1.0);
}

}  // namespace

void InstallSearch(Local<Context> context, Local<Object> buffer) {
  SetPure(context, buffer, "indexOfString", IndexOfString);
  SetPure(context, buffer, "indexOfBuffer", IndexOfBuffer);
  SetPure(context, buffer, "indexOfNumber", IndexOfNumber);
}

}  // namespace guest
