import { describe, expect, test } from 'vitest';
import { longList } from './long-list.js';
import { inWorld } from './run.js';

/** RELIABILITY.md, "Time, memory, signals": an output that fails, in each format. Pipes and disks are tested with the built program. */

describe.each(['tsv', 'json', 'ndjson', 'csv', 'yaml', 'id'])('-o %s', (format) => {
  const words = ['teams', 'list', '-o', format];

  test('a reader that is gone ends a list of 500,000 quietly', async () => {
    await inWorld({ script: longList(500_000) }, async ({ run, server }) => {
      const { code, stderr } = await run(words, { failWith: 'EPIPE' });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(server.requests.length).toBeLessThan(10);
    });
  });

  test('a full disk under a list is exit 13, one sentence', async () => {
    await inWorld({ script: longList(3000, 50) }, async ({ run }) => {
      const { code, stderr } = await run(words, { failWith: 'ENOSPC' });
      expect(code).toBe(13);
      expect(stderr).toMatch(/cannot write the output/);
      expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    });
  });
});

test('a full disk under what is no list is told as JSON where that was asked for', async () => {
  await inWorld({ script: longList(1) }, async ({ run }) => {
    const { code, stderr } = await run(['--version', '--json'], { failWith: 'ENOSPC' });
    expect({ code, told: JSON.parse(stderr) }).toMatchObject({
      code: 13,
      told: { error: { code: 'disk_full' } },
    });
  });
});
