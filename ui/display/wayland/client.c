//go:build linux && cgo && !x11

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wayland-client.h>
#include "client.h"
#include "_cgo_export.h"

// One client of the compositor beside the toolkit's, on the same connection. It has a queue of its own, so that it gets
// only its own events. Its fields belong to the thread that calls client_wait, except those that lock guards.
struct client {
	uintptr_t handle;
	struct wl_display *display;
	int fd;               // descriptor of the connection
	struct stat identity; // file of fd: a different one means that the toolkit has ended the connection
	int wake;
	struct wl_event_queue *queue;
	struct wl_registry *registry;
	struct wl_surface *window;
	struct wl_compositor *compositor;
	struct wl_shm *shm;
	struct wl_seat *seat;
	struct wl_pointer *pointer;
	struct wl_keyboard *keyboard;
	struct wl_data_device_manager *manager;
	struct wl_data_device *device;
	struct wl_data_offer *offer; // offer of the drag over a window of this program
	struct wl_data_offer *landed; // offer of the last drop from another program

	pthread_mutex_t lock;
	uint32_t press;       // serial of the press that holds the pointer
	uint32_t buttons;     // number of pressed buttons
	wl_fixed_t x, y;      // position of the pointer
	int armed;            // report CROSSED when the pointer leaves the window
	int width, height;    // size of the window, when it was armed

	uint32_t last;        // serial of the last input
	int sources;          // number of sources so far
	struct wl_surface *icon;
	struct { int number; struct wl_data_source *source; } drag, clip;
};

// ---- the pointer

// The pointer counts as outside near the edge of the window: sway sends no events of a drag to an X11 window if the
// drag begins over that window.
#define EDGE 8

static int is_outside(struct client *c) {
	double x = wl_fixed_to_double(c->x), y = wl_fixed_to_double(c->y);
	return x < EDGE || y < EDGE || x >= c->width - EDGE || y >= c->height - EDGE;
}

static void pointer_enter(void *data, struct wl_pointer *p, uint32_t serial, struct wl_surface *s,
		wl_fixed_t x, wl_fixed_t y) {
	struct client *c = data;
	pthread_mutex_lock(&c->lock);
	c->x = x;
	c->y = y;
	int crossed = c->armed && is_outside(c);
	if (crossed) c->armed = 0;
	pthread_mutex_unlock(&c->lock);
	if (crossed) waylandEvent(c->handle, 0, CROSSED, 0, 0, 0);
}

static void pointer_leave(void *data, struct wl_pointer *p, uint32_t serial, struct wl_surface *s) {
	struct client *c = data;
	pthread_mutex_lock(&c->lock);
	c->buttons = 0;
	pthread_mutex_unlock(&c->lock);
}

static void pointer_motion(void *data, struct wl_pointer *p, uint32_t time, wl_fixed_t x, wl_fixed_t y) {
	pointer_enter(data, p, 0, NULL, x, y);
}

static void pointer_button(void *data, struct wl_pointer *p, uint32_t serial, uint32_t time, uint32_t button,
		uint32_t state) {
	struct client *c = data;
	pthread_mutex_lock(&c->lock);
	c->last = serial;
	if (state) {
		if (c->buttons++ == 0) c->press = serial;
	} else if (c->buttons) {
		c->buttons--;
	}
	int none = c->buttons == 0;
	pthread_mutex_unlock(&c->lock);
	if (none && !state) waylandEvent(c->handle, c->drag.number, RELEASED, 0, 0, 0);
}

static void pointer_axis(void *data, struct wl_pointer *p, uint32_t time, uint32_t axis, wl_fixed_t value) {}

static const struct wl_pointer_listener on_pointer = { pointer_enter, pointer_leave, pointer_motion,
		pointer_button, pointer_axis };

// ---- the keyboard: the clipboard needs its serials, and not every compositor ends a drag on Escape

#define KEY_ESC 1

static void keyboard_keymap(void *data, struct wl_keyboard *k, uint32_t format, int fd, uint32_t size) { close(fd); }

static void keyboard_enter(void *data, struct wl_keyboard *k, uint32_t serial, struct wl_surface *s,
		struct wl_array *keys) {
	struct client *c = data;
	c->last = serial;
}

static void keyboard_leave(void *data, struct wl_keyboard *k, uint32_t serial, struct wl_surface *s) {}

static void keyboard_key(void *data, struct wl_keyboard *k, uint32_t serial, uint32_t time, uint32_t key,
		uint32_t state) {
	struct client *c = data;
	c->last = serial;
	if (key == KEY_ESC && state) waylandEvent(c->handle, c->drag.number, ESCAPED, 0, 0, 0);
}

static void keyboard_modifiers(void *data, struct wl_keyboard *k, uint32_t serial, uint32_t d, uint32_t a,
		uint32_t l, uint32_t g) {}

static const struct wl_keyboard_listener on_keyboard = { keyboard_keymap, keyboard_enter, keyboard_leave,
		keyboard_key, keyboard_modifiers };

static void seat_capabilities(void *data, struct wl_seat *s, uint32_t has) {
	struct client *c = data;
	if ((has & WL_SEAT_CAPABILITY_POINTER) && !c->pointer) {
		c->pointer = wl_seat_get_pointer(s);
		wl_pointer_add_listener(c->pointer, &on_pointer, c);
	} else if (!(has & WL_SEAT_CAPABILITY_POINTER) && c->pointer) {
		wl_pointer_destroy(c->pointer);
		c->pointer = NULL;
	}
	if ((has & WL_SEAT_CAPABILITY_KEYBOARD) && !c->keyboard) {
		c->keyboard = wl_seat_get_keyboard(s);
		wl_keyboard_add_listener(c->keyboard, &on_keyboard, c);
	} else if (!(has & WL_SEAT_CAPABILITY_KEYBOARD) && c->keyboard) {
		wl_keyboard_destroy(c->keyboard);
		c->keyboard = NULL;
	}
}

static void seat_name(void *data, struct wl_seat *s, const char *name) {}

static const struct wl_seat_listener on_seat = { seat_capabilities, seat_name };

// ---- drags over this program's windows, including its own

static void device_offer(void *data, struct wl_data_device *d, struct wl_data_offer *o) {}

static void forget_offer(struct client *c) {
	if (c->offer) wl_data_offer_destroy(c->offer);
	c->offer = NULL;
}

static void forget_landed(struct client *c) {
	if (c->landed) wl_data_offer_destroy(c->landed);
	c->landed = NULL;
}

// move_to stores the position of the pointer during a drag, when wl_pointer sends no events.
static void move_to(struct client *c, wl_fixed_t x, wl_fixed_t y) {
	pthread_mutex_lock(&c->lock);
	c->x = x;
	c->y = y;
	pthread_mutex_unlock(&c->lock);
}

static void device_enter(void *data, struct wl_data_device *d, uint32_t serial, struct wl_surface *s,
		wl_fixed_t x, wl_fixed_t y,
		struct wl_data_offer *o) {
	struct client *c = data;
	forget_offer(c);
	forget_landed(c);
	c->offer = o;
	if (!c->drag.source) return;
	move_to(c, x, y);
	if (o) {
		// Accept the drag: otherwise a drop on this window would look like a drop on no window.
		wl_data_offer_accept(o, serial, "text/uri-list");
		wl_data_offer_set_actions(o, WL_DATA_DEVICE_MANAGER_DND_ACTION_COPY, WL_DATA_DEVICE_MANAGER_DND_ACTION_COPY);
	}
	waylandEvent(c->handle, c->drag.number, ENTERED, 0, wl_fixed_to_double(x), wl_fixed_to_double(y));
}

static void device_leave(void *data, struct wl_data_device *d) {
	struct client *c = data;
	forget_offer(c);
	if (c->drag.source) waylandEvent(c->handle, c->drag.number, LEFT, 0, 0, 0);
}

static void device_motion(void *data, struct wl_data_device *d, uint32_t time, wl_fixed_t x, wl_fixed_t y) {
	struct client *c = data;
	if (!c->drag.source) return;
	move_to(c, x, y);
	waylandEvent(c->handle, c->drag.number, MOVED, 0, wl_fixed_to_double(x), wl_fixed_to_double(y));
}

static void device_drop(void *data, struct wl_data_device *d) {
	struct client *c = data;
	if (c->drag.source) {
		if (c->offer) wl_data_offer_finish(c->offer);
		waylandEvent(c->handle, c->drag.number, LANDED, 0, 0, 0);
		forget_offer(c);
		return;
	}
	// The toolkit reads drops of other programs from an offer of its own. If this offer were destroyed unfinished now,
	// wlroots would take that as a refusal and end the source before the toolkit has read it. The next drag destroys
	// it.
	forget_landed(c);
	c->landed = c->offer;
	c->offer = NULL;
}

static void device_selection(void *data, struct wl_data_device *d, struct wl_data_offer *o) {
	if (o) wl_data_offer_destroy(o);
}

static const struct wl_data_device_listener on_device = { device_offer, device_enter, device_leave,
		device_motion, device_drop, device_selection };

// ---- sources of this program; the user data of a source is its client, which has the number of the source

static int number_of(struct client *c, struct wl_data_source *s) {
	return s == c->drag.source ? c->drag.number : s == c->clip.source ? c->clip.number : 0;
}

static void source_target(void *data, struct wl_data_source *s, const char *type) {
	struct client *c = data;
	waylandEvent(c->handle, number_of(c, s), TARGET, type && *type, 0, 0); // KWin sends "" for none
}

static void source_send(void *data, struct wl_data_source *s, const char *type, int fd) {
	struct client *c = data;
	waylandSend(c->handle, number_of(c, s), (char *)type, fd);
}

static void source_cancelled(void *data, struct wl_data_source *s) {
	struct client *c = data;
	waylandEvent(c->handle, number_of(c, s), CANCELLED, 0, 0, 0);
}

static void source_dropped(void *data, struct wl_data_source *s) {
	struct client *c = data;
	waylandEvent(c->handle, number_of(c, s), DROPPED, 0, 0, 0);
}

static void source_finished(void *data, struct wl_data_source *s) {
	struct client *c = data;
	waylandEvent(c->handle, number_of(c, s), FINISHED, 0, 0, 0);
}

static void source_action(void *data, struct wl_data_source *s, uint32_t action) {
	struct client *c = data;
	waylandEvent(c->handle, number_of(c, s), ACTION, action, 0, 0);
}

static const struct wl_data_source_listener on_source = {
	source_target, source_send, source_cancelled, source_dropped, source_finished, source_action
};

// ---- the connection

static void registry_global(void *data, struct wl_registry *r, uint32_t name, const char *interface,
		uint32_t version) {
	struct client *c = data;
	if (!strcmp(interface, "wl_compositor") && !c->compositor) {
		c->compositor = wl_registry_bind(r, name, &wl_compositor_interface, version < 4 ? version : 4);
	} else if (!strcmp(interface, "wl_shm") && !c->shm) {
		c->shm = wl_registry_bind(r, name, &wl_shm_interface, 1);
	} else if (!strcmp(interface, "wl_data_device_manager") && !c->manager) {
		c->manager = wl_registry_bind(r, name, &wl_data_device_manager_interface, version < 3 ? version : 3);
	} else if (!strcmp(interface, "wl_seat") && !c->seat) {
		c->seat = wl_registry_bind(r, name, &wl_seat_interface, version < 3 ? version : 3);
		wl_seat_add_listener(c->seat, &on_seat, c);
	}
}

static void registry_remove(void *data, struct wl_registry *r, uint32_t name) {}

static const struct wl_registry_listener on_registry = { registry_global, registry_remove };

static struct wl_registry *registry_on(struct wl_display *display, struct wl_event_queue *queue) {
	struct wl_display *mine = wl_proxy_create_wrapper(display);
	wl_proxy_set_queue((struct wl_proxy *)mine, queue);
	struct wl_registry *r = wl_display_get_registry(mine);
	wl_proxy_wrapper_destroy(mine);
	return r;
}

// client_open returns NULL if the compositor does not answer (why is 1) or lacks a required interface (2).
struct client *client_open(void *display, void *surface, uintptr_t handle, int *why) {
	struct client *c = calloc(1, sizeof *c);
	if (!c) return NULL;
	c->handle = handle;
	c->display = display;
	c->window = surface;
	c->fd = wl_display_get_fd(display);
	fstat(c->fd, &c->identity);
	c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&c->lock, NULL);
	c->queue = wl_display_create_queue(display);
	c->registry = registry_on(display, c->queue);
	wl_registry_add_listener(c->registry, &on_registry, c);
	*why = 1;
	if (wl_display_roundtrip_queue(display, c->queue) < 0) goto fail;
	*why = 2;
	if (!c->seat || !c->manager || !c->compositor || !c->shm) goto fail;
	if (wl_data_device_manager_get_version(c->manager) < 3) goto fail;
	c->device = wl_data_device_manager_get_data_device(c->manager, c->seat);
	wl_data_device_add_listener(c->device, &on_device, c);
	return c;
fail:
	client_close(c);
	return NULL;
}

// gone reports whether the toolkit has ended the connection; no object of it may be used then.
static int gone(struct client *c) {
	struct stat now;
	return fstat(c->fd, &now) < 0 || now.st_ino != c->identity.st_ino || now.st_dev != c->identity.st_dev;
}

void client_close(struct client *c) {
	if (!gone(c)) {
		client_end(c, c->drag.number);
		client_end(c, c->clip.number);
		forget_offer(c);
		forget_landed(c);
		if (c->device) wl_data_device_destroy(c->device);
		if (c->pointer) wl_pointer_destroy(c->pointer);
		if (c->keyboard) wl_keyboard_destroy(c->keyboard);
		if (c->seat) wl_seat_destroy(c->seat);
		if (c->manager) wl_data_device_manager_destroy(c->manager);
		if (c->shm) wl_shm_destroy(c->shm);
		if (c->compositor) wl_compositor_destroy(c->compositor);
		wl_registry_destroy(c->registry);
		wl_display_flush(c->display);
		wl_event_queue_destroy(c->queue);
	}
	close(c->wake);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

void client_wake(struct client *c) {
	uint64_t one = 1;
	if (write(c->wake, &one, sizeof one) < 0) return; // it is awake
}

// client_wait waits for events and handles them. It returns 0 after events, client_wake, or the time (-1: no limit),
// and -1 if the connection has ended.
int client_wait(struct client *c, int milliseconds) {
	if (gone(c)) return -1;
	int handled = 0; // events that the toolkit has read for this queue: return to the caller before waiting
	while (wl_display_prepare_read_queue(c->display, c->queue) != 0) {
		int events = wl_display_dispatch_queue_pending(c->display, c->queue);
		if (events < 0) return -1;
		handled += events;
	}
	wl_display_flush(c->display);
	struct pollfd p[2] = { { c->fd, POLLIN, 0 }, { c->wake, POLLIN, 0 } };
	int n = poll(p, 2, handled > 0 ? 0 : milliseconds);
	if (gone(c)) return -1;
	uint64_t count;
	if (n > 0 && p[1].revents && read(c->wake, &count, sizeof count) < 0) count = 0;
	if (n > 0 && p[0].revents) {
		if (wl_display_read_events(c->display) < 0) return -1;
	} else {
		wl_display_cancel_read(c->display);
	}
	return wl_display_dispatch_queue_pending(c->display, c->queue) < 0 ? -1 : 0;
}

static struct wl_data_source *source_new(struct client *c, char **types) {
	struct wl_data_source *s = wl_data_device_manager_create_data_source(c->manager);
	wl_data_source_add_listener(s, &on_source, c);
	for (; *types; types++) wl_data_source_offer(s, *types);
	return s;
}

// client_drag returns the number of the source, or 0 if no button is down.
int client_drag(struct client *c, char **types) {
	pthread_mutex_lock(&c->lock);
	uint32_t serial = c->buttons ? c->press : 0;
	pthread_mutex_unlock(&c->lock);
	if (!serial) return 0;
	client_end(c, c->drag.number);
	c->drag.source = source_new(c, types);
	c->drag.number = ++c->sources;
	wl_data_source_set_actions(c->drag.source, WL_DATA_DEVICE_MANAGER_DND_ACTION_COPY);
	c->icon = wl_compositor_create_surface(c->compositor);
	wl_data_device_start_drag(c->device, c->drag.source, c->window, c->icon, serial);
	return c->drag.number;
}

static void buffer_release(void *data, struct wl_buffer *b) { wl_buffer_destroy(b); }

static const struct wl_buffer_listener on_buffer = { buffer_release };

// client_picture shows pixels (ARGB, premultiplied) at the pointer.
void client_picture(struct client *c, uint32_t *pixels, int width, int height, int scale) {
	if (!c->icon) return;
	int size = width * height * 4;
	int fd = memfd_create("drag", MFD_CLOEXEC);
	if (fd < 0) return;
	if (write(fd, pixels, size) == size) {
		struct wl_shm_pool *pool = wl_shm_create_pool(c->shm, fd, size);
		struct wl_buffer *b = wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, WL_SHM_FORMAT_ARGB8888);
		wl_shm_pool_destroy(pool);
		wl_buffer_add_listener(b, &on_buffer, c);
		wl_surface_set_buffer_scale(c->icon, scale);
		wl_surface_attach(c->icon, b, 0, 0);
		wl_surface_damage(c->icon, 0, 0, width, height);
		wl_surface_commit(c->icon);
	}
	close(fd);
}

int client_copy(struct client *c, char **types) {
	client_end(c, c->clip.number);
	c->clip.source = source_new(c, types);
	c->clip.number = ++c->sources;
	wl_data_device_set_selection(c->device, c->clip.source, c->last);
	return c->clip.number;
}

void client_end(struct client *c, int source) {
	if (source == 0) return;
	if (source == c->drag.number) {
		wl_data_source_destroy(c->drag.source);
		wl_surface_destroy(c->icon);
		memset(&c->drag, 0, sizeof c->drag);
		c->icon = NULL;
	} else if (source == c->clip.number) {
		wl_data_source_destroy(c->clip.source);
		memset(&c->clip, 0, sizeof c->clip);
	}
}

// ---- the toolkit: GLFW is linked into this program, and the user data of the surface is its window

typedef void (*mouse_callback)(void *, int, int, int);
extern mouse_callback glfwSetMouseButtonCallback(void *, mouse_callback) __attribute__((weak));
extern void _glfwInputMouseClick(void *, int, int, int) __attribute__((weak));
extern void _glfwInputCursorPos(void *, double, double) __attribute__((weak));
extern void glfwGetWindowSize(void *, int *, int *) __attribute__((weak));
extern void glfwGetWindowContentScale(void *, float *, float *) __attribute__((weak));
typedef void (*scale_callback)(void *, float, float);
extern scale_callback glfwSetWindowContentScaleCallback(void *, scale_callback) __attribute__((weak));
extern void glfwFocusWindow(void *) __attribute__((weak));

// client_arm makes waylandEvent report CROSSED when the pointer leaves the window. It returns 1 if the pointer is
// outside already.
int client_arm(struct client *c) {
	int width = 0, height = 0;
	glfwGetWindowSize(wl_surface_get_user_data(c->window), &width, &height);
	pthread_mutex_lock(&c->lock);
	c->width = width;
	c->height = height;
	c->armed = !is_outside(c);
	int outside = !c->armed;
	pthread_mutex_unlock(&c->lock);
	return outside;
}

void client_disarm(struct client *c) {
	pthread_mutex_lock(&c->lock);
	c->armed = 0;
	pthread_mutex_unlock(&c->lock);
}

void client_position(struct client *c, double *x, double *y) {
	pthread_mutex_lock(&c->lock);
	*x = wl_fixed_to_double(c->x);
	*y = wl_fixed_to_double(c->y);
	pthread_mutex_unlock(&c->lock);
}

// toolkit_point sends the toolkit the position of the pointer: it gets none during a drag, and ignores the position at
// which the pointer enters.
void toolkit_point(void *surface, double x, double y) {
	if (_glfwInputCursorPos) _glfwInputCursorPos(wl_surface_get_user_data(surface), x, y);
}

// toolkit_release sends the toolkit a release of the button, which the compositor does not send to it.
void toolkit_release(void *surface) {
	void *window = wl_surface_get_user_data(surface);
	if (_glfwInputMouseClick) {
		_glfwInputMouseClick(window, 0, 0, 0);
		return;
	}
	mouse_callback f = glfwSetMouseButtonCallback(window, NULL);
	glfwSetMouseButtonCallback(window, f);
	if (f) f(window, 0, 0, 0);
}

void toolkit_focus(void *surface) { glfwFocusWindow(wl_surface_get_user_data(surface)); }

float toolkit_scale(void *surface) {
	float x = 1, y = 1;
	glfwGetWindowContentScale(wl_surface_get_user_data(surface), &x, &y);
	return x;
}

static scale_callback toolkit_scaled; // the callback of the toolkit, which is the same for all windows
static uintptr_t scale_listener;

static void window_scaled(void *window, float x, float y) {
	if (toolkit_scaled) toolkit_scaled(window, x, y);
	waylandScaled(scale_listener);
}

void toolkit_watch_scale(void *surface, uintptr_t listener) {
	scale_listener = listener;
	scale_callback f = glfwSetWindowContentScaleCallback(wl_surface_get_user_data(surface), window_scaled);
	if (f != window_scaled) toolkit_scaled = f;
}

// ---- xdg_activation_v1, for one request

static const struct wl_interface *token_types[] = { NULL };
static const struct wl_interface *activate_types[] = { NULL, &wl_surface_interface };
static const struct wl_message activation_requests[] = {
	{ "destroy", "", NULL }, { "get_activation_token", "n", token_types }, { "activate", "so", activate_types },
};
static const struct wl_interface activation_interface = { "xdg_activation_v1", 1, 3, activation_requests, 0, NULL };

static void activation_global(void *data, struct wl_registry *r, uint32_t name, const char *interface,
		uint32_t version) {
	struct wl_proxy **p = data;
	if (!strcmp(interface, activation_interface.name) && !*p) *p = wl_registry_bind(r, name, &activation_interface, 1);
}

static const struct wl_registry_listener on_activation = { activation_global, registry_remove };

// surface_activate returns 0 if the compositor does not support activation.
int surface_activate(void *display, void *surface, const char *token) {
	struct wl_proxy *activation = NULL;
	struct wl_event_queue *queue = wl_display_create_queue(display);
	struct wl_registry *r = registry_on(display, queue);
	wl_registry_add_listener(r, &on_activation, &activation);
	wl_display_roundtrip_queue(display, queue);
	int known = activation != NULL;
	if (known) {
		wl_proxy_marshal(activation, 2, token, surface);
		wl_proxy_marshal(activation, 0);
		wl_proxy_destroy(activation);
		wl_display_flush(display);
	}
	wl_registry_destroy(r);
	wl_event_queue_destroy(queue);
	return known;
}
