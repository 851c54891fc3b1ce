/* Clients of the villain (villain.c), and of shell scripts that speak UCI. */
#ifndef GRAYLING_TESTS_VILLAIN_H
#define GRAYLING_TESTS_VILLAIN_H

#include "uci_client.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

enum { VILLAIN_COMMAND = 4096 };

/* Starts the villain with these vices. */
static inline struct uci_client *villain_try(const char *vices, double answer_seconds,
                                             struct error *err)
{
    char command[VILLAIN_COMMAND];
    snprintf(command, sizeof command, "'%s' %s", getenv("VILLAIN"), vices);
    const struct uci_settings settings = {.command = command, .answer_seconds = answer_seconds};
    return uci_client_start(&settings, err);
}

static inline struct uci_client *villain_start(const char *vices, double answer_seconds)
{
    struct error err = {""};
    struct uci_client *client = villain_try(vices, answer_seconds, &err);
    cr_assert_not_null(client, "%s", err.text);
    return client;
}

/* Searches a position with so many nodes. */
static inline struct uci_outcome villain_search(struct uci_client *client, const char *fen,
                                                uint64_t nodes, struct error *err)
{
    const struct uci_limits limits = {.nodes = nodes};
    struct position p;
    err->text[0] = '\0';
    cr_assert(position_from_fen(&p, fen, NULL, NULL));
    return uci_client_search(client, &p, NULL, 0, &limits, NULL, err);
}

#endif
