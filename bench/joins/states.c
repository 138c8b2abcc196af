// A reader with states: what is chosen decides what comes next, so nothing here is to be joined.
#include <assert.h>
#include <unistd.h>

enum { OUTSIDE, NAME, VALUE };

int main(void) {
  char text[10];
  if (read(0, text, 10) != 10) return 1;
  int state = OUTSIDE, names = 0, values = 0;
  for (int i = 0; i < 10; i++) {
    switch (state) {
      case OUTSIDE:
        state = text[i] == '<' ? NAME : OUTSIDE;
        break;
      case NAME:
        names++;
        state = text[i] == '=' ? VALUE : text[i] == '>' ? OUTSIDE : NAME;
        break;
      default:
        values++;
        state = text[i] == '>' ? OUTSIDE : VALUE;
    }
  }
  assert(!(names == 3 && values == 3));
  return 0;
}
