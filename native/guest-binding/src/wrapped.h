// A C++ object that lives as long as the JavaScript object that stands for it.
#ifndef GUEST_WRAPPED_H
#define GUEST_WRAPPED_H

#include "binding.h"

namespace guest {

/** Deleted when its object is collected; left behind, a few hundred bytes, when the isolate ends before that. */
class Wrapped {
 public:
  Wrapped(Isolate* isolate, Local<Object> object) : isolate_(isolate), object_(isolate, object) {
    object->SetAlignedPointerInInternalField(0, this, v8::kEmbedderDataTypeTagDefault);
    object_.SetWeak(this, OnCollected, v8::WeakCallbackType::kParameter);
  }
  virtual ~Wrapped() = default;

  /** Marks a new object as one that holds nothing yet. */
  static void Prepare(Local<Object> object) {
    object->SetAlignedPointerInInternalField(0, nullptr, v8::kEmbedderDataTypeTagDefault);
  }

  /** The object behind `this` of a method with a signature; throws and gives null when it was never made. */
  template <typename T>
  static T* Of(const Arguments& args) {
    Local<Object> object = args.This();
    void* pointer = object->InternalFieldCount() > 0 ? object->GetAlignedPointerFromInternalField(
                                                           0, v8::kEmbedderDataTypeTagDefault)
                                                     : nullptr;
    if (pointer == nullptr) ThrowType(args.GetIsolate(), "Illegal invocation");
    return static_cast<T*>(static_cast<Wrapped*>(pointer));
  }

  Isolate* isolate() const { return isolate_; }
  Local<Object> object() const { return object_.Get(isolate_); }

 private:
  static void OnCollected(const v8::WeakCallbackInfo<Wrapped>& info) {
    info.GetParameter()->object_.Reset();
    info.SetSecondPassCallback([](const v8::WeakCallbackInfo<Wrapped>& second) { delete second.GetParameter(); });
  }

  Isolate* isolate_;
  v8::Global<Object> object_;
};

}  // namespace guest

#endif
