import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { homeOfFile } from './backup-home.js';

/** `docs sandbox seed` and `start` with `--from-backup` that fill nothing. */

const home = homeOfFile({ backup: true });

test('--dry-run changes nothing, and contradictions are refused', async () => {
  await home.ok(['sandbox', 'seed', '--from-backup', 'b', '--file', 'copy.db', '--dry-run']);
  expect(existsSync(home.at('copy.db'))).toBe(false);
  for (const words of [
    ['seed', 'tiny', '--from-backup', 'b'],
    ['seed', '--from', 'x.json', '--from-backup', 'b'],
    ['start', '--seed', 'tiny', '--from-backup', 'b'],
    ['seed', '--from-backup', 'missing'],
    ['seed', '--from-backup', 'b', '--at', '7'],
    ['seed', 'tiny', '--at', '1'],
    ['start', '--at', '1'],
  ])
    expect(await home.run(['sandbox', ...words, '--file', 'copy.db'])).toMatchObject({ code: 2 });
});
