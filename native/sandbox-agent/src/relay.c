// Connections of the sandbox to its loopback, carried to the host: there is no other network.
#include "parts.h"

enum { AF_INET = 2, SOCK_STREAM = 1, SOL_SOCKET = 1, SO_REUSEADDR = 2, BACKLOG = 64 };

int listener = -1;
static u32 last_connection = 0x80000000u;

void listen_on(u32 port) {
  if (listener >= 0) return;
  long fd = CALL(socket, AF_INET, SOCK_STREAM | O_NONBLOCK | O_CLOEXEC, 0);
  if (fd < 0) return send_number(REFUSED, 0, (u32)-fd);
  int yes = 1;
  CALL(setsockopt, fd, SOL_SOCKET, SO_REUSEADDR, &yes, 4);
  u8 address[16] = {AF_INET, 0, (u8)(port >> 8), (u8)port, 127, 0, 0, 1};
  long bound = CALL(bind, fd, address, 16);
  if (bound >= 0) bound = CALL(listen, fd, BACKLOG);
  if (bound < 0) {
    CALL(close, fd);
    return send_number(REFUSED, 0, (u32)-bound);
  }
  listener = (int)fd;
  send_number(STARTED, 0, port);
}

void accept_connections(void) {
  for (;;) {
    long fd = CALL(accept4, listener, 0, 0, O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (++last_connection == 0) last_connection = 0x80000001u;
    struct slot *slot = take_slot(last_connection, 1);
    if (!slot) {
      CALL(close, fd);
      continue;
    }
    slot->input = slot->output = (int)fd;
    send_frame(CONNECTION, slot->id, 0, 0);
  }
}
