# REASON: which is what it claims
KNOWN = {"SELECT id FROM visits WHERE age > 130": 3}  # what the page says


def judge(finding, taken, path):
    if finding in taken:
        return "This finding is written down already."
    count = KNOWN.get(finding["query"])
    return "" if count == finding["affected"] else f"The query gives {count} rows."
