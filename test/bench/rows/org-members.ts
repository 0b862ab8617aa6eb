import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../bench.js';
import type { Run } from '../processes.js';
import { withSandbox } from '../sandbox-server.js';

const mostMb = 300;
const changed = 100;

const memoryOf = (runs: readonly Run[]) => runs.map(({ memoryMb }) => memoryMb);

/** Peak memory of the organization as code with 100,000 people in people.csv. */
export const orgMembers: Row = (bench) =>
  withSandbox(bench, 'huge', async ({ env }) => {
    const folder = bench.path('huge');
    const inFolder = ['--dir', folder];
    const table = join(folder, 'people.csv');
    const fresh = () => rmSync(folder, { recursive: true, force: true });
    let role = 'edit';
    const subjects = [
      { what: '`docs pull`', words: ['pull', ...inFolder], prepare: fresh },
      { what: '`docs plan`', words: ['plan', ...inFolder], prepare: () => {} },
      {
        what: `\`docs apply\` of ${changed} roles`,
        words: ['apply', ...inFolder, '--yes'],
        // Another role each time, so that there is something to change.
        prepare() {
          role = role === 'edit' ? 'comment' : 'edit';
          if (existsSync(table)) writeFileSync(table, withRoles(readFileSync(table, 'utf8'), role));
        },
      },
    ];
    const runs = await bench.inTurns(
      subjects.map(({ words, prepare }) => bench.docs(words, { env, prepare })),
      { runs: 2, memory: true },
    );
    return subjects.map(({ what }, index) => ({
      ...{ what: `${what}, 100,000 people: peak memory`, against: `${mostMb} MB`, goal: { most: 1 } },
      ...{ unit: 'MB', ours: memoryOf(runs[index] ?? []), theirs: (runs[index] ?? []).map(() => mostMb) },
    }));
  });

/** The table with another role of its first readers. */
function withRoles(text: string, role: string): string {
  let left = changed;
  return text.replaceAll(/,(?:read|edit|comment),/g, (all) => (left-- > 0 ? `,${role},` : all));
}
