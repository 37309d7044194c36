// The module's entry: isolated-vm calls InitForContext once for each context it is created in.
#include "binding.h"
#include "ledger.h"
#include "memory.h"

#ifndef SOURCE_HASH
#define SOURCE_HASH "none"
#endif

namespace guest {
namespace {

/** Node's private symbols: src/env_properties.h of the pinned Node. */
struct NamedSymbol {
  const char* name;
  const char* description;
};
constexpr NamedSymbol kPrivateSymbols[] = {
    {"arrow_message_private_symbol", "node:arrowMessage"},
    {"contextify_context_private_symbol", "node:contextify:context"},
    {"decorated_private_symbol", "node:decorated"},
    {"empty_context_frame_sentinel_symbol", "node:empty_context_frame_sentinel"},
    {"ffi_pointer_address_private_symbol", "node:ffi:pointer_address"},
    {"transfer_mode_private_symbol", "node:transfer_mode"},
    {"host_defined_option_symbol", "node:host_defined_option_symbol"},
    {"js_transferable_wrapper_private_symbol", "node:js_transferable_wrapper"},
    {"entry_point_module_private_symbol", "node:entry_point_module"},
    {"entry_point_promise_private_symbol", "node:entry_point_promise"},
    {"module_source_private_symbol", "node:module_source"},
    {"module_export_names_private_symbol", "node:module_export_names"},
    {"module_circular_visited_private_symbol", "node:module_circular_visited"},
    {"module_export_private_symbol", "node:module_export"},
    {"module_first_parent_private_symbol", "node:module_first_parent"},
    {"module_last_parent_private_symbol", "node:module_last_parent"},
    {"napi_type_tag", "node:napi:type_tag"},
    {"napi_wrapper", "node:napi:wrapper"},
    {"untransferable_object_private_symbol", "node:untransferableObject"},
    {"exit_info_private_symbol", "node:exit_info_private_symbol"},
    {"promise_trace_id", "node:promise_trace_id"},
    {"source_map_data_private_symbol", "node:source_map_data_private_symbol"},
};

struct StateSymbol {
  const char* name;
  StateSlot slot;
};
constexpr StateSymbol kStateSymbols[] = {
    {"vm_dynamic_import_default_internal", kSymbolDefaultImport},
    {"source_text_module_default_hdo", kSymbolSourceTextModule},
    {"vm_context_no_contextify", kSymbolNoContextify},
    {"vm_dynamic_import_main_context_default", kSymbolMainContextDefault},
    {"vm_dynamic_import_missing_flag", kSymbolMissingFlag},
    {"vm_dynamic_import_no_callback", kSymbolNoCallback},
};

void SetSymbols(const Arguments& args) {
  Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsObject()) return ThrowType(isolate, "symbols must be an object");
  for (const StateSymbol& entry : kStateSymbols) {
    Local<Value> symbol;
    if (!args[0].As<Object>()->Get(isolate->GetCurrentContext(), Text(isolate, entry.name)).ToLocal(&symbol)) return;
    if (!symbol->IsSymbol()) return ThrowType(isolate, "every symbol must be a symbol");
    SetStateValue(isolate, entry.slot, symbol);
  }
  for (const HiddenKey* key : {&kContextifyContext, &kHostDefinedOption, &kTransferMode, &kUntransferable,
                               &kArrowMessage, &kDecorated, &kSourceMapData, &kImportedCjs}) {
    Local<Value> symbol;
    if (!args[0].As<Object>()->Get(isolate->GetCurrentContext(), Text(isolate, key->name)).ToLocal(&symbol)) return;
    Local<Data> data = symbol;
    if (data->IsPrivate() || symbol->IsSymbol()) SetStateValue(isolate, key->slot, data);
  }
}

void InstallState(Local<Context> context) {
  Isolate* isolate = Isolate::GetCurrent();
  Local<ObjectTemplate> shape = ObjectTemplate::New(isolate);
  shape->SetInternalFieldCount(kStateSlots);
  Local<Object> state;
  if (!shape->NewInstance(context).ToLocal(&state)) return;
  for (int slot = 0; slot < kStateSlots; slot++) state->SetInternalField(slot, Undefined(isolate));
  context->SetEmbedderDataV2(kStateIndex, state);
  Local<v8::Script> script;
  Local<Value> check;
  if (v8::Script::Compile(context, Text(isolate, "(function () {})")).ToLocal(&script) &&
      script->Run(context).ToLocal(&check)) {
    state->SetInternalField(kInterruptCheck, check);
  }
}

void InstallSymbols(Local<Context> context, Local<Object> target) {
  Isolate* isolate = Isolate::GetCurrent();
  // A template may hold a private symbol as a value, which no script can make: so Node does it.
  Local<ObjectTemplate> symbols = ObjectTemplate::New(isolate);
  for (const NamedSymbol& entry : kPrivateSymbols) {
    symbols->Set(Text(isolate, entry.name), PrivateSymbol(isolate, entry.description));
  }
  Local<Object> instance;
  if (symbols->NewInstance(context).ToLocal(&instance)) SetProperty(context, target, "privateSymbols", instance);
  SetMethod(context, target, "setSymbols", SetSymbols);
}

}  // namespace
}  // namespace guest

extern "C" __attribute__((visibility("default"))) void InitForContext(v8::Isolate* isolate,
                                                                      v8::Local<v8::Context> context,
                                                                      v8::Local<v8::Object> target) {
  using namespace guest;
  HandleScope scope(isolate);
  InstallState(context);
  InstallMemory(isolate);
  InstallSymbols(context, target);
  InstallLoop(context, target);
  InstallInspect(context, target);
  InstallErrors(context, target);
  InstallMachine(context, target);
  InstallLedger(context, target);
  InstallRegion(context, target);
  Local<Object> types = Object::New(isolate);
  InstallTypes(context, types);
  SetProperty(context, target, "types", types);
  Local<Object> buffer = Object::New(isolate);
  InstallSlices(context, buffer);
  InstallBytes(context, buffer);
  InstallSearch(context, buffer);
  InstallBase64(context, buffer);
  SetProperty(context, target, "buffer", buffer);
  InstallEncoding(context, target);
  InstallStringDecoder(context, target);
  InstallIcu(context, target);
  InstallContexts(context, target);
  InstallScripts(context, target);
  InstallFunctions(context, target);
  InstallModules(context, target);
  InstallModuleCallbacks(context, target);
  InstallClone(context, target);
  InstallSharedBuffers(context, target);
  InstallSerializer(context, target);
  InstallDeserializer(context, target);
  SetProperty(context, target, "sourceHash", Text(isolate, SOURCE_HASH));
}
