// Month names indexed by the month's number less one.
// stdout: Oct
// stdout: Nov
// stdout: Dec
// stdout: ?
#include <stdio.h>

static const char *const months[12] = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
};

static const char *month_name(int month)
{
    if (month < 1 || month > 12)
        return "?";
    return months[month - 1];
}

int main(void)
{
    for (int month = 10; month <= 13; month++)
        puts(month_name(month));
    return 0;
}
