// internalBinding('icu'): TextDecoder's other encodings, buffer.transcode(), and the width of text on a terminal.
#include "icu.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "simdutf.h"
#include "wrapped.h"

namespace guest {
namespace {

/** Node's flags of a converter, lib/internal/encoding.js. */
constexpr uint32_t kFlush = 1;
constexpr uint32_t kFatal = 2;
constexpr uint32_t kIgnoreBom = 4;
constexpr int kIllegalArgument = 1;
constexpr int kInvalidCharacter = 10;

class Converter final : public Wrapped {
 public:
  Converter(Isolate* isolate, Local<Object> object, UConverter* icu, uint32_t flags)
      : Wrapped(isolate, object), icu_(icu), is_ignoring_bom_((flags & kIgnoreBom) != 0) {
    // UTF-8, UTF-16BE and UTF-16LE, in ICU's numbers.
    int type = GUEST_ICU(ucnv_getType)(icu);
    is_unicode_ = type >= 4 && type <= 6;
  }
  ~Converter() override { GUEST_ICU(ucnv_close)(icu_); }

  UConverter* icu() { return icu_; }

  void Reset() {
    is_bom_seen_ = false;
    GUEST_ICU(ucnv_reset)(icu_);
  }

  /** Whether the first character of a stream is a mark to leave out. */
  bool TakesBom(char16_t first) {
    bool is_first = is_unicode_ && !is_ignoring_bom_ && !is_bom_seen_;
    is_bom_seen_ = is_bom_seen_ || is_first;
    return is_first && first == 0xFEFF;
  }

 private:
  UConverter* icu_;
  bool is_ignoring_bom_;
  bool is_unicode_ = false;
  bool is_bom_seen_ = false;
};

bool HasIcu(Isolate* isolate) {
  bool has = GUEST_ICU(ucnv_open) && GUEST_ICU(ucnv_toUnicode) && GUEST_ICU(u_charType);
  if (!has) ThrowCode(isolate, ErrorKind::kError, "ERR_NO_ICU", "This Node has another ICU");
  return has;
}

/** A label of an encoding; ICU reads options after a comma, which no label has. */
UConverter* OpenConverter(Isolate* isolate, Local<Value> label) {
  if (!label->IsString() || label.As<String>()->Length() > 64) return nullptr;
  Utf8 name(isolate, label);
  if (strchr(name.data(), ',') != nullptr) return nullptr;
  UErrorCode status = 0;
  UConverter* converter = GUEST_ICU(ucnv_open)(name.data(), &status);
  return status > 0 ? nullptr : converter;
}

void SetQuestionMark(UConverter* converter) {
  UErrorCode status = 0;
  GUEST_ICU(ucnv_setSubstChars)(converter, "????", GUEST_ICU(ucnv_getMinCharSize)(converter), &status);
}

/** hasConverter(label) */
void HasConverter(const Arguments& args) {
  if (!HasIcu(args.GetIsolate())) return;
  UConverter* converter = OpenConverter(args.GetIsolate(), args[0]);
  if (converter) GUEST_ICU(ucnv_close)(converter);
  args.GetReturnValue().Set(converter != nullptr);
}

/** getConverter(label, flags): an object for decode(), or undefined */
void GetConverter(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!HasIcu(isolate)) return;
  if (!args[1]->IsUint32()) return ThrowType(isolate, "flags must be a number");
  Local<Data> definition = CurrentState(isolate)->GetInternalField(kConverterTemplate);
  Local<Object> object;
  if (definition->IsValue() || !definition.As<FunctionTemplate>()
                                    ->InstanceTemplate()
                                    ->NewInstance(isolate->GetCurrentContext())
                                    .ToLocal(&object)) {
    return;
  }
  Wrapped::Prepare(object);
  UConverter* converter = OpenConverter(isolate, args[0]);
  if (converter == nullptr) return;
  uint32_t flags = args[1].As<Uint32>()->Value();
  UErrorCode status = 0;
  if (flags & kFatal) {
    GUEST_ICU(ucnv_setToUCallBack)
    (converter, GUEST_ICU(UCNV_TO_U_CALLBACK_STOP), nullptr, nullptr, nullptr, &status);
  }
  SetQuestionMark(converter);
  new Converter(isolate, object, converter, flags);
  args.GetReturnValue().Set(object);
}

Converter* ConverterOf(Isolate* isolate, Local<Value> value) {
  Local<Object> state = CurrentState(isolate);
  if (state.IsEmpty() || !value->IsObject()) return nullptr;
  Local<Data> definition = state->GetInternalField(kConverterTemplate);
  if (definition->IsValue() || !definition.As<FunctionTemplate>()->HasInstance(value)) return nullptr;
  void* pointer = value.As<Object>()->GetAlignedPointerFromInternalField(0, v8::kEmbedderDataTypeTagDefault);
  return pointer ? static_cast<Converter*>(static_cast<Wrapped*>(pointer)) : nullptr;
}

void ThrowInvalid(Isolate* isolate, Local<Value> encoding) {
  std::string message = "The encoded data was not valid for encoding " + std::string(Utf8(isolate, encoding).data());
  ThrowCode(isolate, ErrorKind::kTypeError, "ERR_ENCODING_INVALID_ENCODED_DATA", message.c_str());
}

/** decode(converter, bytes, flags, encoding) */
void Decode(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!HasIcu(isolate)) return;
  Converter* converter = ConverterOf(isolate, args[0]);
  Bytes bytes(args[1]);
  if (!converter || !bytes.is_valid() || !args[2]->IsUint32()) return ThrowType(isolate, "takes a converter and bytes");
  bool is_last = (args[2].As<Uint32>()->Value() & kFlush) != 0;
  UErrorCode status = 0;
  size_t pending = static_cast<size_t>(std::max(0, GUEST_ICU(ucnv_toUCountPending)(converter->icu(), &status)));
  // Two units of UTF-16 for each byte, and for each that was kept, are more than any encoding makes.
  size_t limit = 2 * (bytes.length() + pending) + 16;
  Scratch<char16_t> memory(limit);
  if (memory.data() == nullptr) return ThrowNoMemory(isolate);
  char16_t* end = memory.data();
  const char* from = bytes.data();
  status = 0;
  GUEST_ICU(ucnv_toUnicode)
  (converter->icu(), &end, end + limit, &from, from + bytes.length(), nullptr, is_last, &status);
  size_t length = static_cast<size_t>(end - memory.data());
  bool has_bom = status <= 0 && length > 0 && converter->TakesBom(memory.data()[0]);
  if (is_last) converter->Reset();
  if (status > 0) return ThrowInvalid(isolate, args[3]);
  const char* start = reinterpret_cast<const char*>(memory.data() + (has_bom ? 1 : 0));
  Local<String> text;
  if (MakeString(isolate, start, (length - (has_bom ? 1 : 0)) * 2, kUcs2).ToLocal(&text)) {
    args.GetReturnValue().Set(text);
  }
}

const char* IcuName(Encoding encoding) {
  switch (encoding) {
    case kAscii:
      return "us-ascii";
    case kLatin1:
      return "iso8859-1";
    case kUcs2:
      return "utf16le";
    case kUtf8:
      return "utf-8";
    default:
      return nullptr;
  }
}

/** Converts all bytes; gives ICU's status, positive for a failure. */
UErrorCode Convert(std::string_view from, const char* from_name, const char* to_name, std::string* into) {
  UErrorCode status = 0;
  UConverter* to = GUEST_ICU(ucnv_open)(to_name, &status);
  UConverter* source = status > 0 ? nullptr : GUEST_ICU(ucnv_open)(from_name, &status);
  if (status <= 0) {
    SetQuestionMark(to);
    into->resize(from.size() * static_cast<size_t>(GUEST_ICU(ucnv_getMaxCharSize)(to)) + 8);
    char* end = into->data();
    const char* next = from.data();
    GUEST_ICU(ucnv_convertEx)
    (to, source, &end, end + into->size(), &next, next + from.size(), nullptr, nullptr, nullptr, nullptr, true, true,
     &status);
    into->resize(static_cast<size_t>(end - into->data()));
  }
  if (source) GUEST_ICU(ucnv_close)(source);
  if (to) GUEST_ICU(ucnv_close)(to);
  return status;
}

/** transcode(bytes, fromEncoding, toEncoding): a Buffer, or ICU's number of the error */
void Transcode(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!HasIcu(isolate)) return;
  Bytes bytes(args[0]);
  if (!bytes.is_valid()) return ThrowType(isolate, "argument must be a buffer");
  Encoding from = ParseEncoding(isolate, args[1], kBuffer);
  Encoding to = ParseEncoding(isolate, args[2], kBuffer);
  if (!IcuName(from) || !IcuName(to) || bytes.length() > (size_t{1} << 28)) {
    return args.GetReturnValue().Set(kIllegalArgument);
  }
  if (from == kUtf8 && to == kUcs2 && bytes.length() > 0 && !simdutf::validate_utf8(bytes.data(), bytes.length())) {
    return args.GetReturnValue().Set(kInvalidCharacter);
  }
  // Here Node reads ASCII as Latin-1.
  const char* from_name = from == kAscii && to == kUcs2 ? IcuName(kLatin1) : IcuName(from);
  // Half of a unit at the end is left out where Node has a conversion of its own.
  size_t length = from == kUcs2 && to != kUcs2 ? bytes.length() & ~size_t{1} : bytes.length();
  std::string made;
  UErrorCode status = Convert({bytes.data(), length}, from_name, IcuName(to), &made);
  if (status > 0) return args.GetReturnValue().Set(status);
  Local<Uint8Array> buffer;
  if (!NewBytes(isolate, made.size()).ToLocal(&buffer)) return;
  if (!made.empty()) memcpy(Bytes(buffer).data(), made.data(), made.size());
  Local<Value> prototype = StateValue(isolate, kBufferPrototype);
  if (prototype->IsObject()) USE(buffer->SetPrototypeV2(isolate->GetCurrentContext(), prototype));
  args.GetReturnValue().Set(buffer);
}

void IcuErrName(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!HasIcu(isolate)) return;
  if (!args[0]->IsInt32()) return ThrowType(isolate, "takes a number");
  args.GetReturnValue().Set(Text(isolate, GUEST_ICU(u_errorName)(args[0].As<Int32>()->Value())));
}

constexpr int kEmojiPresentation = 58;
constexpr int kEmojiModifier = 59;

bool IsEmoji(int32_t character, int property) {
  return GUEST_ICU(u_hasBinaryProperty)(character, property) != 0;
}

/** Columns of one character: Node's rules, from Unicode's East Asian width and general category. */
int ColumnWidth(int32_t character, bool is_ambiguous_wide) {
  constexpr int kEastAsianWidth = 0x1004;
  enum { kNeutral, kAmbiguous, kHalfwidth, kFullwidth, kNarrow, kWide };
  int width = GUEST_ICU(u_getIntPropertyValue)(character, kEastAsianWidth);
  if (width == kFullwidth || width == kWide || (width == kAmbiguous && is_ambiguous_wide)) return 2;
  if ((width == kAmbiguous || width == kNeutral) && IsEmoji(character, kEmojiPresentation)) return 2;
  // Nonspacing and enclosing marks, controls and formats take no room; the soft hyphen does.
  int type = GUEST_ICU(u_charType)(character);
  bool is_nothing = type == 6 || type == 7 || type == 15 || type == 16 || IsEmoji(character, kEmojiModifier);
  return is_nothing && character != 0xAD ? 0 : 1;
}

/** getStringWidth(text, ambiguousAsFullWidth = false, expandEmojiSequence = true) */
void GetStringWidth(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!HasIcu(isolate)) return;
  if (!args[0]->IsString()) return ThrowType(isolate, "argument must be a string");
  bool is_expanded = !args[2]->IsBoolean() || args[2]->IsTrue();
  String::ValueView text(isolate, args[0].As<String>());
  uint32_t width = 0;
  int32_t last = 0;
  for (uint32_t at = 0; at < text.length(); at++) {
    int32_t character = text.is_one_byte() ? text.data8()[at] : text.data16()[at];
    if ((character & 0xFC00) == 0xD800 && at + 1 < text.length() && (text.data16()[at + 1] & 0xFC00) == 0xDC00) {
      character = 0x10000 + ((character & 0x3FF) << 10) + (text.data16()[++at] & 0x3FF);
    }
    bool is_joined = !is_expanded && last == 0x200D &&
                     (IsEmoji(character, kEmojiPresentation) || IsEmoji(character, kEmojiModifier));
    if (!is_joined) width += static_cast<uint32_t>(ColumnWidth(character, args[1]->IsTrue()));
    last = character;
  }
  args.GetReturnValue().Set(width);
}

}  // namespace

void InstallIcu(Local<Context> context, Local<Object> target) {
  Isolate* isolate = Isolate::GetCurrent();
  Local<FunctionTemplate> converter = FunctionTemplate::New(isolate);
  converter->InstanceTemplate()->SetInternalFieldCount(1);
  converter->SetClassName(Text(isolate, "Converter"));
  SetStateValue(isolate, kConverterTemplate, converter);
  SetPure(context, target, "hasConverter", HasConverter);
  SetMethod(context, target, "getConverter", GetConverter);
  SetMethod(context, target, "decode", Decode);
  SetMethod(context, target, "transcode", Transcode);
  SetPure(context, target, "icuErrName", IcuErrName);
  SetPure(context, target, "getStringWidth", GetStringWidth);
}

}  // namespace guest
