// internalBinding('string_decoder'): characters that a chunk's end cuts in two wait for the next chunk.
//
// The state is bytes the guest can reach, so it is read into a struct that is sound, and written back.
#include <algorithm>

#include "binding.h"

namespace guest {
namespace {

/** Node's layout: four bytes of an incomplete character, then these. */
constexpr size_t kHeld = 4;
constexpr size_t kMissingAt = 4;
constexpr size_t kBufferedAt = 5;
constexpr size_t kEncodingAt = 6;
constexpr size_t kStateSize = 7;

struct Decoder {
  char held[kHeld] = {};
  size_t missing = 0;
  size_t buffered = 0;
  Encoding encoding = kUtf8;

  bool Load(Local<Value> value) {
    Bytes bytes(value);
    if (!bytes.is_valid() || bytes.length() < kStateSize) return false;
    const uint8_t* state = reinterpret_cast<const uint8_t*>(bytes.data());
    if (state[kEncodingAt] >= kEncodings || state[kEncodingAt] == kBuffer) return false;
    encoding = static_cast<Encoding>(state[kEncodingAt]);
    memcpy(held, state, kHeld);
    missing = state[kMissingAt];
    buffered = state[kBufferedAt];
    // A character is held only while bytes of it are missing, and only where one can be cut.
    bool is_sound = CanCut() && missing > 0 && buffered > 0 && missing + buffered <= kHeld;
    if (!is_sound) missing = buffered = 0;
    return true;
  }

  void Store(Local<Value> value) const {
    Bytes bytes(value);
    if (bytes.length() < kStateSize) return;
    memcpy(bytes.data(), held, kHeld);
    bytes.data()[kMissingAt] = static_cast<char>(missing);
    bytes.data()[kBufferedAt] = static_cast<char>(buffered);
  }

  bool CanCut() const { return encoding != kAscii && encoding != kLatin1 && encoding != kHex; }

  /** Takes bytes that finish the character held; gives how many. UTF-8 stops before one that cannot go on. */
  size_t Finish(const char* data, size_t length) {
    size_t wanted = std::min(length, missing);
    size_t taken = 0;
    while (taken < wanted && (encoding != kUtf8 || (data[taken] & 0xC0) == 0x80)) taken++;
    memcpy(held + buffered, data, taken);
    buffered += taken;
    missing = taken < wanted ? 0 : missing - taken;
    return taken;
  }

  /** Finds the character that the chunk's end cuts: sets how many bytes of it are there, and how many are not. */
  void Cut(const char* data, size_t length) {
    if (encoding == kUcs2) {
      if (length % 2 == 1) {
        buffered = missing = 1;
      } else if ((data[length - 1] & 0xFC) == 0xD8) {
        buffered = missing = 2;
      }
    } else if (encoding == kBase64 || encoding == kBase64Url) {
      buffered = length % 3;
      missing = buffered > 0 ? 3 - buffered : 0;
    } else if (encoding == kUtf8) {
      CutUtf8(data, length);
    }
  }

  void CutUtf8(const char* data, size_t length) {
    for (size_t count = 1; count <= kHeld && count <= length; count++) {
      uint8_t byte = static_cast<uint8_t>(data[length - count]);
      if ((byte & 0xC0) == 0x80) continue;
      size_t size = (byte & 0xE0) == 0xC0 ? 2 : (byte & 0xF0) == 0xE0 ? 3 : (byte & 0xF8) == 0xF0 ? 4 : 0;
      if (count < size) {
        buffered = count;
        missing = size - count;
      }
      return;
    }
  }
};

MaybeLocal<String> Body(Isolate* isolate, Decoder* decoder, const char* data, size_t length) {
  if (length == 0) return String::Empty(isolate);
  if (decoder->CanCut()) decoder->Cut(data, length);
  size_t whole = length - decoder->buffered;
  memcpy(decoder->held, data + whole, decoder->buffered);
  return MakeString(isolate, data, whole, decoder->encoding);
}

MaybeLocal<String> DecodeChunk(Isolate* isolate, Decoder* decoder, const char* data, size_t length) {
  Local<String> start;
  if (decoder->CanCut() && decoder->missing > 0) {
    size_t taken = decoder->Finish(data, length);
    data += taken;
    length -= taken;
    if (decoder->missing > 0) return String::Empty(isolate);
    if (!MakeString(isolate, decoder->held, decoder->buffered, decoder->encoding).ToLocal(&start)) return {};
    decoder->buffered = 0;
  }
  Local<String> body;
  if (!Body(isolate, decoder, data, length).ToLocal(&body)) return {};
  if (start.IsEmpty()) return body;
  if (start->Length() + static_cast<int64_t>(body->Length()) > String::kMaxLength) {
    ThrowStringTooLong(isolate);
    return {};
  }
  return String::Concat(isolate, start, body);
}

/** stringDecoderDecode(state, chunk) */
void Decode(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Decoder decoder;
  Bytes bytes(args[1]);
  if (!bytes.is_valid() || !decoder.Load(args[0])) return ThrowType(isolate, "takes a decoder's state and bytes");
  std::unique_ptr<char[]> copy;
  const char* data = bytes.data();
  if (bytes.is_shared() && bytes.length() > 0) {
    copy.reset(new char[bytes.length()]);
    memcpy(copy.get(), data, bytes.length());
    data = copy.get();
  }
  Local<String> text;
  bool is_made = DecodeChunk(isolate, &decoder, data, bytes.length()).ToLocal(&text);
  decoder.Store(args[0]);
  if (is_made) args.GetReturnValue().Set(text);
}

/** stringDecoderFlush(state): what is left at the end */
void Flush(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Decoder decoder;
  if (!decoder.Load(args[0])) return ThrowType(isolate, "takes a decoder's state");
  if (decoder.encoding == kUcs2) decoder.buffered &= ~size_t{1};
  Local<String> text = String::Empty(isolate);
  bool is_made = !decoder.CanCut() ||
                 MakeString(isolate, decoder.held, decoder.buffered, decoder.encoding).ToLocal(&text);
  decoder.missing = decoder.buffered = 0;
  decoder.Store(args[0]);
  if (is_made) args.GetReturnValue().Set(text);
}

}  // namespace

void InstallStringDecoder(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "stringDecoderDecode", Decode);
  SetMethod(context, target, "stringDecoderFlush", Flush);
}

}  // namespace guest
