#ifndef GUEST_INTERCEPTORS_H
#define GUEST_INTERCEPTORS_H

#include "binding.h"

namespace guest {

/** Makes every access to a context's global an access to the object it was made from first. */
void SetInterceptors(Local<ObjectTemplate> global);

}  // namespace guest

#endif
