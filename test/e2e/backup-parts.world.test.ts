import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { away, failureOf, filesIn, homeOfFile, shards } from './backup-home.js';

/** A backup in parts, joined: that of one run, or refused. */

const home = homeOfFile({ goesOn: true });
beforeEach(() => {
  for (const name of ['parts', 'whole', 'one']) rmSync(home.at(name), { recursive: true, force: true });
});

/** A merge needs neither platform nor token. */
const merge = (...words: string[]) => home.run(words, { env: away });

describe('a backup in parts', () => {
  const part = (shard: string, ...words: string[]) =>
    home.run(['backup', 'run', '--out', 'parts', '--shard', shard, '--json', ...words]);
  const join3 = (...words: string[]) =>
    merge('backup', 'merge', 'parts', '--out', 'whole', '--json', ...words);
  /** Puts one of two parts in place, which are made once. */
  const takePart = async (number: number) => {
    const name = `${number}-of-2`;
    if (!existsSync(home.at('two', name)))
      await home.ok(['backup', 'run', '--out', 'two', '--shard', `${number}/2`]);
    cpSync(home.at('two', name), home.at('parts', name), { recursive: true });
  };
  const withoutTimes = (folder: string) => {
    const files = filesIn(home.at(folder));
    files.delete('manifest.json');
    const text = readFileSync(home.at(folder, 'manifest.json'), 'utf8');
    return { files, manifest: text.replaceAll(/"[^"]*T\d\d:\d\d:\d\d\.\d\d\dZ"/g, '"time"') };
  };

  test('joined, it is that of one run, and all commands take it for one', async () => {
    for (const shard of shards(3)) expect((await part(shard)).code).toBe(0);
    const { code, stdout } = await join3();
    expect({ code, result: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      result: { status: 'whole', spaces: 5, unchanged: 0, failed: [] },
    });
    await home.ok(['backup', 'run', '--out', 'one']);
    expect(withoutTimes('whole')).toEqual(withoutTimes('one'));
    await home.ok(['backup', 'verify', 'whole']);
    await home.ok(['backup', 'status', 'whole', '--max-age', '1h']);
    expect(await home.ok(['backup', 'diff', 'one', 'whole', '--exit-code'])).toBe('');
    expect((await home.run(['backup', 'restore', 'whole', '--dry-run'])).code).toBe(0);
    const again = await join3();
    expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 5, moved: 0 });
    // A run without parts goes on from there.
    expect(JSON.parse((await home.run(['backup', 'run', '--out', 'whole', '--json'])).stdout)).toMatchObject({
      unchanged: 5,
    });
  });

  test('later parts read what changed alone, and what is gone goes', async () => {
    for (const number of [1, 2]) await takePart(number);
    await join3();
    const space = await home.space('Product Guide');
    await home.ok(['spaces', 'delete', space, '--yes']);
    for (const shard of shards(2)) expect((await part(shard)).code).toBe(0);
    expect(JSON.parse((await join3('--keep', '3')).stdout)).toMatchObject({
      spaces: 4,
      unchanged: 4,
      kept: 1,
    });
    expect(readdirSync(home.at('whole', 'spaces'))).not.toContain('Product Guide');
    expect((await home.run(['backup', 'verify', 'whole'])).code).toBe(0);
    const shown = await home.ok(['backup', 'show', 'whole', 'latest', '--fields', 'change,kind,title']);
    expect(shown).toContain('removed\tspace\tProduct Guide');
    await home.ok(['spaces', 'restore', space]);
  });

  test('nothing is joined where a part is missing, cut off or damaged', async () => {
    await takePart(1);
    const missing = await join3();
    expect({ code: missing.code, error: failureOf(missing.stderr) }).toMatchObject({
      code: 3,
      error: {
        code: 'part_missing',
        message: 'part 2 of 2 is missing; nothing was joined',
        hint: 'docs backup run --out parts --shard 2/2',
      },
    });
    await takePart(2);
    const at = (...names: string[]) => home.at('parts', '1-of-2', ...names);
    const part1 = at('part.json');
    const damage: (() => void)[] = [
      () => writeFileSync(part1, readFileSync(part1, 'utf8').replace('backup run', 'backup ran')),
      () => writeFileSync(at('manifest.json'), '{"format":"docs-backup/1"'),
      () => writeFileSync(at('access.json'), '[]\n'),
      () => writeFileSync(at('spaces', 'Welcome', 'space.json'), '{}'),
      () => rmSync(at('spaces', 'Welcome', 'manifest.json')),
      () => {
        rmSync(at('spaces', 'Welcome', 'pages'), { recursive: true });
        symlinkSync(home.at('two', '1-of-2', 'spaces', 'Welcome', 'pages'), at('spaces', 'Welcome', 'pages'));
      },
    ];
    const spoil = [
      ['unfinished', () => rmSync(part1)] as const,
      ...damage.map((change) => ['damaged', change] as const),
    ];
    for (const [why, change] of spoil) {
      rmSync(home.at('parts'), { recursive: true });
      cpSync(home.at('two'), home.at('parts'), { recursive: true });
      change();
      const { code, stdout, stderr } = await join3();
      expect({ code, stdout, message: failureOf(stderr).message }).toEqual({
        code: 3,
        stdout: '',
        message: expect.stringContaining(`part 1 of 2 is ${why}`),
      });
      expect(existsSync(join(home.path, 'whole', 'manifest.json'))).toBe(false);
    }
  });

  test('other flags, another organization of the target, the folder of the parts as target: exit 2', async () => {
    for (const number of [1, 2]) await takePart(number);
    await part('2/2', '--no-access');
    const flags = await join3();
    expect({ code: flags.code, message: failureOf(flags.stderr).message }).toMatchObject({
      code: 2,
      message: expect.stringContaining('--no-access'),
    });
    const same = await merge('backup', 'merge', 'parts', '--out', 'parts', '--json');
    expect(same.code).toBe(2);
    await part('2/2');
    const dry = await merge('backup', 'merge', 'parts', '--out', 'whole', '--dry-run', '--json');
    expect(dry.code).toBe(0);
    const planned = JSON.parse(dry.stdout) as { id: string }[];
    expect(planned).toMatchObject(Array(5).fill({ state: 'new' }));
    expect(planned).toEqual([...planned].sort((a, b) => (a.id < b.id ? -1 : 1)));
    expect(existsSync(home.at('whole'))).toBe(false);
  });
});
