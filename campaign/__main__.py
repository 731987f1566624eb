"""The campaign: thousands of random contacts and passes, hundreds of abuses, two hundred mechanisms in all solvers.

    make campaign                       all of it, some minutes; the table goes to out/campaign.md
    python campaign --cases 50          fewer cases of each part
    python campaign --part abuses --seed 17     one case, with its note

Everything is seeded. It ends with code 1 if a line of the table is red: a wrong result, an exception from the inside, a
hang, or a crash.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

from isolated import run_all  # noqa: E402
from outcome import LONG, RED, REFUSED, RIGHT, STOPPED, Outcome  # noqa: E402

PARTS = {
    "contact_runs": 3000,
    "passes": 10000,
    "abuses": 600,
    "random_trees": 200,
    "model_files": 10000,
    "grown_files": 10000,
}
WORST = {"contact_runs": "energy created", "random_trees": "solvers apart [m]"}


def main() -> int:
    """Run what was asked for; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, help="one part only")
    parser.add_argument("--cases", type=int, help="so many cases of each part")
    parser.add_argument("--seed", type=int, help="one case of a part")
    parser.add_argument("--verbose", action="store_true", help="tell of every case that did not run to its end")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("out"))
    asked = parser.parse_args()
    lines = ["| what | runs | right | refused | stopped, saying why | long | **red** | worst |", "|---" * 8 + "|"]
    red = 0
    for part in [asked.part] if asked.part else PARTS:
        seeds = [asked.seed] if asked.seed is not None else range(asked.cases or PARTS[part])
        outcomes: dict[int, Outcome] = {}
        began = time.monotonic()

        def done(seed: int, outcome: Outcome, part: str = part, outcomes: dict[int, Outcome] = outcomes) -> None:
            outcomes[seed] = outcome
            if outcome.end in RED or asked.seed is not None or (asked.verbose and outcome.end != RIGHT):
                print(f"{part} --seed {seed}: {outcome.group}: {outcome.end}: {outcome.note}", flush=True)

        run_all(part, seeds, asked.processes, done)
        slowest = max(outcomes, key=lambda seed: outcomes[seed].seconds)
        print(
            f"{part}: {len(outcomes)} cases in {time.monotonic() - began:.0f} s, the slowest (seed {slowest}) "
            f"{outcomes[slowest].seconds:.1f} s",
            flush=True,
        )
        lines += table(part, list(outcomes.values()))
        red += sum(outcome.end in RED for outcome in outcomes.values())
    text = "\n".join(lines) + "\n"
    print(text)
    if asked.seed is None:
        asked.out.mkdir(parents=True, exist_ok=True)
        (asked.out / "campaign.md").write_text(text)
    return 1 if red else 0


def table(part: str, outcomes: list[Outcome]) -> list[str]:
    """A line for each group of a part."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.group].append(outcome)
    lines = []
    for name in sorted(groups):
        ends = Counter(outcome.end for outcome in groups[name])
        worst = max(outcome.worst for outcome in groups[name])
        counts = [len(groups[name]), ends[RIGHT], ends[REFUSED], ends[STOPPED], ends[LONG], sum(ends[e] for e in RED)]
        measure = f"{WORST[part]} {worst:.1e}" if part in WORST else ""
        lines.append(f"| {name.replace('|', '·')} | " + " | ".join(str(n) for n in counts) + f" | {measure} |")
    return lines


if __name__ == "__main__":
    sys.exit(main())
