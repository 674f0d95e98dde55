"""Checks that a script goes on after; `failed` has what did not hold."""
failed = []


def check(good, what, *details):
    if not good:
        failed.append(what)
        print(f"FAILED {what}", *details, sep="\n")
