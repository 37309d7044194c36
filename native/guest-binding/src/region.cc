// The time zone and language of one isolate. V8 asks ICU for both once and keeps the answers with the isolate; ICU has
// one default of each for the whole process. So ICU is told another for as long as V8 asks, and then the old one again.
#include <mutex>
#include <string>

#include "binding.h"
#include "icu.h"

namespace guest {
namespace {

/** ICU's defaults belong to all isolates of the process. */
std::mutex defaults;

/** The longest name of a zone or language that is looked at; ICU's own longest has 32 characters. */
constexpr int kNameLength = 128;

/** A short string of Latin-1 as UTF-16, or false. */
bool ReadName(Isolate* isolate, Local<Value> value, std::u16string* into) {
  if (!value->IsString()) return false;
  Local<String> text = value.As<String>();
  if (text->Length() >= kNameLength) return false;
  into->resize(static_cast<size_t>(text->Length()));
  text->WriteV2(isolate, 0, static_cast<uint32_t>(text->Length()), reinterpret_cast<uint16_t*>(into->data()));
  return true;
}

/** setTimeZone(name): local time is the zone's from now on; an unknown one's is UTC's. Runs no JavaScript. */
void SetTimeZone(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  std::u16string name;
  if (!ReadName(isolate, args[0], &name)) return ThrowType(isolate, "a time zone must be a short string");
  if (GUEST_ICU(ucal_setDefaultTimeZone) == nullptr || GUEST_ICU(ucal_getDefaultTimeZone) == nullptr) return;
  Local<String> moment = Text(isolate, "2000-01-01T00:00:00");
  std::lock_guard<std::mutex> lock(defaults);
  UErrorCode status = 0;
  char16_t old[kNameLength] = {};
  if (GUEST_ICU(ucal_getDefaultTimeZone)(old, kNameLength - 1, &status) >= kNameLength - 1 || status > 0) return;
  GUEST_ICU(ucal_setDefaultTimeZone)(name.c_str(), &status);
  isolate->DateTimeConfigurationChangeNotification(Isolate::TimeZoneDetection::kSkip);
  // Local time, so that V8 asks for the zone.
  USE(v8::Date::Parse(isolate->GetCurrentContext(), moment));
  status = 0;
  GUEST_ICU(ucal_setDefaultTimeZone)(old, &status);
}

/** setLanguage(name): ICU's name of what `Intl` speaks unless told otherwise. Runs no JavaScript. */
void SetLanguage(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsString() || args[0].As<String>()->Length() >= kNameLength) {
    return ThrowType(isolate, "a language must be a short string");
  }
  if (GUEST_ICU(uloc_setDefault) == nullptr || GUEST_ICU(uloc_getDefault) == nullptr) return;
  Utf8 name(isolate, args[0]);
  std::lock_guard<std::mutex> lock(defaults);
  const std::string old(GUEST_ICU(uloc_getDefault)());
  UErrorCode status = 0;
  GUEST_ICU(uloc_setDefault)(name.data(), &status);
  isolate->LocaleConfigurationChangeNotification();
  isolate->GetDefaultLocale();
  status = 0;
  GUEST_ICU(uloc_setDefault)(old.c_str(), &status);
}

}  // namespace

void InstallRegion(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "setTimeZone", SetTimeZone);
  SetMethod(context, target, "setLanguage", SetLanguage);
}

}  // namespace guest
