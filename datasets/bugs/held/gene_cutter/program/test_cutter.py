import pytest

from cutter import Enzyme, digest, gc_percent, gel, positions, reverse_complement


@pytest.fixture
def eco():
    return Enzyme("EcoRI", "G^AATTC")


@pytest.fixture
def lopsided():
    return Enzyme("Lop", "CC^TGA")


@pytest.mark.parametrize("sequence, expected", [("AACG", "CGTT"), ("", ""), ("GAATTC", "GAATTC")])
def test_reverse_complement(sequence, expected):
    assert reverse_complement(sequence) == expected


def test_overlaps():
    assert positions("ATATATA", "ATA") == [0, 2, 4]


def test_symmetric(eco, lopsided):
    assert eco.symmetric
    assert not lopsided.symmetric


def test_digest(eco):
    assert digest("ttgaattcttt gaattcaa", eco) == ["TTG", "AATTCTTTG", "AATTCAA"]


def test_upper_strand(lopsided):
    assert digest("AAACCTGAAA", lopsided) == ["AAACC", "TGAAA"]


def test_lower_strand(lopsided):
    assert digest("AAATCAGGAA", lopsided) == ["AAATCA", "GGAA"]


def test_two_enzymes(eco, lopsided):
    assert [len(p) for p in digest("AGAATTCACCTGAA", eco, lopsided)] == [2, 8, 4]


def test_gel():
    assert gel(["AAA", "CC", "GGG"]) == [(3, 2), (2, 1)]


def test_gc():
    assert gc_percent("GATC") == 50.0


def test_no_cut_marked():
    with pytest.raises(ValueError):
        Enzyme("X", "GAATTC")
