#include <stdint.h>

// hide_addresses_without_path turns the lines of a list of files that have a URI without a path into comments.
void hide_addresses_without_path(char *list);

// listen_for_nothing sets the listener that is called after a drop without files.
void listen_for_nothing(uintptr_t listener);
