import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docsWords } from '../started.js';
import { namesIn } from './invariants.js';
import { inWorld } from './run.js';

/** RELIABILITY.md: settings that are contested by processes, or on a full disk. All else is in settings.world.test.ts. */

const config = '.config/docs/config.json';
const plain = { DOCS_TOKEN: undefined, DOCS_BASE_URL: undefined, DOCS_ORG: undefined };

test('six programs that write at once lose nothing', async () => {
  await inWorld({ env: plain }, async ({ run, home }) => {
    const values = { org: 'o1', space: 's1', site: 'x1', output: 'json', timeout: '30s', 'page-size': '17' };
    const ran = await Promise.all(
      Object.entries(values).map(([key, value]) => run(['config', 'set', key, value])),
    );
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    const kept = readFileSync(join(home, config), 'utf8');
    for (const value of ['"o1"', '"s1"', '"x1"', '"json"', '17', '30']) expect(kept).toContain(value);
    expect(namesIn(home)).toEqual([config]);
    expect(statSync(join(home, config)).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, '.config/docs')).mode & 0o777).toBe(0o700);
  });
});

test('on a full disk: exit 13, the old file is whole, and nothing is left beside it', async () => {
  await inWorld({ env: plain }, async (world) => {
    expect((await world.run(['config', 'set', 'org', 'o1'])).code).toBe(0);
    const before = readFileSync(join(world.home, config), 'utf8');
    const line = 'ulimit -f 0; "$@"';
    const words = ['-c', line, 'bash', ...docsWords, 'config', 'set', 'space', 's1'];
    expect((await world.shell(words)).code).toBe(13);
    expect(readFileSync(join(world.home, config), 'utf8')).toBe(before);
    expect(namesIn(world.home)).toEqual([config]);
  });
});
