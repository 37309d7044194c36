// The part of ICU that this module uses, from the pinned Node, which exports it with its version in every name.
// Weak: a Node with another ICU loads the module all the same, and only these functions are missing.
#ifndef GUEST_ICU_H
#define GUEST_ICU_H

#include <cstdint>

#define GUEST_ICU(name) name##_78

extern "C" {
struct UConverter;
using UErrorCode = int;
using UBool = int8_t;
using IcuToUnicodeCallback = void (*)(const void*, void*, const char*, int32_t, int, UErrorCode*);

#define WEAK __attribute__((weak))
UConverter* GUEST_ICU(ucnv_open)(const char* name, UErrorCode* status) WEAK;
void GUEST_ICU(ucnv_close)(UConverter* converter) WEAK;
void GUEST_ICU(ucnv_reset)(UConverter* converter) WEAK;
int8_t GUEST_ICU(ucnv_getMinCharSize)(const UConverter* converter) WEAK;
int8_t GUEST_ICU(ucnv_getMaxCharSize)(const UConverter* converter) WEAK;
int GUEST_ICU(ucnv_getType)(const UConverter* converter) WEAK;
int32_t GUEST_ICU(ucnv_toUCountPending)(const UConverter* converter, UErrorCode* status) WEAK;
void GUEST_ICU(ucnv_setSubstChars)(UConverter* converter, const char* text, int8_t length, UErrorCode* status) WEAK;
void GUEST_ICU(ucnv_setToUCallBack)(UConverter* converter, IcuToUnicodeCallback action, const void* context,
                                    IcuToUnicodeCallback* old_action, const void** old_context,
                                    UErrorCode* status) WEAK;
void GUEST_ICU(UCNV_TO_U_CALLBACK_STOP)(const void* context, void* args, const char* units, int32_t length, int reason,
                                        UErrorCode* status) WEAK;
void GUEST_ICU(ucnv_toUnicode)(UConverter* converter, char16_t** to, const char16_t* to_end, const char** from,
                               const char* from_end, int32_t* offsets, UBool flush, UErrorCode* status) WEAK;
void GUEST_ICU(ucnv_convertEx)(UConverter* to_converter, UConverter* from_converter, char** to, const char* to_end,
                               const char** from, const char* from_end, char16_t* pivot_start, char16_t** pivot_from,
                               char16_t** pivot_to, const char16_t* pivot_end, UBool reset, UBool flush,
                               UErrorCode* status) WEAK;
const char* GUEST_ICU(u_errorName)(UErrorCode status) WEAK;
int32_t GUEST_ICU(u_getIntPropertyValue)(int32_t character, int property) WEAK;
UBool GUEST_ICU(u_hasBinaryProperty)(int32_t character, int property) WEAK;
int8_t GUEST_ICU(u_charType)(int32_t character) WEAK;
int32_t GUEST_ICU(ucal_getDefaultTimeZone)(char16_t* to, int32_t length, UErrorCode* status) WEAK;
void GUEST_ICU(ucal_setDefaultTimeZone)(const char16_t* name, UErrorCode* status) WEAK;
const char* GUEST_ICU(uloc_getDefault)() WEAK;
void GUEST_ICU(uloc_setDefault)(const char* name, UErrorCode* status) WEAK;
#undef WEAK
}

#endif
