import pytest

from greys import Image, ImageError

SOURCE = """P2 # a small one
3 2
9
1 2 3
4 5 9
"""


@pytest.fixture
def image():
    return Image.parse(SOURCE)


def test_read(image):
    assert image.rows() == [[1, 2, 3], [4, 5, 9]]
    assert image.at(0, 1) == 4


def test_write(image):
    assert image.text() == "P2\n3 2\n9\n1 2 3\n4 5 9\n"


@pytest.mark.parametrize("text", ["P5 1 1 9 1", "P2 1", "P2 2 2 9 1 2 3", "P2 1 1 9 10"])
def test_not_a_picture(text):
    with pytest.raises(ImageError):
        Image.parse(text)


def test_inverted(image):
    assert image.inverted().pixels == [8, 7, 6, 5, 4, 0]


def test_brighter_has_an_end(image):
    assert image.brighter(5).pixels == [6, 7, 8, 9, 9, 9]


def test_mirrored(image):
    assert image.mirrored().rows() == [[3, 2, 1], [9, 5, 4]]


def test_turned_square():
    assert Image(2, 2, [1, 2, 3, 4]).turned_right().rows() == [[3, 1], [4, 2]]


def test_turned(image):
    assert image.turned_right().rows() == [[4, 1], [5, 2], [9, 3]]


def test_cropped(image):
    assert image.cropped(1, 0, 2, 2).rows() == [[2, 3], [5, 9]]


def test_histogram(image):
    assert image.histogram(2) == [4, 2]
