import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Bench, type Row, timesOf } from '../bench.js';
import { type Run, unmeasured } from '../processes.js';
import type { Measured } from '../result.js';

const deletions = 2000;
const concurrency = 8;
const answerMs = 20;
const idealMs = (deletions / concurrency) * answerMs;

/** Many deletions, journal and all, against what the server's own time comes to; then on a busy machine. */
export const deletionsAtOnce: Row = async (bench) => {
  const what = '2,000 deletions with `--concurrency 8`, answered after 20 ms';
  const quiet = resultOf(what, 1.2, await timesOfDeletions(bench, 4));
  const stop = keepBusy();
  try {
    return [quiet, resultOf(`${what}, on a busy machine`, 1.35, await timesOfDeletions(bench, 2))];
  } finally {
    stop();
  }
};

function resultOf(what: string, most: number, ours: readonly Run[]): Measured {
  const ideal = ours.map(() => ({ ms: idealMs, ...unmeasured }));
  return {
    ...{ what, against: 'the ideal, 2,000 / 8 × 20 ms', goal: { most } },
    ...timesOf(ours, ideal),
  };
}

let run = 0;

async function timesOfDeletions(bench: Bench, runs: number): Promise<readonly Run[]> {
  const { env } = await bench.platform();
  const file = bench.path('ids');
  const subject = bench.docs(
    ['members', 'delete', `@${file}`, '--yes', '--concurrency', String(concurrency)],
    {
      env,
      lines: deletions,
      // Other ids each time: the same ones would be the same job again.
      prepare() {
        run += 1;
        const ids = Array.from({ length: deletions }, (_, index) => `u${run}x${index}`);
        writeFileSync(file, `${ids.join('\n')}\n`);
      },
    },
  );
  const [ours = []] = await bench.inTurns([subject], { runs });
  return ours;
}

/** It never waits, and ends with whoever started it. */
const spin = `
  process.on('disconnect', () => process.exit());
  (function spin() {
    for (const end = Date.now() + 100; Date.now() < end; );
    setImmediate(spin);
  })();`;

/** As many busy processes as the machine has cores. @returns what ends them */
function keepBusy(): () => void {
  const processes = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', spin], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  );
  return () => {
    for (const each of processes) each.disconnect();
  };
}
