// An image of width times height; their product is kept in eight bits. File: width, height, and a value for each row.
#include <stdio.h>
#include <stdlib.h>

struct image {
    unsigned char width, height, size; // size: bytes of the pixels
    unsigned char *pixels;
};

static void put_row(struct image *image, int y, unsigned char value)
{
    for (int x = 0; x < image->width; x++)
        image->pixels[y * image->width + x] = value; // FAILS
}

static int draw(struct image *image, const unsigned char *rows, size_t count)
{
    int drawn = 0;
    for (int y = 0; y < image->height && (size_t)y < count; y++) {
        if (rows[y] == 0)
            continue;
        put_row(image, y, rows[y]);
        drawn++;
    }
    return drawn;
}

static int open_image(struct image *image, unsigned width, unsigned height)
{
    if (width == 0 || height == 0 || width > 64 || height > 64)
        return -1;
    image->width = (unsigned char)width;
    image->height = (unsigned char)height;
    image->size = (unsigned char)(width * height);
    image->pixels = calloc(image->size + 1u, 1);
    return image->pixels == NULL ? -1 : 0;
}

int main(int argc, char **argv)
{
    unsigned char bytes[8];
    struct image image;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 2;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (size < 3 || open_image(&image, bytes[0], bytes[1]) < 0)
        return 1;
    printf("%d rows\n", draw(&image, bytes + 2, size - 2));
    free(image.pixels);
    return 0;
}
