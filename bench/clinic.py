"""Makes samples/clinic, the data that the auditor ships with, and the key to its faults, which tests alone read.

python -m bench.clinic            writes both again, the same every time
"""

from __future__ import annotations

import csv
import datetime
import json
import random
from pathlib import Path

from bench.faults import Fault, Table, break_references, plant
from bench.tables import CITIES, FIRST, LAST
from config import PROJECT

FOLDER = PROJECT / "samples" / "clinic"
KEY = PROJECT / "datasets" / "clinic_key.json"
WARDS = {
    "Cardiology": "CAR", "Surgery": "SUR", "Neurology": "NEU", "Paediatrics": "PAE", "Oncology": "ONC",
    "Maternity": "MAT", "Orthopaedics": "ORT", "Emergency": "EME",
}  # fmt: skip
DIAGNOSES = {
    "Hypertension": "I10", "Fracture": "S52", "Asthma": "J45", "Diabetes": "E11", "Appendicitis": "K35", "Migraine": "G43",
    "Pneumonia": "J18", "Arrhythmia": "I49", "Concussion": "S06", "Anaemia": "D50", "Arthrosis": "M17", "Bronchitis": "J20",
}  # fmt: skip
INSURERS = ("Northern Mutual", "Harbour Health", "Caisse Générale", "Alpine Care", "Vita Cooperative")
EACH = 5  # faults of every kind
GENERAL = (
    *("missing", "disguised missing", "typo", "case", "spaces", "swapped cells", "wrong unit", "outlier", "duplicate"),
    *("order of dates", "date format", "code format", "number as text", "impossible date", "encoding"),
)


def main() -> None:
    """Write the tables and the key."""
    patients, visits = make_patients(), make_visits()
    visits, faults = plant(visits, GENERAL, EACH, seed=7)
    taken = {fault.row for fault in faults}
    for make in (break_contact, break_days, break_total, break_ward_code, break_key, negate):
        visits, more = make(visits, taken)
        faults += more
        taken |= {fault.row for fault in more}
    FOLDER.mkdir(parents=True, exist_ok=True)
    write(FOLDER / "patients.csv", patients)
    write(FOLDER / "visits.csv", visits)
    key = [{"kind": each.kind, "row": each.row, "fields": list(each.fields)} for each in faults]
    KEY.write_text(json.dumps(key, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    print(
        f"{len(visits)} visits, {len(patients)} patients, {len(faults)} faults of {len({f.kind for f in faults})} kinds"
    )


def make_patients(rows: int = 800) -> Table:
    draw = random.Random(1)
    table = []
    for number in range(rows):
        city = draw.choice(list(CITIES))
        born = datetime.date(1930, 1, 1) + datetime.timedelta(days=draw.randrange(31000))
        table.append({
            "patient_id": f"P-{number + 1:05d}", "first_name": draw.choice(FIRST), "last_name": draw.choice(LAST),
            "born": born.isoformat(), "sex": draw.choice(("female", "male")), "city": city, "country": CITIES[city][0],
        })  # fmt: skip
    return table


def make_visits(rows: int = 3000) -> Table:
    draw = random.Random(2)
    table = []
    for number in range(rows):
        ward, diagnosis = draw.choice(list(WARDS)), draw.choice(list(DIAGNOSES))
        admitted = datetime.date(2022, 1, 1) + datetime.timedelta(days=draw.randrange(1000))
        nights = int(draw.expovariate(0.35)) + draw.choice((0, 1))
        systolic = int(draw.gauss(128, 13))
        treatment, medicine = round(draw.lognormvariate(6, 0.5), 2), round(draw.lognormvariate(4, 0.6), 2)
        table.append({
            "visit_id": f"V-{number + 1:06d}", "patient_id": f"P-{draw.randrange(800) + 1:05d}", "ward": ward,
            "ward_code": WARDS[ward], "doctor": f"Dr {draw.choice(LAST)}", "admitted": admitted.isoformat(),
            "discharged": (admitted + datetime.timedelta(days=nights)).isoformat(), "nights": str(nights),
            "diagnosis": diagnosis, "diagnosis_code": DIAGNOSES[diagnosis], "temperature_c": f"{draw.gauss(37.2, 0.7):.1f}",
            "height_cm": f"{min(205, max(140, draw.gauss(170, 10))):.0f}", "weight_kg": f"{min(140, max(42, draw.gauss(76, 14))):.1f}",
            "pressure_systolic": str(systolic), "pressure_diastolic": str(systolic - int(draw.gauss(45, 7))),
            "heart_rate": str(int(min(130, max(45, draw.gauss(76, 11))))), "insurer": draw.choice(INSURERS),
            "phone": f"+41 {draw.randrange(10, 99)} {draw.randrange(100, 999)} {draw.randrange(10, 99)} {draw.randrange(10, 99)}",
            "treatment_cost": f"{treatment:.2f}", "medicine_cost": f"{medicine:.2f}", "total_cost": f"{treatment + medicine:.2f}",
            "paid": draw.choice(("yes", "yes", "yes", "no")),
            "allergy": draw.choice(("penicillin", "pollen", "nuts")) if draw.random() < 0.2 else None,
        })  # fmt: skip
    return table


def free_rows(table: Table, taken: set[int], seed: int) -> list[int]:
    return random.Random(seed).sample([row for row in range(len(table)) if row not in taken], EACH)


def break_contact(table: Table, taken: set[int]) -> tuple[Table, list[Fault]]:
    """References to patients who do not exist, in rows that have no other fault."""
    rows = free_rows(table, taken, 1)
    broken, faults = break_references([table[row] for row in rows], "patient_id", EACH)
    for row, new in zip(rows, broken, strict=True):
        table[row] = new
    return table, [Fault(fault.kind, rows[fault.row], fault.fields) for fault in faults]


def break_days(table: Table, taken: set[int]) -> tuple[Table, list[Fault]]:
    return changed(table, "wrong number of days", "nights", free_rows(table, taken, 2), lambda v: str(int(v) + 3))


def break_total(table: Table, taken: set[int]) -> tuple[Table, list[Fault]]:
    return changed(table, "wrong sum", "total_cost", free_rows(table, taken, 3), lambda v: f"{float(v) * 1.07:.2f}")


def break_ward_code(table: Table, taken: set[int]) -> tuple[Table, list[Fault]]:
    codes = list(WARDS.values())
    others = dict(zip(codes, [*codes[1:], codes[0]], strict=True))
    return changed(table, "broken dependency", "ward_code", free_rows(table, taken, 4), others.__getitem__)


def break_key(table: Table, taken: set[int]) -> tuple[Table, list[Fault]]:
    """A visit has the number of an earlier one."""
    rows = [row for row in free_rows(table, taken, 5) if row > 100]
    for row in rows:
        table[row]["visit_id"] = table[row - 50]["visit_id"]
    return table, [Fault("key twice", row, ("visit_id",)) for row in rows]


def negate(table: Table, taken: set[int]) -> tuple[Table, list[Fault]]:
    return changed(table, "negative", "heart_rate", free_rows(table, taken, 6), lambda v: f"-{v}")


def changed(table, kind, field, rows, change) -> tuple[Table, list[Fault]]:  # noqa: ANN001
    for row in rows:
        table[row][field] = change(table[row][field])
    return table, [Fault(kind, row, (field,)) for row in rows]


def write(path: Path, table: Table) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


if __name__ == "__main__":
    main()
