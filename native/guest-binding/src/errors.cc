// What internalBinding('errors') asks of V8.
#include <string>

#include "code.h"

namespace guest {
namespace {

/** The line under a source line: blanks up to `start`, then carets; Node's own length. */
std::string Underline(const std::string& line, int start, int end) {
  constexpr int kLongest = 1020;
  std::string marks;
  if (start > end || start < 0 || static_cast<size_t>(end) > line.size()) return marks;
  for (int at = 0; at < end && at < kLongest && line[at] != '\0'; at++) {
    marks += at >= start ? '^' : line[at] == '\t' ? '\t' : ' ';
  }
  return marks + '\n';
}

}  // namespace

std::string ErrorSource(Isolate* isolate, Local<v8::Message> message) {
  Local<Context> context = isolate->GetCurrentContext();
  Local<String> source_line;
  if (!message->GetSourceLine(context).ToLocal(&source_line)) return "";
  std::string line = Utf8(isolate, source_line).data();
  if (line.find("node-do-not-add-exception-line") != std::string::npos) return "";
  v8::ScriptOrigin origin = message->GetScriptOrigin();
  Local<Value> name = message->GetScriptResourceName();
  std::string file = name->IsUndefined() ? "<anonymous_script>" : Utf8(isolate, name).data();
  int number = message->GetLineNumber(context).FromMaybe(0);
  int script_start = number - origin.LineOffset() == 1 ? origin.ColumnOffset() : 0;
  int start = message->GetStartColumn();
  int end = message->GetEndColumn();
  if (start >= script_start && end >= script_start) {
    start -= script_start;
    end -= script_start;
  }
  return file + ":" + std::to_string(number) + "\n" + line + "\n" + Underline(line, start, end);
}

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

/** What V8 reports because no JavaScript caught it; by default it would print it on the cell's stdout. */
void OnMessage(Local<v8::Message>, Local<Value> error) {
  Isolate* isolate = Isolate::GetCurrent();
  HandleScope scope(isolate);
  if (!isolate->InContext() || isolate->IsExecutionTerminating()) return;
  Local<Value> callback = StateValue(isolate, kUncaughtCallback);
  if (!callback->IsFunction()) return;
  TryCatch ignored(isolate);
  Local<Value> arguments[] = {error};
  USE(callback.As<Function>()->Call(isolate->GetCurrentContext(), Undefined(isolate), 1, arguments));
}

/** setUncaughtCallback(fn): fn(error) is called for errors of microtasks and finalizers that nothing caught */
void SetUncaughtCallback(const Arguments& args) {
  if (!args[0]->IsFunction()) return ThrowType(args.GetIsolate(), "callback must be a function");
  SetStateValue(args.GetIsolate(), kUncaughtCallback, args[0]);
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

/** errorPlace(error): what Node prints above an uncaught error, without the last newline */
void ErrorPlace(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<v8::Message> message = Exception::CreateMessage(isolate, args[0]);
  if (message.IsEmpty()) return;
  Local<String> text;
  std::string source = ErrorSource(isolate, message);
  if (!source.empty()) source.pop_back();
  if (!source.empty() && String::NewFromUtf8(isolate, source.c_str()).ToLocal(&text)) args.GetReturnValue().Set(text);
}

/** callCatching(fn): undefined once fn() has returned, else [error, what Node prints above it: where it was thrown] */
void CallCatching(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  Local<Context> context = isolate->GetCurrentContext();
  if (!args[0]->IsFunction()) return ThrowType(isolate, "argument must be a function");
  TryCatch caught(isolate);
  if (!args[0].As<Function>()->Call(context, Undefined(isolate), 0, nullptr).IsEmpty()) return;
  if (!caught.CanContinue() || caught.HasTerminated()) {
    caught.ReThrow();
    return;
  }
  Local<Value> error = caught.Exception();
  Local<v8::Message> message = caught.Message();
  caught.Reset();
  std::string source = message.IsEmpty() ? "" : ErrorSource(isolate, message);
  Local<String> place;
  if (!String::NewFromUtf8(isolate, source.c_str()).ToLocal(&place)) return;
  Local<Value> both[] = {error, place};
  args.GetReturnValue().Set(Array::New(isolate, both, 2));
}

void NoSideEffectsToString(const Arguments& args) {
  Local<String> text;
  if (args[0]->ToDetailString(args.GetIsolate()->GetCurrentContext()).ToLocal(&text)) {
    args.GetReturnValue().Set(text);
  }
}

}  // namespace

void AppendArrow(Isolate* isolate, Local<Value> error, Local<v8::Message> message) {
  if (message.IsEmpty() || error.IsEmpty() || !error->IsObject() || isolate->IsExecutionTerminating()) return;
  HandleScope scope(isolate);
  TryCatch ignored(isolate);
  Local<Value> arrow;
  if (!GetHidden(isolate, error.As<Object>(), kArrowMessage).ToLocal(&arrow) || arrow->IsString()) return;
  std::string source = ErrorSource(isolate, message);
  Local<String> text;
  if (source.empty() || !String::NewFromUtf8(isolate, source.c_str()).ToLocal(&text)) return;
  USE(SetHidden(isolate, error.As<Object>(), kArrowMessage, text));
}

void DecorateStack(Isolate* isolate, Local<Value> error, Local<v8::Message> message) {
  if (error.IsEmpty() || !error->IsObject() || isolate->IsExecutionTerminating()) return;
  HandleScope scope(isolate);
  Local<Context> context = isolate->GetCurrentContext();
  Local<Object> object = error.As<Object>();
  Local<Value> value;
  TryCatch ignored(isolate);
  if (!GetHidden(isolate, object, kDecorated).ToLocal(&value) || value->IsTrue()) return;
  AppendArrow(isolate, error, message);
  Local<Value> arrow;
  Local<Value> stack;
  if (!object->Get(context, Text(isolate, "stack")).ToLocal(&stack) || !stack->IsString()) return;
  if (!GetHidden(isolate, object, kArrowMessage).ToLocal(&arrow) || !arrow->IsString()) return;
  Local<String> decorated = String::Concat(
      isolate, String::Concat(isolate, arrow.As<String>(), Text(isolate, "\n")), stack.As<String>());
  USE(object->Set(context, Text(isolate, "stack"), decorated));
  USE(SetHidden(isolate, object, kDecorated, v8::True(isolate)));
}

void InstallErrors(Local<Context> context, Local<Object> target) {
  Isolate* isolate = Isolate::GetCurrent();
  isolate->RemoveMessageListeners(OnMessage);
  isolate->AddMessageListener(OnMessage);
  SetMethod(context, target, "setUncaughtCallback", SetUncaughtCallback);
  SetMethod(context, target, "setPrepareStackTraceCallback", SetPrepareStackTraceCallback);
  SetPure(context, target, "getErrorMessage", GetErrorMessage);
  SetPure(context, target, "errorPlace", ErrorPlace);
  SetMethod(context, target, "callCatching", CallCatching);
  SetPure(context, target, "getErrorSourcePositions", GetErrorSourcePositions);
  SetPure(context, target, "noSideEffectsToString", NoSideEffectsToString);
}

}  // namespace guest
