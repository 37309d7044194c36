// The part of simdutf that this module uses. The pinned Node exports it, so nothing of it is compiled here;
// the linker is told to resolve every symbol at load (-z now), so another Node without them fails to load.
// Declarations follow simdutf 7.7 (MIT or Apache-2.0, https://github.com/simdutf/simdutf).
#ifndef GUEST_SIMDUTF_H
#define GUEST_SIMDUTF_H

#include <cstddef>
#include <cstdint>

namespace simdutf {

enum error_code { SUCCESS = 0, INVALID_BASE64_CHARACTER = 7, BASE64_INPUT_REMAINDER = 8, OTHER = 11 };

struct result {
  error_code error;
  size_t count;
};

enum base64_options : uint64_t { base64_default = 0, base64_url = 1 };
enum last_chunk_handling_options : uint64_t { loose = 0 };

bool validate_utf8(const char* from, size_t length) noexcept;
result validate_ascii_with_errors(const char* from, size_t length) noexcept;
result validate_utf8_with_errors(const char* from, size_t length) noexcept;
size_t convert_latin1_to_utf8_safe(const char* from, size_t length, char* to, size_t to_length) noexcept;
size_t utf8_length_from_latin1(const char* from, size_t length) noexcept;
result convert_utf8_to_utf16_with_errors(const char* from, size_t length, char16_t* to) noexcept;
size_t convert_utf16_to_latin1(const char16_t* from, size_t length, char* to) noexcept;
size_t base64_length_from_binary(size_t length, base64_options options) noexcept;
size_t binary_to_base64(const char* from, size_t length, char* to, base64_options options) noexcept;
size_t maximal_binary_length_from_base64(const char* from, size_t length) noexcept;
size_t maximal_binary_length_from_base64(const char16_t* from, size_t length) noexcept;
result base64_to_binary(const char* from, size_t length, char* to, base64_options options,
                        last_chunk_handling_options last) noexcept;
result base64_to_binary(const char16_t* from, size_t length, char* to, base64_options options,
                        last_chunk_handling_options last) noexcept;
result base64_to_binary_safe(const char* from, size_t length, char* to, size_t& to_length, base64_options options,
                             last_chunk_handling_options last, bool decode_up_to_bad_char) noexcept;
result base64_to_binary_safe(const char16_t* from, size_t length, char* to, size_t& to_length,
                             base64_options options, last_chunk_handling_options last,
                             bool decode_up_to_bad_char) noexcept;

}  // namespace simdutf

#endif
