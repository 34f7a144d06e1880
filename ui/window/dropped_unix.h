// hide_addresses_without_path makes comments of those lines of a list of files that the toolkit must not see.
void hide_addresses_without_path(char *list);
