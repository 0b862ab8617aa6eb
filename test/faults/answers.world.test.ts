import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namesIn } from './invariants.js';
import { inWorld } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';
import { evil, expectHarmless, forbidden, unsafeTeams } from './unsafe-text.js';

/** RELIABILITY.md, "What the platform sends is not trusted", and answers that cannot be used. */

const json = { 'content-type': 'application/json' };
const marker = 'SECRET-OF-THE-PLATFORM';

describe('an answer that cannot be used is exit 15 and is not repeated', () => {
  // More of them are in test/api/transport/answer.world.test.ts.
  const cases: [name: string, step: Step, code: string][] = [
    [
      'a login page as 200',
      { body: `<html><title>Sign in</title>${marker}</html>`, headers: { 'content-type': 'text/html' } },
      'not_json',
    ],
    ['two JSON values', { body: `{}{"x":"${marker}"}`, headers: json }, 'not_json'],
    ['two million brackets', { body: '['.repeat(2_000_000), headers: json }, 'too_deep'],
    ['two million objects', { body: '{"a":'.repeat(2_000_000), headers: json }, 'too_deep'],
    ['a header over 16 KB', { headers: { 'x-large': 'x'.repeat(17_000) } }, 'header_too_large'],
    ['a list in place of an object', { json: [marker] }, 'wrong_shape'],
    [
      'a body shorter than it says',
      { body: '{"id":1}', contentLength: 900, headers: json, close: true },
      'cut_short',
    ],
  ];
  test.each(cases)('%s', async (_, step, code) => {
    await inWorld({ script: [step] }, async ({ run }) => {
      const ran = await run(['teams', 'get', 't1', '--json', '--no-retry']);
      expect({ exit: ran.code, code: ran.error.code, stdout: ran.stdout }).toEqual({
        exit: 15,
        code,
        stdout: '',
      });
      expect(ran.stderr).not.toContain(marker);
      expect(ran.stderr.length).toBeLessThan(1000);
    });
  });
});

describe('a list that breaks never looks complete', () => {
  const first: Step = { json: { items: [{ id: 't1' }], count: 3, next: { page: 'p2' } } };
  const ends: [string, Step, number][] = [
    ['by a cursor that repeats', first, 15],
    ['by an error', { status: 400 }, 8],
    ['by half an answer', { body: '{"items":[{"id":"t2"}', headers: json }, 15],
    ['by a reset', { reset: 'after-reading' }, 11],
  ];
  test.each(ends)('%s', async (_, end, exit) => {
    const script = (__: SeenRequest, number: number) => (number % 2 === 1 ? first : end);
    await inWorld({ script: end === first ? () => first : script }, async ({ run }) => {
      const list = await run(['teams', 'list', '--json', '--no-retry']);
      expect(list.code).toBe(exit);
      expect(list.stdout).toContain('"t1"');
      expect(() => JSON.parse(list.stdout)).toThrow();
      const lines = await run(['teams', 'list', '-o', 'ndjson', '--no-retry']);
      expect(lines.code).toBe(exit);
      expect(lines.stdout).toMatch(/^(\{"id":"t1"\}\n)+$/);
      const rows = await run(['teams', 'list', '--jq', 'length', '--no-retry']);
      expect({ code: rows.code, stdout: rows.stdout }).toEqual({ code: exit, stdout: '' });
    });
  });

  test('an endless list of new cursors is stopped by --limit alone, and a cursor of two is told', async () => {
    const script = (_: SeenRequest, number: number): Step => ({
      json: { items: [{ id: `t${number}` }], next: { page: number % 2 ? 'a' : 'b' } },
    });
    await inWorld({ script }, async ({ run, server }) => {
      const ran = await run(['teams', 'list', '--json']);
      expect({ code: ran.code, error: ran.error.code }).toEqual({ code: 15, error: 'repeated_cursor' });
      expect(server.requests.length).toBeLessThanOrEqual(3);
    });
  });
});

describe('unsafe text', () => {
  const script = unsafeTeams;

  test.each([
    ['a table', ['teams', 'list']],
    ['one resource', ['teams', 'get', 't1']],
    ['JSON', ['teams', 'list', '--json']],
    ['jq', ['teams', 'list', '--jq', '.[].title']],
    ['CSV', ['teams', 'list', '-o', 'csv']],
    ['an error', ['teams', 'get', 'bad']],
    ['an error as JSON', ['teams', 'get', 'bad', '--json']],
  ])('on a terminal is made visible in %s', async (_, args) => {
    await inWorld({ script }, async (world) => {
      const { stdout, stderr } = await world.run(args, { columns: 400 });
      expect((stdout + stderr).length).toBeGreaterThan(20);
      expectHarmless(stdout + stderr);
    });
  });

  test('in an error message is made visible in a pipe, too', async () => {
    await inWorld({ script }, async ({ run }) => {
      for (const args of [
        ['teams', 'get', 'bad'],
        ['teams', 'get', 'bad', '--json'],
      ]) {
        const ran = await run(args);
        expect(ran.code).toBe(8);
        expect(ran.stderr).not.toMatch(forbidden);
        expect(ran.stderr).not.toContain('\u001b');
      }
    });
  });

  test('keeps its value in JSON, with DEL, C1 and bidi as escapes', async () => {
    await inWorld({ script }, async ({ run }) => {
      const ran = await run(['teams', 'get', 't1', '--json']);
      expect((JSON.parse(ran.stdout) as { title: string }).title).toBe(evil);
      expect(ran.stdout).toContain('\\u202e');
      expect(ran.stdout).toContain('\\u009b');
      expect(ran.stdout).not.toMatch(forbidden);
    });
  });

  test('of 1 MB of escapes takes no longer than text', async () => {
    const title = '\u001b[31m'.repeat(200_000);
    await inWorld(
      { script: () => ({ status: 200, json: { items: [{ id: 't1', title }] } }) },
      async (world) => {
        const { code, stdout } = await world.run(['teams', 'list'], { columns: 100 });
        expect(code).toBe(0);
        expect(stdout).not.toContain('\u001b[31m');
        expect((await world.run(['teams', 'list', '--json'])).code).toBe(0);
      },
    );
  });
});

describe('CSV', () => {
  const titles = ['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'plain, "quoted"'];
  const script = () => ({ json: { items: titles.map((title, index) => ({ id: `t${index}`, title })) } });

  test('--csv-raw does not', async () => {
    await inWorld({ script }, async ({ run }) => {
      const { stdout } = await run(['teams', 'list', '-o', 'csv', '--csv-raw', '--fields', 'title']);
      expect(stdout).toContain('"=HYPERLINK(""http://evil"")"\n+1\n-1\n@SUM(A1)\n');
    });
  });
});

describe('a file name of the platform', () => {
  // All of them are in test/base/write-file.test.ts.
  const names: [given: string, saved: string][] = [
    ['../../escape.png', 'escape.png'],
    ['a\u0000b\u001b[31m.txt', 'a_b_[31m.txt'],
    ['', 'file'],
    ['x'.repeat(300), 'x'.repeat(200)],
  ];
  /** A file of so many bytes, and what is answered where they are. */
  const download = (name: string, size: number, bytes: Step) => ({
    script: ({ target, headers }: SeenRequest): Step =>
      target.startsWith('/bytes')
        ? bytes
        : {
            json: {
              ...{ id: 'f1', name, contentType: 'image/png', size },
              downloadURL: `http://${headers.host}/bytes`,
            },
          },
  });
  const words = ['content', 'files', 'get', 'f1', '--space', 's1', '--download', '.'];

  test.each(names)('%j is saved as %j, inside the folder', async (name, saved) => {
    const bytes = `bytes of ${name.length}`;
    await inWorld(download(name, bytes.length, { body: bytes }), async ({ run, work, root }) => {
      const before = namesIn(root);
      expect((await run(words)).code).toBe(0);
      expect(namesIn(root).filter((path) => !before.includes(path))).toEqual([join('work', saved)]);
      expect(readFileSync(join(realpathSync(work), saved), 'utf8')).toBe(bytes);
    });
  });

  test('that is cut short on its way leaves no file', async () => {
    const cut: Step = { body: 'x'.repeat(5000), cut: { after: 1000, by: 'reset' } };
    await inWorld(download('x.png', 5000, cut), async ({ run, work }) => {
      expect((await run([...words, '--json'])).code).toBe(15);
      expect(namesIn(work)).toEqual([]);
    });
  });
});

test('__proto__ and its kin are only keys; large integers keep their digits', async () => {
  const body =
    '{"id":"t1","__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}},"big":12345678901234567890123,"small":-9007199254740993}';
  await inWorld({ script: () => ({ body, headers: json }) }, async ({ run }) => {
    const ran = await run(['api', '/v1/x', '--json']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('12345678901234567890123');
    expect(ran.stdout).toContain('-9007199254740993');
    expect(ran.stdout).toMatch(/"__proto__":\s*\{\s*"polluted":\s*true/);
    expect(ran.stdout).toMatch(/"constructor":/);
    expect((await run(['api', '/v1/x', '--jq', '.polluted'])).stdout).toBe('null\n');
  });
});

test('docs api -i --json prints one value', async () => {
  await inWorld({ script: () => ({ json: { a: 1 } }) }, async ({ run }) => {
    const ran = await run(['api', '/v1/x', '-i', '--json']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 200, body: { a: 1 } });
  });
});

test('a large answer arrives whole', async () => {
  const items = Array.from({ length: 3000 }, (_, index) => ({ id: `t${index}`, text: 'x'.repeat(1700) }));
  await inWorld({ script: () => ({ json: { items } }) }, async ({ run }) => {
    const { stdout } = await run(['api', '/v1/x', '--json']);
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(hash(JSON.stringify(JSON.parse(stdout)))).toBe(hash(JSON.stringify({ items })));
  });
});
