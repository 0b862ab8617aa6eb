import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { forwardedHome } from './forwarded-home.js';

/** Publishing and checking links in a large organization while requests fail and the program is killed. */

const { home, forwarder } = await forwardedHome({ seed: 'acme', isReset: false });
writeFileSync(
  join(home.path, 'petstore.yaml'),
  'openapi: 3.1.0\ninfo: { title: Petstore, version: "1" }\npaths: {}\n',
);

const faults: [string, string][] = [
  ['--reset', 'before'],
  ['--reset', 'after'],
  ['--status', '503'],
  ['--status', '500'],
];

async function whileFailing<T>(rate: string, fault: readonly string[], run: () => Promise<T>): Promise<T> {
  await home.ok(['sandbox', 'fault', '--match', '/v1/*', '--rate', rate, ...fault]);
  try {
    return await run();
  } finally {
    await home.ok(['sandbox', 'fault', '--clear']);
  }
}

describe('docs links check', () => {
  let calm: string;
  beforeAll(async () => {
    calm = await home.ok(['links', 'check', '--json']);
    expect((JSON.parse(calm) as unknown[]).length).toBeGreaterThan(20);
  });

  test.each(faults)(
    'finds the same while one request in twenty fails with %s %s',
    async (...fault) => {
      const ran = await whileFailing('0.05', fault, () => home.run(['links', 'check', '--json']));
      expect(ran.code).toBe(0);
      expect(ran.stdout).toBe(calm);
    },
    120_000,
  );

  test('leaves baseline and report unchanged when killed', async () => {
    writeFileSync(join(home.path, 'links.json'), 'what was there');
    const words = ['links', 'check', '--baseline', 'known.json', '--update-baseline'];
    const reporting = [...words, '--report', 'sarif', '--report-file', 'links.json'];
    forwarder.reset();
    const running = home.start(reporting);
    forwarder.onRead = (count) => {
      if (count === 30) running.child.kill('SIGKILL');
    };
    expect(await running.ended).toMatchObject({ signal: 'SIGKILL', stdout: '' });
    forwarder.reset();
    expect(existsSync(join(home.path, 'known.json'))).toBe(false);
    expect(readFileSync(join(home.path, 'links.json'), 'utf8')).toBe('what was there');
    await home.ok(words);
    expect(await home.ok(['links', 'check', '--baseline', 'known.json', '--json'])).toBe('[]\n');
  });
});

describe('docs openapi publish', () => {
  test.each(faults)(
    'publishes a version while one request in five fails with %s %s',
    async (flag, what) => {
      const slug = `petstore-${what}`;
      const publish = ['openapi', 'publish', slug, 'petstore.yaml', '--create', '--json'];
      const ran = await whileFailing('0.2', [flag, what], () => home.run(publish));
      // Whatever came of it, publishing again is the way on; what is unchanged is not sent twice.
      const again = ran.code === 0 ? ran : await home.run([...publish, '--skip-unchanged']);
      expect(again.code).toBe(0);
      const { version } = JSON.parse(again.stdout) as { version: string };
      const spec = await home.json<{ processingState: string; lastVersion: string }>([
        'openapi',
        'get',
        slug,
      ]);
      expect(spec).toMatchObject({ processingState: 'complete', lastVersion: version });
    },
    120_000,
  );
});
