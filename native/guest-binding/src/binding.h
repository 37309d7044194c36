// What every part of the guest's native module shares: the state of one isolate, errors, bytes, strings.
//
// The module keeps no C++ pointer to anything of an isolate outside that isolate: its state is an object on
// the isolate's own heap, found through a context's embedder data.
#ifndef GUEST_BINDING_H
#define GUEST_BINDING_H

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace guest {

using v8::Array;
using v8::ArrayBuffer;
using v8::ArrayBufferView;
using v8::BackingStore;
using v8::Boolean;
using v8::Context;
using v8::Data;
using v8::Exception;
using v8::Function;
using v8::FunctionCallback;
using v8::FunctionCallbackInfo;
using v8::FunctionTemplate;
using v8::HandleScope;
using v8::Int32;
using v8::Integer;
using v8::Isolate;
using v8::Just;
using v8::Local;
using v8::LocalVector;
using v8::Maybe;
using v8::MaybeLocal;
using v8::Name;
using v8::Nothing;
using v8::Number;
using v8::Object;
using v8::ObjectTemplate;
using v8::Private;
using v8::Promise;
using v8::SharedArrayBuffer;
using v8::String;
using v8::Symbol;
using v8::TryCatch;
using v8::Uint32;
using v8::Uint8Array;
using v8::Undefined;
using v8::Value;

/** Says that a result is not needed. */
template <typename T>
void USE(T&&) {}

using Arguments = FunctionCallbackInfo<Value>;

/** What an isolate keeps: internal fields of its state object. */
enum StateSlot : int {
  kPromiseRejectCallback,
  kBufferPrototype,
  kDataCloneError,
  kCloneWrite,
  kCloneRead,
  kPrepareStackTrace,
  kImportModuleDynamically,
  kInitializeImportMeta,
  kImportMetaResolve,
  kModuleWrapTemplate,
  kModuleTable,
  kWeakRef,
  kWeakRefDeref,
  kFacadeOriginal,
  kContextHolderTemplate,
  kContextGlobalTemplate,
  kContextCleanup,
  kEmitWarning,
  kConverterTemplate,
  kHeapIsLimited,
  kUncaughtCallback,
  kInterruptCheck,
  kEncodeIntoResults,
  kIsolateMemory,
  kIsolateMemoryAnchor,
  kSymbolsBegin,
  kSymbolDefaultImport = kSymbolsBegin,
  kSymbolSourceTextModule,
  kSymbolNoContextify,
  kSymbolMainContextDefault,
  kSymbolMissingFlag,
  kSymbolNoCallback,
  kSymbolsEnd,
  kKeyContextifyContext = kSymbolsEnd,
  kKeyHostDefinedOption,
  kKeyTransferMode,
  kKeyUntransferable,
  kKeyArrowMessage,
  kKeyDecorated,
  kKeySourceMapData,
  kKeyImportedCjs,
  kKeysEnd,
  kStateSlots = kKeysEnd,
};

/** Where a context of ours keeps the state object. */
constexpr int kStateIndex = 40;
/** Where a context made by makeContext keeps the object it was made from, or undefined. */
constexpr int kSandboxIndex = 41;
/** … its ContextHolder, which owns its queue of microtasks. */
constexpr int kHolderIndex = 42;
/** … whether it may compile strings, and WebAssembly. */
constexpr int kStringsIndex = 43;
constexpr int kWasmIndex = 44;

/** The state object of a context, empty for a context that is not ours. */
Local<Object> StateOf(Local<Context> context);
Local<Object> CurrentState(Isolate* isolate);
Local<Value> StateValue(Isolate* isolate, StateSlot slot);
void SetStateValue(Isolate* isolate, StateSlot slot, Local<Data> value);

/** A property that guests do not see: a private symbol of V8's, or the symbol that setSymbols put in its place. */
struct HiddenKey {
  const char* name;
  const char* description;
  StateSlot slot;
};
extern const HiddenKey kContextifyContext;
extern const HiddenKey kHostDefinedOption;
extern const HiddenKey kTransferMode;
extern const HiddenKey kUntransferable;
extern const HiddenKey kArrowMessage;
extern const HiddenKey kDecorated;
extern const HiddenKey kSourceMapData;
/** Not private in Node, but named by it alone. */
extern const HiddenKey kImportedCjs;

Local<Private> PrivateSymbol(Isolate* isolate, const char* description);
Maybe<bool> HasHidden(Isolate* isolate, Local<Object> object, const HiddenKey& key);
MaybeLocal<Value> GetHidden(Isolate* isolate, Local<Object> object, const HiddenKey& key);
Maybe<bool> SetHidden(Isolate* isolate, Local<Object> object, const HiddenKey& key, Local<Value> value);

inline Local<String> Text(Isolate* isolate, const char* text) {
  return String::NewFromUtf8(isolate, text, v8::NewStringType::kInternalized).ToLocalChecked();
}

void SetMethod(Local<Context> context, Local<Object> target, const char* name, FunctionCallback callback);
void SetPure(Local<Context> context, Local<Object> target, const char* name, FunctionCallback callback);
void SetProperty(Local<Context> context, Local<Object> target, const char* name, Local<Value> value);
void SetPrototypeMethod(Isolate* isolate, Local<FunctionTemplate> target, const char* name, FunctionCallback callback);
void SetClass(Local<Context> context, Local<Object> target, const char* name, Local<FunctionTemplate> definition);

enum class ErrorKind { kError, kTypeError, kRangeError };

/** Throws as Node's C++ does: an error with a `code`. */
void ThrowCode(Isolate* isolate, ErrorKind kind, const char* code, const char* message);
void ThrowType(Isolate* isolate, const char* message);
void ThrowStringTooLong(Isolate* isolate);
void ThrowNoMemory(Isolate* isolate);

/** The bytes of a view, ArrayBuffer or SharedArrayBuffer; they stay in place until JavaScript runs. */
class Bytes {
 public:
  explicit Bytes(Local<Value> value);
  bool is_valid() const { return is_valid_; }
  bool is_shared() const { return is_shared_; }
  char* data() { return data_; }
  size_t length() const { return length_; }

 private:
  bool is_valid_ = false;
  bool is_shared_ = false;
  char* data_ = nullptr;
  size_t length_ = 0;
};

/** Memory for a conversion: on the stack when small; `data()` is null when there is none. */
template <typename T, size_t kStack = 1024>
class Scratch {
 public:
  explicit Scratch(size_t length) {
    if (length > kStack) heap_.reset(static_cast<T*>(std::malloc(length * sizeof(T))));
    data_ = length > kStack ? heap_.get() : stack_;
  }
  T* data() { return data_; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  T stack_[kStack];
  std::unique_ptr<T, Free> heap_;
  T* data_;
};

/** Node's numbers for encodings. */
enum Encoding : int { kAscii, kUtf8, kBase64, kUcs2, kLatin1, kHex, kBuffer, kBase64Url, kEncodings };

Encoding ParseEncoding(Isolate* isolate, Local<Value> value, Encoding fallback);

/** Writes a string as bytes, at most `length` of them, never part of a character. */
size_t WriteString(Isolate* isolate, char* to, size_t length, Local<String> text, Encoding encoding);
/** Makes a string of bytes that do not change meanwhile; throws when it would be too long. */
MaybeLocal<String> MakeString(Isolate* isolate, const char* from, size_t length, Encoding encoding);
/** The bytes `text` has in an encoding, at most; exact for all but base64. */
size_t StringSize(Isolate* isolate, Local<String> text, Encoding encoding);

/** Reads an index: undefined gives `fallback`; negative throws ERR_OUT_OF_RANGE. False when it threw. */
bool ReadIndex(Isolate* isolate, Local<Value> value, size_t fallback, size_t* into);

/**
 * Called after work on so many bytes. V8 looks for a request to end an isolate where functions of JavaScript begin and
 * now and then in loops, not after calls like these: a loop of long ones would go on for thousands of rounds. So this
 * enters a function of JavaScript once in a while; false when the isolate is to end.
 */
bool Continue(Isolate* isolate, size_t bytes);

/** A Uint8Array of `length` uninitialised bytes from the isolate's allocator; throws when there are none. */
MaybeLocal<Uint8Array> NewBytes(Isolate* isolate, size_t length);

/** Reads text as UTF-8; its length is bounded by V8's longest string. */
class Utf8 {
 public:
  Utf8(Isolate* isolate, Local<Value> value) : value_(isolate, value) {}
  const char* data() const { return *value_ ? *value_ : ""; }
  size_t length() const { return *value_ ? static_cast<size_t>(value_.length()) : 0; }

 private:
  String::Utf8Value value_;
};

void InstallLoop(Local<Context> context, Local<Object> target);
void InstallInspect(Local<Context> context, Local<Object> target);
void InstallTypes(Local<Context> context, Local<Object> target);
void InstallSlices(Local<Context> context, Local<Object> buffer);
void InstallBytes(Local<Context> context, Local<Object> buffer);
void InstallSearch(Local<Context> context, Local<Object> buffer);
void InstallBase64(Local<Context> context, Local<Object> buffer);
void InstallEncoding(Local<Context> context, Local<Object> target);
void InstallClone(Local<Context> context, Local<Object> target);
void InstallSerializer(Local<Context> context, Local<Object> target);
void InstallDeserializer(Local<Context> context, Local<Object> target);
void InstallStringDecoder(Local<Context> context, Local<Object> target);
void InstallIcu(Local<Context> context, Local<Object> target);
void InstallErrors(Local<Context> context, Local<Object> target);
void InstallContexts(Local<Context> context, Local<Object> target);
void InstallScripts(Local<Context> context, Local<Object> target);
void InstallFunctions(Local<Context> context, Local<Object> target);
void InstallModules(Local<Context> context, Local<Object> target);
void InstallModuleCallbacks(Local<Context> context, Local<Object> target);
void InstallMachine(Local<Context> context, Local<Object> target);
void InstallRegion(Local<Context> context, Local<Object> target);

}  // namespace guest

#endif
