// What internalBinding('util') tells about objects.
#include <string>

#include "binding.h"

namespace guest {
namespace {

/** Node's own limit for util.getCallSites(). */
constexpr uint32_t kMaxCallSites = 200;

void GetPromiseDetails(const Arguments& args) {
  if (!args[0]->IsPromise()) return;
  Isolate* isolate = args.GetIsolate();
  Local<Promise> promise = args[0].As<Promise>();
  int state = promise->State();
  Local<Value> details[2] = {Integer::New(isolate, state)};
  if (state != Promise::kPending) details[1] = promise->Result();
  args.GetReturnValue().Set(Array::New(isolate, details, state == Promise::kPending ? 1 : 2));
}

void GetProxyDetails(const Arguments& args) {
  if (!args[0]->IsProxy()) return;
  Local<v8::Proxy> proxy = args[0].As<v8::Proxy>();
  if (args.Length() > 1 && !args[1]->IsTrue()) return args.GetReturnValue().Set(proxy->GetTarget());
  Local<Value> details[] = {proxy->GetTarget(), proxy->GetHandler()};
  args.GetReturnValue().Set(Array::New(args.GetIsolate(), details, 2));
}

void PreviewEntries(const Arguments& args) {
  if (!args[0]->IsObject()) return;
  Isolate* isolate = args.GetIsolate();
  bool is_key_value;
  Local<Array> entries;
  if (!args[0].As<Object>()->PreviewEntries(&is_key_value).ToLocal(&entries)) return;
  if (args.Length() == 1) return args.GetReturnValue().Set(entries);
  Local<Value> both[] = {entries, Boolean::New(isolate, is_key_value)};
  args.GetReturnValue().Set(Array::New(isolate, both, 2));
}

void GetOwnNonIndexProperties(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsObject() || !args[1]->IsUint32()) return ThrowType(isolate, "takes an object and a filter");
  auto filter = static_cast<v8::PropertyFilter>(args[1].As<Uint32>()->Value() & 31);
  Local<Array> names;
  if (args[0]
          .As<Object>()
          ->GetPropertyNames(isolate->GetCurrentContext(), v8::KeyCollectionMode::kOwnOnly, filter,
                             v8::IndexFilter::kSkipIndices)
          .ToLocal(&names)) {
    args.GetReturnValue().Set(names);
  }
}

void GetConstructorName(const Arguments& args) {
  if (!args[0]->IsObject()) return ThrowType(args.GetIsolate(), "takes an object");
  args.GetReturnValue().Set(args[0].As<Object>()->GetConstructorName());
}

/** A pointer of the host is nothing a guest should learn: every external reads as zero. */
void GetExternalValue(const Arguments& args) {
  if (!args[0]->IsExternal()) return ThrowType(args.GetIsolate(), "takes an external");
  args.GetReturnValue().Set(v8::BigInt::NewFromUnsigned(args.GetIsolate(), 0));
}

/** Frames of our own between the one who asks and this module, which the last argument counts. */
int ReadSkip(Local<Value> value) {
  return value->IsUint32() && value.As<Uint32>()->Value() < 16 ? static_cast<int>(value.As<Uint32>()->Value()) : 0;
}

/** getCallerLocation(skip = 0) */
void GetCallerLocation(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  int caller = 1 + ReadSkip(args[0]);
  Local<v8::StackTrace> trace = v8::StackTrace::CurrentStackTrace(isolate, caller + 1);
  if (trace->GetFrameCount() != caller + 1) return;
  Local<v8::StackFrame> frame = trace->GetFrame(isolate, caller);
  Local<Value> file = frame->GetScriptNameOrSourceURL();
  if (file.IsEmpty()) return;
  Local<Value> place[] = {Integer::New(isolate, frame->GetLineNumber()), Integer::New(isolate, frame->GetColumn()),
                          file};
  args.GetReturnValue().Set(Array::New(isolate, place, 3));
}

MaybeLocal<Object> DescribeFrame(Isolate* isolate, Local<v8::StackFrame> frame) {
  Local<String> function = frame->GetFunctionName();
  Local<String> script = frame->GetScriptName();
  Local<Value> column = Integer::NewFromUnsigned(isolate, frame->GetColumn());
  Local<Name> names[] = {Text(isolate, "functionName"), Text(isolate, "scriptId"),     Text(isolate, "scriptName"),
                         Text(isolate, "lineNumber"),   Text(isolate, "columnNumber"), Text(isolate, "column")};
  Local<Value> values[] = {function.IsEmpty() ? String::Empty(isolate) : function,
                           Text(isolate, std::to_string(frame->GetScriptId()).c_str()),
                           script.IsEmpty() ? String::Empty(isolate) : script,
                           Integer::NewFromUnsigned(isolate, frame->GetLineNumber()),
                           column,
                           column};
  return Object::New(isolate, v8::Null(isolate), names, values, 6);
}

/** getCallSites(frames, skip = 0) */
void GetCallSites(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsUint32()) return ThrowType(isolate, "takes a number of frames");
  uint32_t frames = args[0].As<Uint32>()->Value();
  if (frames < 1 || frames > kMaxCallSites) return ThrowType(isolate, "takes 1 to 200 frames");
  // Frame 0 is node:util, which asks.
  int first = 1 + ReadSkip(args[1]);
  Local<v8::StackTrace> stack = v8::StackTrace::CurrentStackTrace(isolate, static_cast<int>(frames) + first);
  LocalVector<Value> sites(isolate);
  for (int index = first; index < stack->GetFrameCount(); index++) {
    Local<Object> site;
    if (!DescribeFrame(isolate, stack->GetFrame(isolate, index)).ToLocal(&site)) return;
    sites.push_back(site);
  }
  args.GetReturnValue().Set(Array::New(isolate, sites.data(), sites.size()));
}

/** isInsideNodeModules(frames = 10): whether the first frame that is not Node's lies in a node_modules folder. */
void IsInsideNodeModules(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  int limit = args[0]->IsInt32() ? args[0].As<Int32>()->Value() : 10;
  if (limit < 1 || limit > static_cast<int>(kMaxCallSites)) limit = kMaxCallSites;
  Local<v8::StackTrace> stack = v8::StackTrace::CurrentStackTrace(isolate, limit);
  for (int index = 0; index < stack->GetFrameCount(); index++) {
    Local<String> script = stack->GetFrame(isolate, index)->GetScriptName();
    if (script.IsEmpty() || script->Length() == 0) continue;
    Utf8 name(isolate, script);
    if (strncmp(name.data(), "node:", 5) == 0) continue;
    return args.GetReturnValue().Set(strstr(name.data(), "/node_modules/") != nullptr);
  }
  args.GetReturnValue().Set(false);
}

void IsConstructor(const Arguments& args) {
  args.GetReturnValue().Set(args[0]->IsObject() && args[0].As<Object>()->IsConstructor());
}

void IsArrayBufferDetached(const Arguments& args) {
  args.GetReturnValue().Set(args[0]->IsArrayBuffer() && args[0].As<ArrayBuffer>()->WasDetached());
}

void ArrayBufferViewHasBuffer(const Arguments& args) {
  if (!args[0]->IsArrayBufferView()) return ThrowType(args.GetIsolate(), "takes a view");
  args.GetReturnValue().Set(args[0].As<ArrayBufferView>()->HasBuffer());
}

void MarkPromiseAsHandled(const Arguments& args) {
  if (!args[0]->IsPromise()) return ThrowType(args.GetIsolate(), "takes a promise");
  args[0].As<Promise>()->MarkAsHandled();
  args[0].As<Promise>()->MarkAsSilent();
}

}  // namespace

void InstallInspect(Local<Context> context, Local<Object> target) {
  SetPure(context, target, "getPromiseDetails", GetPromiseDetails);
  SetPure(context, target, "getProxyDetails", GetProxyDetails);
  SetPure(context, target, "previewEntries", PreviewEntries);
  SetPure(context, target, "getOwnNonIndexProperties", GetOwnNonIndexProperties);
  SetPure(context, target, "getConstructorName", GetConstructorName);
  SetPure(context, target, "getExternalValue", GetExternalValue);
  SetPure(context, target, "getCallerLocation", GetCallerLocation);
  SetPure(context, target, "getCallSites", GetCallSites);
  SetPure(context, target, "isInsideNodeModules", IsInsideNodeModules);
  SetPure(context, target, "isConstructor", IsConstructor);
  SetPure(context, target, "isArrayBufferDetached", IsArrayBufferDetached);
  SetPure(context, target, "arrayBufferViewHasBuffer", ArrayBufferViewHasBuffer);
  SetMethod(context, target, "markPromiseAsHandled", MarkPromiseAsHandled);
}

}  // namespace guest
