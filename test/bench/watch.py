"""
Runs a program and writes down what it took: `watch.py <file> <program> [<word>…]`. Node cannot tell the processor time
of a process that it started, nor the peak memory of one that is not Node.
"""
import json
import os
import sys
import time

report, *words = sys.argv[1:]
start = time.perf_counter()
process = os.posix_spawnp(words[0], words, os.environ)
_, status, usage = os.wait4(process, 0)
taken = {
    "ms": (time.perf_counter() - start) * 1e3,
    "processorMs": (usage.ru_utime + usage.ru_stime) * 1e3,
    # Linux counts in units of 1,024 bytes, macOS in bytes. What Python itself has is the least it can tell.
    "memoryMb": usage.ru_maxrss / 1e6 * (1 if sys.platform == "darwin" else 1024),
}
with open(report, "w") as file:
    json.dump(taken, file)
sys.exit(os.waitstatus_to_exitcode(status))
