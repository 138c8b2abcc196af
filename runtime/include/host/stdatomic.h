/* clang's own stdatomic.h hands over to the next one on a hosted system. In host mode that would be gcc's, which clang cannot compile.
   This one stands before it and sends clang back to its own. */
#ifdef __CLANG_STDATOMIC_H
#undef __CLANG_STDATOMIC_H
#pragma push_macro("__STDC_HOSTED__")
#undef __STDC_HOSTED__
#define __STDC_HOSTED__ 0
#include <stdatomic.h>
#pragma pop_macro("__STDC_HOSTED__")
#endif
