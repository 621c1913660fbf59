"""The program: its commands, progress, messages and JSON. Independent of Blender."""

import json
import os
import re
import shutil

def find_program(path):
    """The program's full path, or None."""
    return shutil.which(os.path.expanduser(path.strip() or "transept"))


def check_command(program, project, leak):
    return [program, "check", project, "--json", "--leak", leak]


def plan_command(program, project):
    return [program, "plan", project, "--json"]


def rays_command(program, project):
    return [program, "rays", project, "--ray-noise", "3", "--json"]


def simulate_command(program, project, folder, all_variants):
    """Into FOLDER/base, and FOLDER/NAME of every variant."""
    if all_variants:
        return [program, "simulate", project, "--variant", "all", "-o", folder, "--force"]
    return [program, "simulate", project, "-o", os.path.join(folder, "base"), "--force"]


def report_command(program, runs, page):
    return [program, "report"] + list(runs) + ["-o", page, "--force"]


def auralise_command(program, runs, dry, folder):
    return [program, "auralise"] + list(runs) + ["--dry", dry, "-o", folder, "--force"]


def materials_command(program):
    return [program, "materials", "--json"]


def plain_lines(text):
    """Lines of standard error as a person has seen them: rewritten ones apart, without a terminal's codes."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
    return [line.rstrip() for line in re.split(r"[\r\n]+", text) if line.strip()]


def progress(text):
    """(share from 0 to 1 or None, words) of standard error so far."""
    variant, variants, share, words = 1, 1, None, ""
    for line in plain_lines(text):
        found = re.match(r"variant (\S+) \((\d+) of (\d+)\)$", line)
        if found:
            variant, variants, share = int(found[2]), int(found[3]), 0.0
            words = line
            continue
        found = re.match(r"(.*?)(?:\((\d+) of (\d+)\))?\s*(\d+) %\s+(.*)$", line)
        left = re.search(r"\b([0-9]+:[0-9:]+) left", found[5]) if found else None
        if left:
            source, sources = int(found[2] or 1), int(found[3] or 1)
            share = (source - 1 + int(found[4]) / 100) / sources
            words = "%s %s %%, %s left" % (found[1].strip(), found[4], left[1])
            if int(found[4]) >= 100:
                words = found[1].strip() + ": responses and figures"
    if share is None:
        return None, words
    return min(1.0, (variant - 1 + share) / variants), words


def sentence(text, status):
    """Why a command failed: its last line that is not a warning, or with --json its failure."""
    lines = plain_lines(text)
    error = next((e for e in (read_json(line) for line in reversed(lines)) if e and "error" in e), None)
    if error:
        return "; ".join(part for part in (error["error"]["message"], error["error"]["advice"]) if part)
    said = [n for n, line in enumerate(lines)
            if line.startswith("transept: ") and not line.startswith("transept: warning:")]
    if said:
        return " ".join(lines[said[-1]:])[len("transept: "):]
    return lines[-1] if lines else "the program ended with status %d and said nothing" % status


def read_json(text):
    """The object that --json printed, or None."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def findings(check):
    """[(severity, sentence, advice, places)] of `check --json`, places a list of x, y, z in metres."""
    found = []
    for entry in check.get("findings", []):
        places = [p["position_m"] for p in entry.get("places", []) if p.get("position_m")]
        if not places and entry.get("position_m"):
            places = [entry["position_m"]]
        found.append((entry.get("severity", ""), entry.get("sentence", ""), entry.get("advice", ""), places))
    return found


def leaks(check):
    """[(place of the gap, its width or None, path)] of `check --json`, in metres."""
    return [(leak["position_m"], leak.get("gap_m"), leak.get("path_m") or [])
            for leak in check.get("leaks", []) if leak.get("position_m")]


def covered(check):
    """surface -> (where its absorption is from, the eight octaves or None, area, their error bars) of `check --json`."""
    found = {}
    for entry in check.get("materials", []):
        where = entry.get("library_name") or entry.get("origin") or ""
        if entry.get("absorption_given") is False:
            where = ""
        area = entry.get("reached_area_m2")
        found[entry["name"]] = (where, entry.get("absorption_octaves"), entry["area_m2"] if area is None else area,
                                entry.get("absorption_error_octaves"))
    return found


def absorption_words(octaves, bars):
    """At 125, 500 and 2000 Hz, as the program lists it."""
    return "absorbs " + ", ".join("%.2f" % octaves[o] + (" ± %.2f" % bars[o] if bars else "") for o in (1, 3, 5))


def duration_words(seconds):
    if seconds < 120:
        return "%.0f s" % seconds
    return "%.0f min" % (seconds / 60) if seconds < 7200 else "%.1f h" % (seconds / 3600)


def plan_words(plan):
    """Time and memory of a run, in three lines."""
    points = sum(grid["points"] for grid in plan.get("grids", []))
    lines = ["to %.0f Hz, %.1f million nodes, %.0f m3 of air" % (
        plan["fmax_hz"], plan["air_nodes"] / 1e6, plan["air_volume_m3"])]
    if plan.get("seconds_predicted") is not None:
        lines.append("about %s and %.2f GB%s" % (
            duration_words(plan["seconds_predicted"]), plan["bytes_peak"] / 1e9,
            "" if plan.get("fits", True) else ": does not fit this machine"))
    lines.append("%d sources, %d receivers, %d places of the audience" % (
        len(plan.get("sources", [])), len(plan.get("receivers", [])), points))
    return lines


SHOWN = (("t30_s", "T30", "%.2f", " s"), ("c80_db", "C80", "%.1f", " dB"))


def mean(values):
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None


def value_words(responses, figure, at):
    """The mean of a figure, and of its error bar where it is from rays; or None."""
    name, short, form, unit = figure
    value = mean([r[name][at] for r in responses])
    if value is None:
        return None
    bars = [r.get(name + "_error") or r.get("error", {}).get(name) for r in responses]
    bar = mean([b[at] for b in bars if b])
    return short + " " + form % value + ("" if bar is None else " ± " + form % bar) + unit


def figure_words(responses):
    """A line for each octave: the mean of all receivers, of run.json or of `rays --json`, those from rays apart."""
    known = [r for r in responses if r.get("nominal_hz") and r.get("receiver")]
    lines = []
    for at, hz in enumerate(known[0]["nominal_hz"] if known else ()):
        words = [value_words(known, figure, at) for figure in SHOWN]
        if any(words):
            rays = "error" in known[0] or known[0].get("from", ["waves"] * (at + 1))[at] == "rays"
            lines.append("%d Hz%s: %s" % (hz, ", rays" if rays else "", ", ".join(w for w in words if w)))
    sti = mean([r.get("sti") for r in known])
    return lines + (["STI %.2f" % sti] if sti is not None else [])


def rays_from(run):
    """The octaves above this frequency are from rays [Hz]; None: none are."""
    rays = run.get("rays") if run else None
    return rays["octave_hz"] * 1.4 if rays else None


def library(listing):
    """name -> eight octaves of `materials --json` and their error bars."""
    return {entry["name"]: (entry["absorption"], entry.get("absorption_error_octaves")) for entry in listing.get("materials", [])}


def runs_in(folder):
    """Names of the finished runs in a folder, base first."""
    try:
        names = [n for n in os.listdir(folder) if os.path.isfile(os.path.join(folder, n, "run.json"))]
    except OSError:
        return []
    return sorted(names, key=lambda n: (n != "base", n))


def read_run(folder):
    """run.json of a run, or None."""
    try:
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
            return read_json(file.read())
    except OSError:
        return None
