// Strings to bytes and back, in Node's encodings and with Node's leniency.
#include <strings.h>

#include "binding.h"
#include "simdutf.h"

namespace guest {
namespace {

/** -1 for a character that is no hexadecimal digit. */
int HexDigit(unsigned character) {
  if (character >= '0' && character <= '9') return static_cast<int>(character - '0');
  unsigned lower = character | 32;
  return lower >= 'a' && lower <= 'f' ? static_cast<int>(lower - 'a' + 10) : -1;
}

/** Two digits a byte, up to the first pair that is none. Only the low byte of a character counts, as in Node. */
template <typename T>
size_t DecodeHex(char* to, size_t length, const T* from, size_t from_length) {
  size_t count = 0;
  for (; count < length && count * 2 + 1 < from_length; count++) {
    int high = HexDigit(static_cast<uint8_t>(from[count * 2]));
    int low = HexDigit(static_cast<uint8_t>(from[count * 2 + 1]));
    if (high < 0 || low < 0) break;
    to[count] = static_cast<char>(high << 4 | low);
  }
  return count;
}

int Base64Digit(uint8_t character) {
  if (character >= 'A' && character <= 'Z') return character - 'A';
  if (character >= 'a' && character <= 'z') return character - 'a' + 26;
  if (character >= '0' && character <= '9') return character - '0' + 52;
  if (character == '+' || character == '-') return 62;
  return character == '/' || character == '_' ? 63 : -1;
}

/** Node's lenient decoding: both alphabets, anything else is skipped, '=' ends it. */
template <typename T>
size_t DecodeLenientBase64(char* to, size_t length, const T* from, size_t from_length) {
  size_t count = 0;
  uint32_t bits = 0;
  int held = 0;
  for (size_t index = 0; index < from_length && count < length; index++) {
    uint8_t character = static_cast<uint8_t>(from[index]);
    if (character == '=') break;
    int digit = Base64Digit(character);
    if (digit < 0) continue;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    to[count++] = static_cast<char>(bits >> held);
  }
  return count;
}

template <typename T, typename C>
size_t DecodeBase64(char* to, size_t length, const T* from, size_t from_length, simdutf::base64_options options) {
  size_t written = length;
  simdutf::result result = simdutf::base64_to_binary_safe(reinterpret_cast<const C*>(from), from_length, to, written,
                                                          options, simdutf::loose, false);
  if (result.error == simdutf::SUCCESS) return written;
  return DecodeLenientBase64(to, length, from, from_length);
}

size_t WriteLatin1(char* to, size_t length, const String::ValueView& text) {
  size_t count = text.length() < length ? text.length() : length;
  if (text.is_one_byte()) {
    memcpy(to, text.data8(), count);
    return count;
  }
  for (size_t index = 0; index < count; index++) to[index] = static_cast<char>(text.data16()[index]);
  return count;
}

size_t WriteUcs2(char* to, size_t length, const String::ValueView& text) {
  size_t count = text.length() < length / 2 ? text.length() : length / 2;
  if (!text.is_one_byte()) {
    memcpy(to, text.data16(), count * 2);
    return count * 2;
  }
  for (size_t index = 0; index < count; index++) {
    to[index * 2] = static_cast<char>(text.data8()[index]);
    to[index * 2 + 1] = 0;
  }
  return count * 2;
}

MaybeLocal<String> Made(Isolate* isolate, MaybeLocal<String> text) {
  if (text.IsEmpty() && !isolate->IsExecutionTerminating()) ThrowStringTooLong(isolate);
  return text;
}

MaybeLocal<String> OneByte(Isolate* isolate, const char* from, size_t length) {
  if (length > static_cast<size_t>(String::kMaxLength)) return Made(isolate, {});
  return Made(isolate, String::NewFromOneByte(isolate, reinterpret_cast<const uint8_t*>(from),
                                              v8::NewStringType::kNormal, static_cast<int>(length)));
}

MaybeLocal<String> TwoByte(Isolate* isolate, const uint16_t* from, size_t length) {
  if (length > static_cast<size_t>(String::kMaxLength)) return Made(isolate, {});
  return Made(isolate, String::NewFromTwoByte(isolate, from, v8::NewStringType::kNormal, static_cast<int>(length)));
}

/** Calls `encode(memory)` for `length` characters and makes a string of them. */
template <typename Encode>
MaybeLocal<String> Encoded(Isolate* isolate, size_t length, Encode encode) {
  if (length > static_cast<size_t>(String::kMaxLength)) return Made(isolate, {});
  Scratch<char> memory(length);
  if (memory.data() == nullptr) {
    ThrowNoMemory(isolate);
    return {};
  }
  encode(memory.data());
  return OneByte(isolate, memory.data(), length);
}

MaybeLocal<String> DecodeUtf8(Isolate* isolate, const char* from, size_t length) {
  // Below this V8's own decoder is as fast.
  constexpr size_t kShort = 32;
  if (!simdutf::validate_ascii_with_errors(from, length).error) return OneByte(isolate, from, length);
  if (length >= kShort && length <= static_cast<size_t>(String::kMaxLength)) {
    Scratch<uint16_t> wide(length);
    if (wide.data() != nullptr) {
      simdutf::result result =
          simdutf::convert_utf8_to_utf16_with_errors(from, length, reinterpret_cast<char16_t*>(wide.data()));
      if (result.error == simdutf::SUCCESS) return TwoByte(isolate, wide.data(), result.count);
    }
  }
  if (length > static_cast<size_t>(INT32_MAX)) return Made(isolate, {});
  return Made(isolate,
              String::NewFromUtf8(isolate, from, v8::NewStringType::kNormal, static_cast<int>(length)));
}

MaybeLocal<String> EncodeBase64(Isolate* isolate, const char* from, size_t length, simdutf::base64_options options) {
  return Encoded(isolate, simdutf::base64_length_from_binary(length, options),
                 [&](char* to) { simdutf::binary_to_base64(from, length, to, options); });
}

MaybeLocal<String> EncodeHex(Isolate* isolate, const char* from, size_t length) {
  return Encoded(isolate, length * 2, [&](char* to) {
    for (size_t index = 0; index < length; index++) {
      uint8_t byte = static_cast<uint8_t>(from[index]);
      to[index * 2] = "0123456789abcdef"[byte >> 4];
      to[index * 2 + 1] = "0123456789abcdef"[byte & 15];
    }
  });
}

MaybeLocal<String> EncodeAscii(Isolate* isolate, const char* from, size_t length) {
  if (!simdutf::validate_ascii_with_errors(from, length).error) return OneByte(isolate, from, length);
  return Encoded(isolate, length, [&](char* to) {
    for (size_t index = 0; index < length; index++) to[index] = static_cast<char>(from[index] & 0x7f);
  });
}

MaybeLocal<String> EncodeUcs2(Isolate* isolate, const char* from, size_t length) {
  if (reinterpret_cast<uintptr_t>(from) % 2 == 0) {
    return TwoByte(isolate, reinterpret_cast<const uint16_t*>(from), length / 2);
  }
  if (length / 2 > static_cast<size_t>(String::kMaxLength)) return Made(isolate, {});
  Scratch<uint16_t> aligned(length / 2);
  if (aligned.data() == nullptr) {
    ThrowNoMemory(isolate);
    return {};
  }
  memcpy(aligned.data(), from, length / 2 * 2);
  return TwoByte(isolate, aligned.data(), length / 2);
}

struct EncodingName {
  const char* name;
  Encoding encoding;
};
constexpr EncodingName kEncodingNames[] = {
    {"utf8", kUtf8},      {"utf-8", kUtf8},    {"ucs2", kUcs2},     {"ucs-2", kUcs2},
    {"utf16le", kUcs2},   {"utf-16le", kUcs2}, {"latin1", kLatin1}, {"binary", kLatin1},
    {"buffer", kBuffer},  {"base64", kBase64}, {"base64url", kBase64Url}, {"ascii", kAscii},
    {"hex", kHex},
};

}  // namespace

Encoding ParseEncoding(Isolate* isolate, Local<Value> value, Encoding fallback) {
  if (value->IsInt32()) {
    int number = value.As<Int32>()->Value();
    return number >= 0 && number < kEncodings ? static_cast<Encoding>(number) : fallback;
  }
  if (!value->IsString() || value.As<String>()->Length() > 16) return fallback;
  Utf8 name(isolate, value);
  for (const EncodingName& entry : kEncodingNames) {
    if (strcasecmp(entry.name, name.data()) == 0) return entry.encoding;
  }
  return fallback;
}

size_t WriteString(Isolate* isolate, char* to, size_t length, Local<String> text, Encoding encoding) {
  if (length > static_cast<size_t>(INT32_MAX)) length = INT32_MAX;
  HandleScope scope(isolate);
  {
    String::ValueView view(isolate, text);
    const char* narrow = view.is_one_byte() ? reinterpret_cast<const char*>(view.data8()) : nullptr;
    switch (encoding) {
      case kAscii:
      case kLatin1:
        return WriteLatin1(to, length, view);
      case kUcs2:
        return WriteUcs2(to, length, view);
      case kHex:
        return narrow ? DecodeHex(to, length, narrow, view.length())
                      : DecodeHex(to, length, view.data16(), view.length());
      case kBase64:
      case kBase64Url: {
        auto options = encoding == kBase64 ? simdutf::base64_default : simdutf::base64_url;
        return narrow ? DecodeBase64<char, char>(to, length, narrow, view.length(), options)
                      : DecodeBase64<uint16_t, char16_t>(to, length, view.data16(), view.length(), options);
      }
      default:
        if (narrow) return simdutf::convert_latin1_to_utf8_safe(narrow, view.length(), to, length);
    }
  }
  return text->WriteUtf8V2(isolate, to, length, String::WriteFlags::kReplaceInvalidUtf8);
}

MaybeLocal<String> MakeString(Isolate* isolate, const char* from, size_t length, Encoding encoding) {
  if (length == 0) return String::Empty(isolate);
  switch (encoding) {
    case kAscii:
      return EncodeAscii(isolate, from, length);
    case kLatin1:
      return OneByte(isolate, from, length);
    case kUcs2:
      return EncodeUcs2(isolate, from, length);
    case kHex:
      return EncodeHex(isolate, from, length);
    case kBase64:
      return EncodeBase64(isolate, from, length, simdutf::base64_default);
    case kBase64Url:
      return EncodeBase64(isolate, from, length, simdutf::base64_url);
    default:
      return DecodeUtf8(isolate, from, length);
  }
}

size_t StringSize(Isolate* isolate, Local<String> text, Encoding encoding) {
  size_t length = static_cast<size_t>(text->Length());
  switch (encoding) {
    case kAscii:
    case kLatin1:
      return length;
    case kUcs2:
      return length * 2;
    case kHex:
      return length / 2;
    case kBase64:
      return simdutf::base64_length_from_binary(length, simdutf::base64_default);
    case kBase64Url:
      return simdutf::base64_length_from_binary(length, simdutf::base64_url);
    default:
      return text->Utf8LengthV2(isolate);
  }
}

}  // namespace guest
