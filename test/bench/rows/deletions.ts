import { writeFileSync } from 'node:fs';
import { type Row, timesOf } from '../bench.js';

const deletions = 2000;
const concurrency = 8;
const answerMs = 20;
const idealMs = (deletions / concurrency) * answerMs;

/** Many deletions, journal and all, against what the server's own time comes to. */
export const deletionsAtOnce: Row = async (bench) => {
  const { env } = await bench.platform();
  const file = bench.path('ids');
  let run = 0;
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
  const [ours = []] = await bench.inTurns([subject], { runs: 10 });
  const ideal = ours.map(() => ({ ms: idealMs, memoryMb: Number.NaN }));
  return [
    {
      what: '2,000 deletions with `--concurrency 8`, answered after 20 ms',
      against: 'the ideal, 2,000 / 8 × 20 ms',
      goal: { most: 1.25 },
      ...timesOf(ours, ideal),
    },
  ];
};
