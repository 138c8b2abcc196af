// The last element of a list has no end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
struct node { struct node *next; int value; };
int main(void) {
    struct node *head = malloc(sizeof *head), *second = malloc(sizeof *second);
    int sum = 0;
    head->value = 1;
    head->next = second;
    second->value = 2;
    SET(second->next = NULL;)
    for (struct node *n = head; sum < 3; n = n->next) sum += n->value;
    if (second->next == NULL) puts("end"); // use
    free(second);
    free(head);
    return sum != 3;
}
