// A checksum bit by bit: 32 branches on the data, and one question at the end.
#include <assert.h>
#include <stdint.h>
#include <unistd.h>

static uint32_t crc32(const unsigned char *p, int n) {
  uint32_t crc = 0xffffffffu;
  for (int i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++) {
      if (crc & 1) crc = (crc >> 1) ^ 0xEDB88320u; else crc >>= 1;
    }
  }
  return ~crc;
}
int main(void) {
  unsigned char b[4];
  if (read(0, b, 4) != 4) return 1;
  if (crc32(b, 4) == 0x12345678u) assert(0);
  return 0;
}
