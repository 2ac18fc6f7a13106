"""Grey pictures in the plain text format PGM: read, write, turn, cut and darken."""


class ImageError(ValueError):
    pass


class Image:
    def __init__(self, width, height, pixels=None, brightest=255):
        if width < 1 or height < 1:
            raise ImageError("a picture has at least one pixel")
        self.width = width
        self.height = height
        self.brightest = brightest
        self.pixels = list(pixels) if pixels is not None else [0] * (width * height)
        if len(self.pixels) != width * height:
            raise ImageError(f"{width} x {height} is not {len(self.pixels)} pixels")

    @classmethod
    def parse(cls, text):
        lines = [line.split("#", 1)[0] for line in text.splitlines()]
        kind, *numbers = " ".join(lines).split()
        if kind != "P2" or len(numbers) < 3:
            raise ImageError("not a plain PGM picture")
        width, height, brightest, *pixels = map(int, numbers)
        if any(not 0 <= pixel <= brightest for pixel in pixels):
            raise ImageError("a pixel is brighter than the brightest")
        return cls(width, height, pixels, brightest)

    def text(self):
        rows = [" ".join(map(str, row)) for row in self.rows()]
        return "\n".join(["P2", f"{self.width} {self.height}", str(self.brightest), *rows]) + "\n"

    def rows(self):
        return [self.pixels[y * self.width : (y + 1) * self.width] for y in range(self.height)]

    def at(self, x, y):
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise ImageError(f"no pixel at {x}, {y}")
        return self.pixels[y * self.width + x]

    def map(self, change):
        pixels = [max(0, min(self.brightest, change(pixel))) for pixel in self.pixels]
        return Image(self.width, self.height, pixels, self.brightest)

    def inverted(self):
        return self.map(lambda pixel: self.brightest - pixel)

    def brighter(self, by):
        return self.map(lambda pixel: pixel + by)

    def mirrored(self):
        pixels = [pixel for row in self.rows() for pixel in reversed(row)]
        return Image(self.width, self.height, pixels, self.brightest)

    def turned_right(self):
        """A quarter turn clockwise: the left column becomes the top row."""
        pixels = [self.at(x, y) for x in range(self.width) for y in reversed(range(self.height))]
        return Image(self.width, self.height, pixels, self.brightest)

    def cropped(self, left, top, width, height):
        if left + width > self.width or top + height > self.height:
            raise ImageError("the cut goes over the edge")
        pixels = [self.at(left + x, top + y) for y in range(height) for x in range(width)]
        return Image(width, height, pixels, self.brightest)

    def histogram(self, bins=4):
        counts = [0] * bins
        for pixel in self.pixels:
            counts[pixel * bins // (self.brightest + 1)] += 1
        return counts
