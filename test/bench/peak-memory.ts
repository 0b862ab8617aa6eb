/**
 * Writes down the most memory this process had, in bytes, when it ends. Loaded by `--import` before the
 * program that is measured, so that the program itself needs to know nothing of it.
 */
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env.BENCH_MEMORY_FILE;
  if (file !== undefined) writeFileSync(file, String(peakBytes()));
});

/** Linux counts the resident memory of a process's parent in `maxRSS`; the high-water mark is its own. */
function peakBytes(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Another system than Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
