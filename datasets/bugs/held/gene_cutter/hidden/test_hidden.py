import pytest

from cutter import Enzyme, digest, reverse_complement


@pytest.mark.parametrize("site", ["GG^TCTC", "A^CCTG", "GACG^C", "C^A"])
@pytest.mark.parametrize("sequence", ["TTGGTCTCATGAGACCAACGTCAGGTACCTGCA", "GACGCTTTGCGTC", "CATGCAGT"])
def test_both_strands_have_the_same_pieces(site, sequence):
    pieces = digest(sequence, Enzyme("E", site))
    other = digest(reverse_complement(sequence), Enzyme("E", site))
    assert [len(p) for p in pieces] == [len(p) for p in reversed(other)]


def test_known_places():
    assert Enzyme("E", "GG^TCTC").cuts("AAGAGACCTTGGTCTC") == [6, 12]


def test_the_plain_complement_is_no_site():
    assert Enzyme("E", "CC^TGA").cuts("AAGGACTAA") == []


def test_no_cut_at_the_ends():
    assert digest("TGACC", Enzyme("E", "TGACC^")) == ["TGACC"]
