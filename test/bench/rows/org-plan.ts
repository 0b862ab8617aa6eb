import { rmSync } from 'node:fs';
import { type Bench, type Row, timesOf } from '../bench.js';
import type { Measured } from '../result.js';
import { type SandboxServer, withSandbox } from '../sandbox-server.js';

const concurrency = 8;
const answerMs = 20;
const mostRequests = 160;

/** The organization of 400 people as files: the whole commands, against what the server's own time comes to. */
export const orgPlan: Row = (bench) =>
  withSandbox(bench, 'acme', async (sandbox) => {
    const folder = bench.path('org');
    const pull = ['pull', '--dir', folder];
    const commands = [
      { what: '`docs pull`', words: pull, prepare: () => rmSync(folder, { recursive: true, force: true }) },
      { what: '`docs plan`', words: ['plan', '--dir', folder], prepare: () => {} },
    ];
    const requests = commands.map(({ words }) => requestsOf(bench, sandbox, words));
    bench.run(['sandbox', 'fault', '--file', sandbox.file, '--match', '*', '--delay', `${answerMs}ms`]);
    const measured: Measured[] = [];
    for (const [index, { what, words, prepare }] of commands.entries()) {
      const sent = requests[index] ?? 0;
      const [ours = []] = await bench.inTurns([bench.docs(words, { env: sandbox.env, prepare })], {
        runs: 10,
      });
      const ideal = ours.map(() => ({ ms: Math.ceil(sent / concurrency) * answerMs, memoryMb: Number.NaN }));
      measured.push({
        ...{ what: `${what}, 400 people and 60 spaces, answered after 20 ms` },
        against: `the ideal, its ${sent} requests / 8 × 20 ms`,
        ...{ goal: { most: 1.25 }, ...timesOf(ours, ideal) },
      });
      measured.push({
        ...{ what: `${what}: requests`, against: `${mostRequests}`, goal: { most: 1 } },
        ...{ unit: 'requests', ours: [sent], theirs: [mostRequests] },
      });
    }
    return measured;
  });

/** How many requests a command sends. */
function requestsOf(bench: Bench, { file, env }: SandboxServer, words: readonly string[]): number {
  const count = () => {
    const log = bench.run(['sandbox', 'requests', '--file', file, '--json']);
    return (JSON.parse(log) as unknown[]).length;
  };
  const before = count();
  bench.run(words, env);
  return count() - before;
}
