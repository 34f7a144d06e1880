#pragma once
#include <stdint.h>

struct client;

// The kinds of waylandEvent, as Kind in Go.
enum { TARGET, ACTION, DROPPED, FINISHED, CANCELLED, ENTERED, MOVED, LEFT, LANDED, RELEASED, ESCAPED, CROSSED };

struct client *client_open(void *display, void *surface, uintptr_t handle, int *why);
void client_close(struct client *c);
int client_wait(struct client *c, int milliseconds);
void client_wake(struct client *c);
int client_drag(struct client *c, char **types);
void client_picture(struct client *c, uint32_t *pixels, int width, int height, int scale);
int client_copy(struct client *c, char **types);
void client_end(struct client *c, int source);
int client_arm(struct client *c);
void client_disarm(struct client *c);
void client_position(struct client *c, double *x, double *y);

// On the toolkit's thread.
void toolkit_release(void *surface);
void toolkit_point(void *surface, double x, double y);
void toolkit_focus(void *surface);
float toolkit_scale(void *surface);
void toolkit_watch_scale(void *surface, uintptr_t listener);
int surface_activate(void *display, void *surface, const char *token);
