// Month names indexed by the month's number as people write it.
#include <stdio.h>

static const char *const months[12] = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
};

static const char *month_name(int month)
{
    if (month < 1 || month > 12)
        return "?";
    return months[month]; // expect: global-buffer-overflow read
}

int main(void)
{
    for (int month = 10; month <= 13; month++)
        puts(month_name(month));
    return 0;
}
