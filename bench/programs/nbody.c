// Planets under gravity, as structures of doubles.
#include <math.h>
#include <stdio.h>

struct vector {
    double x, y, z;
};
struct body {
    struct vector position, velocity;
    double mass;
};

enum { BODIES = 5 };

static struct vector subtract(struct vector a, struct vector b) { return (struct vector){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static double dot(struct vector a, struct vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static void accelerate(struct vector *v, struct vector direction, double amount)
{
    v->x += direction.x * amount;
    v->y += direction.y * amount;
    v->z += direction.z * amount;
}

static void advance(struct body *bodies, double step)
{
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            struct vector d = subtract(bodies[i].position, bodies[j].position);
            double distance = dot(d, d), magnitude = step / (distance * sqrt(distance));
            accelerate(&bodies[i].velocity, d, -bodies[j].mass * magnitude);
            accelerate(&bodies[j].velocity, d, bodies[i].mass * magnitude);
        }
    for (int i = 0; i < BODIES; i++)
        accelerate(&bodies[i].position, bodies[i].velocity, step);
}

static double energy(const struct body *bodies)
{
    double e = 0;
    for (int i = 0; i < BODIES; i++) {
        e += bodies[i].mass * dot(bodies[i].velocity, bodies[i].velocity) / 2;
        for (int j = i + 1; j < BODIES; j++) {
            struct vector d = subtract(bodies[i].position, bodies[j].position);
            e -= bodies[i].mass * bodies[j].mass / sqrt(dot(d, d));
        }
    }
    return e;
}

int main(void)
{
    struct body bodies[BODIES] = { { { 0, 0, 0 }, { 0, 0, 0 }, 40 } };
    for (int i = 1; i < BODIES; i++)
        bodies[i] = (struct body){ { 4.0 * i, 0.3 * i, 0.1 * i * i }, { 0.1 * i, 3.2 / i, -0.05 * i }, 0.04 / i };
    printf("%.9f\n", energy(bodies));
    for (int i = 0; i < 3000000; i++)
        advance(bodies, 0.001);
    printf("%.9f\n", energy(bodies));
    return 0;
}
