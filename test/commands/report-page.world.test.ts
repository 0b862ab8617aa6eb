import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../src/main.js';
import { fakeIo } from '../fake-io.js';
import { opened } from '../opened.js';
import { openGateWorld } from '../policy/gate-world.js';
import { seedId } from '../sandbox/client.js';

/** What pages of `--html` have in common, and that there is no other way to write one. */

const world = opened(openGateWorld);
const org = ['--org', seedId('org acme')];

it('their ages are by the clock of the platform', async () => {
  const words = ['orgs', 'map', ...org, '--html', 'map.html'];
  expect(await world.run(words, undefined, { now: '2031-01-01T00:00:00Z' })).toMatchObject({ code: 0 });
  const page = readFileSync(join(world.home, 'map.html'), 'utf8');
  const made = /<footer><p>Made ([\d-]+)/.exec(page)?.[1];
  // Where the clock of a fresh sandbox begins.
  expect(made).toBe('2026-01-05');
});

it.each([
  [
    ['-o', 'html', '--report-file', 'impact.html'],
    '--report-file was removed from docs impact; write it with --out <file>',
  ],
  [['-o', 'html'], 'a page needs a file; add --out page.html'],
  [
    ['-o', 'markdown', '--report-file', 'impact.html'],
    '--report-file was removed from docs impact; write it with --out <file>, in the format',
  ],
  [['--report-file=impact.html'], '--report-file was removed from docs impact; write it with --out <file>'],
])('docs impact %s names --out', async (words, message) => {
  const io = fakeIo({ cwd: world.home, env: world.env });
  const code = await run(['impact', 'delete', 'space', seedId('space welcome'), ...org, ...words], io);
  expect([code, io.stdout.text]).toEqual([2, '']);
  expect(io.stderr.text).toContain(message);
  expect(existsSync(join(world.home, 'impact.html'))).toBe(false);
});
