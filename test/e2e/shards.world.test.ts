import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { away, failure, failureOf, homeOfFile, shards } from './backup-home.js';
import type { Ran } from './program.js';

/** Parts of a command, joined: the same as one run, or refused. */

const home = homeOfFile({ goesOn: true });
beforeEach(() => rmSync(home.at('parts'), { recursive: true, force: true }));

/** A merge needs neither platform nor token. */
const merge = (...words: string[]) => home.run(words, { env: away });
/** What both printed, with their exit codes. */
const printed = ({ code, stdout }: Ran) => ({ code, stdout });

async function inParts(words: readonly string[], of: number): Promise<void> {
  for (const shard of shards(of)) {
    const { code, stderr } = await home.run([...words, '--shard', shard, '--parts', 'parts']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`part ${shard.replace('/', ' of ')}`),
    });
  }
}

const commands: [command: string, formats: string[]][] = [
  ['links check', ['--sort-by link', '--report sarif --fail-on broken']],
  ['access matrix', ['--json', '-o csv']],
  ['members review', ['--json', '-o csv']],
  ['change-requests stale --list', ['--json']],
];

describe.each(commands)('docs %s', (name, formats) => {
  const command = name.split(' ');

  test('parts joined are one run, whatever the format, without platform and token', async () => {
    await inParts(command, 3);
    home.gateway.requests.length = 0;
    for (const format of formats) {
      const joined = await merge(...command, '--merge', 'parts', ...format.split(' '));
      expect(home.gateway.requests).toEqual([]);
      const one = await home.run([...command, ...format.split(' ')]);
      home.gateway.requests.length = 0;
      expect(printed(joined)).toEqual(printed(one));
      expect(joined.stderr).toContain('Joins 3 parts, read from ');
      expect(joined.stderr.replace(/^Joins .*\n/, '')).toBe(one.stderr);
    }
  });

  test('a part of one is all, and says of what it is a part', async () => {
    const one = await home.run([...command, '--json']);
    const part = await home.run([...command, '--json', '--shard', '1/1', '--parts', 'parts']);
    expect(printed(part)).toEqual(printed(one));
    expect(part.stderr).toContain(
      `This is part 1 of 1; "docs ${command.slice(0, 2).join(' ')} --merge parts" joins all.`,
    );
  });

  test('a folder for parts without the number of the part is refused, and nothing is read', async () => {
    home.gateway.requests.length = 0;
    const { code, stdout, stderr } = await home.run([...command, '--parts', 'parts']);
    expect({ code, stdout, requests: home.gateway.requests }).toEqual({ code: 2, stdout: '', requests: [] });
    expect(stderr).toContain('error: --parts requires --shard <i>/<n>');
  });

  test('what could not be read of a part is not read at the merge either: exit 3', async () => {
    home.refuse(/\/(?:links|teams\b.*members|spaces|comments)\?/, 403);
    const one = await home.run([...command, '--json']);
    for (const shard of shards(2)) await home.run([...command, '--shard', shard, '--parts', 'parts']);
    home.gateway.reset();
    const joined = await merge(...command, '--merge', 'parts', '--json');
    expect(printed(joined)).toEqual(printed(one));
    expect(one.code).not.toBe(0);
  });
});

describe('parts that do not belong together', () => {
  const list = ['members', 'review'];
  /** Joins nothing, and says why. */
  const expectRefused = async (code: number, why: string, ...words: string[]) => {
    const ran = await merge(...list, '--merge', 'parts', ...words, '--json');
    expect(printed(ran)).toEqual({ code, stdout: '' });
    expect(failureOf(ran.stderr).message).toContain(why);
  };
  beforeEach(() => inParts(list, 2));

  test('a part that is missing, unfinished or damaged is named: exit 3', async () => {
    const file = home.at('parts', '2-of-2', 'answers.ndjson');
    writeFileSync(file, `${readFileSync(file, 'utf8')} `);
    await expectRefused(3, 'part 2 of 2 is damaged');
    rmSync(file);
    await expectRefused(3, 'part 2 of 2 is unfinished; nothing was joined');
    rmSync(home.at('parts', '2-of-2'), { recursive: true });
    const { code, stderr } = await merge(...list, '--merge', 'parts', '--json');
    expect([code, failureOf(stderr)]).toMatchObject([
      3,
      {
        code: 'part_missing',
        hint: 'docs members review --parts parts --shard 2/2',
        details: { parts: [{ index: 2, of: 2, why: 'missing' }] },
      },
    ]);
  });

  test('another n, command, organization, platform or flag: exit 2', async () => {
    const other = await merge('access', 'matrix', '--merge', 'parts', '--json');
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('part 1 of 2 is of docs members review, not of docs access matrix');
    await expectRefused(2, '--role', '--role', 'admin');
    await expectRefused(2, 'not of other', '--org', 'other');
    await expectRefused(2, 'of platform sandbox', '--base-url', 'https://docs.example.com');
    await home.run([...list, '--role', 'admin', '--shard', '2/2', '--parts', 'parts']);
    await expectRefused(2, 'part 2 of 2 was read with another --role than part 1 of 2; nothing was joined');
    await home.run([...list, '--shard', '1/3', '--parts', 'parts']);
    await expectRefused(2, 'of 2 and of 3');
    expect((await merge(...list, '--merge', 'none')).code).toBe(2);
  });

  test('parts of different nights are joined, and that is said even with --quiet', async () => {
    const file = home.at('parts', '1-of-2', 'answers.ndjson');
    const [head = '', ...rest] = readFileSync(file, 'utf8').split('\n');
    const end = JSON.parse(rest.at(-2) ?? '') as { end: Record<string, unknown> };
    const lines = [
      JSON.stringify({ ...(JSON.parse(head) as object), startedAt: '2026-01-01T00:00:00.000Z' }),
      ...rest.slice(0, -2),
      '',
    ];
    end.end.sha256 = createHash('sha256').update(lines.join('\n')).digest('hex');
    writeFileSync(file, `${lines.join('\n')}${JSON.stringify(end)}\n`);
    const { code, stderr } = await home.run([...list, '--merge', 'parts', '--quiet']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /The parts are of different times: part 1 of 2 started [\d,]+ hours before part 2 of 2/,
      ),
    });
  });
});

describe('flags', () => {
  test.each([
    ['links check --shard 1/2', 'missing_parts'],
    ['links check --parts p', 'contradiction'],
    ['links check --shard 1/2 --merge p', 'contradiction'],
    ['links check --shard 1/2 --parts p --baseline b.json --update-baseline', 'contradiction'],
    ['access matrix --shard 1/2 --parts p --limit 1', 'contradiction'],
    ['change-requests stale --merge p', 'contradiction'],
    ['members review --shard 0/2 --parts p', 'invalid_shard'],
    ['backup run --out p --shard 3/2', 'invalid_shard'],
    ['backup run --out p --shard 1/2 --keep 3', 'contradiction'],
    ['links check --pace 0', 'invalid_pace'],
    ['links check --pace -1', 'invalid_pace'],
    ['links check --pace fast', 'not_a_number'],
  ])('%s: exit 2, and nothing is sent', async (words, error) => {
    const ran = await home.run([...words.split(' '), '--json']);
    expect(failure(ran)).toEqual([2, error]);
    expect(ran.stdout).toBe('');
    expect(home.gateway.requests).toEqual([]);
    expect(existsSync(home.at('p'))).toBe(false);
  });

  test('--fail-on and --html at a merge need what the parts have read', async () => {
    await inParts(['links', 'check'], 2);
    const failOn = await merge('links', 'check', '--merge', 'parts', '--fail-on', 'in-app', '--json');
    expect(failure(failOn)).toEqual([2, 'other_parts']);
    const html = await merge('links', 'check', '--merge', 'parts', '--html', 'x.html', '--json');
    expect([html.code, failureOf(html.stderr).message]).toEqual([
      2,
      '--html needs parts that were read with --html, too; nothing was joined',
    ]);
  });

  test('parts that were read for a page are joined with it and without it', async () => {
    const one = await home.run(['links', 'check', '--html', 'one.html', '--json']);
    for (const shard of shards(2))
      await home.run(['links', 'check', '--html', 'part.html', '--shard', shard, '--parts', 'parts']);
    const page = await merge('links', 'check', '--merge', 'parts', '--html', 'joined.html', '--json');
    expect(printed(page)).toEqual(printed(one));
    const plain = await merge('links', 'check', '--merge', 'parts', '--json');
    expect(printed(plain)).toEqual(printed(one));
    for (const name of ['one.html', 'joined.html']) expect(existsSync(home.at(name))).toBe(true);
  });

  test('a dry run writes no part', async () => {
    const { code } = await home.run(['links', 'check', '--shard', '1/2', '--parts', 'parts', '--dry-run']);
    expect([code, existsSync(home.at('parts'))]).toEqual([0, false]);
  });

  test('a part of stale that changes something warns in its spaces alone', async () => {
    const words = ['change-requests', 'stale', '--older-than', '1ms', '--dry-run', '--json'];
    const ran = await Promise.all(shards(2).map((shard) => home.run([...words, '--shard', shard])));
    const whole = await home.run(words);
    const paths = (text: string) => text.match(/\/v1\/spaces\/[^"]*comments/g) ?? [];
    expect(ran.flatMap(({ stdout }) => paths(stdout)).sort()).toEqual(paths(whole.stdout).sort());
  });
});
