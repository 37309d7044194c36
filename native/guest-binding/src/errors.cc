// What internalBinding('errors') asks of V8.
#include "binding.h"

namespace guest {
namespace {

MaybeLocal<Value> PrepareStackTrace(Local<Context> context, Local<Value> error, Local<Array> trace) {
  Isolate* isolate = Isolate::GetCurrent();
  Local<Object> state = StateOf(context);
  if (!state.IsEmpty()) {
    Local<Data> callback = state->GetInternalField(kPrepareStackTrace);
    if (callback->IsValue() && callback.As<Value>()->IsFunction()) {
      Local<Value> arguments[] = {context->Global(), error, trace};
      return callback.As<Value>().As<Function>()->Call(context, Undefined(isolate), 3, arguments);
    }
  }
  return Text(isolate, "");
}

/** setPrepareStackTraceCallback(fn): fn(globalThis, error, trace) makes every `error.stack` from now on */
void SetPrepareStackTraceCallback(const Arguments& args) {
  if (!args[0]->IsFunction()) return ThrowType(args.GetIsolate(), "callback must be a function");
  SetStateValue(args.GetIsolate(), kPrepareStackTrace, args[0]);
  args.GetIsolate()->SetPrepareStackTraceCallback(PrepareStackTrace);
}

/** getErrorMessage(error): where it was made, for the arrow above an uncaught error's stack */
void GetErrorMessage(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Context> context = isolate->GetCurrentContext();
  Local<v8::Message> message = Exception::CreateMessage(isolate, args[0]);
  if (message.IsEmpty()) return;
  Local<Value> line = Undefined(isolate);
  Local<String> source;
  if (message->GetSourceLine(context).ToLocal(&source)) line = source;
  Local<Object> place = Object::New(isolate);
  SetProperty(context, place, "message", message->Get());
  SetProperty(context, place, "sourceLine", line);
  SetProperty(context, place, "scriptResourceName", message->GetScriptResourceName());
  SetProperty(context, place, "lineNumber", Integer::New(isolate, message->GetLineNumber(context).FromMaybe(0)));
  SetProperty(context, place, "startColumn", Integer::New(isolate, message->GetStartColumn(context).FromMaybe(0)));
  SetProperty(context, place, "endColumn", Integer::New(isolate, message->GetEndColumn(context).FromMaybe(0)));
  args.GetReturnValue().Set(place);
}

void GetErrorSourcePositions(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Context> context = isolate->GetCurrentContext();
  Local<v8::Message> message = Exception::CreateMessage(isolate, args[0]);
  if (message.IsEmpty()) return;
  Local<v8::UnboundScript> script;
  Local<Value> line;
  Local<String> source;
  line = message->GetSourceLine(context).ToLocal(&source) ? source.As<Value>() : Undefined(isolate).As<Value>();
  Local<Name> names[] = {Text(isolate, "sourceLine"), Text(isolate, "scriptResourceName"),
                         Text(isolate, "lineNumber"), Text(isolate, "startColumn")};
  Local<Value> values[] = {line, message->GetScriptResourceName(),
                           Integer::New(isolate, message->GetLineNumber(context).FromMaybe(0)),
                           Integer::New(isolate, message->GetStartColumn(context).FromMaybe(0))};
  args.GetReturnValue().Set(Object::New(isolate, v8::Null(isolate), names, values, 4));
}

void NoSideEffectsToString(const Arguments& args) {
  Local<String> text;
  if (args[0]->ToDetailString(args.GetIsolate()->GetCurrentContext()).ToLocal(&text)) {
    args.GetReturnValue().Set(text);
  }
}

}  // namespace

void InstallErrors(Local<Context> context, Local<Object> target) {
  SetMethod(context, target, "setPrepareStackTraceCallback", SetPrepareStackTraceCallback);
  SetPure(context, target, "getErrorMessage", GetErrorMessage);
  SetPure(context, target, "getErrorSourcePositions", GetErrorSourcePositions);
  SetPure(context, target, "noSideEffectsToString", NoSideEffectsToString);
}

}  // namespace guest
