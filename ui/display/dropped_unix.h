#include <stdint.h>

// hide_addresses_without_path makes comments of those lines of a list of files that the toolkit must not see.
void hide_addresses_without_path(char *list);

// listen_for_nothing has a listener told when what was dropped names no file.
void listen_for_nothing(uintptr_t listener);
