// Writes a date in words: 2024-05-17 is the 17th of May.
#include <stdio.h>
#include <string.h>

static const char *const months[12] = {"January", "February", "March",     "April",   "May",      "June",
                                       "July",    "August",   "September", "October", "November", "December"};

struct date {
    int year, month, day;
};

static const char *month_name(int month)
{
    return months[month - 1]; // FAILS
}

static const char *ending(int day)
{
    if (day / 10 == 1)
        return "th";
    return day % 10 == 1 ? "st" : day % 10 == 2 ? "nd" : day % 10 == 3 ? "rd" : "th";
}

static void show(const struct date *date)
{
    printf("the %d%s of %s %d\n", date->day, ending(date->day), month_name(date->month), date->year);
}

static int digits(const char *text, int count, int *value)
{
    *value = 0;
    for (int i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        *value = *value * 10 + (text[i] - '0');
    }
    return 0;
}

static int parse(const char *text, struct date *date)
{
    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-')
        return -1;
    if (digits(text, 4, &date->year) < 0 || digits(text + 5, 2, &date->month) < 0)
        return -1;
    if (digits(text + 8, 2, &date->day) < 0)
        return -1;
    if (date->month > 12 || date->day > 31)
        return -1;
    return 0;
}

static int convert(const char *text)
{
    struct date date;
    if (parse(text, &date) < 0) {
        printf("no date: %s\n", text);
        return 1;
    }
    show(&date);
    return 0;
}

int main(int argc, char **argv)
{
    int wrong = 0;
    for (int i = 1; i < argc; i++)
        wrong += convert(argv[i]);
    return wrong > 0;
}
