import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Command, Option } from '../../src/cli/declare/command.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';
import { opened } from '../opened.js';
import { files, lineOf } from './gate-lines.js';
import { openGateWorld } from './gate-world.js';

/**
 * No flag that names a file to write takes the place of what docs or a policy owns, or writes through a link.
 * @param namesFor which of these files a flag is tried with, by its place among the flags
 */
export async function holdFiles(
  namesFor: (owned: readonly string[], at: number) => readonly string[],
): Promise<void> {
  const world = opened(openGateWorld);
  beforeEach(() => {
    rmSync(world.home, { recursive: true, force: true });
    mkdirSync(world.home);
    for (const [name, text] of Object.entries(files)) world.write(name, text);
    world.write('other.yaml', 'version: 1\n');
    const profiles = { other: { policy: join(world.home, 'other.yaml') } };
    world.write('.config/docs/config.json', JSON.stringify({ version: 1, profiles }));
    for (const name of owned.slice(2)) world.write(name, name.endsWith('.json') ? '{}' : 'owned');
    world.write('victim', 'mine');
    symlinkSync('victim', join(world.home, 'link'));
  });

  /** The policy in force, and that of another profile; settings, ledgers, keys. */
  const owned = [
    'policy.yaml',
    'other.yaml',
    '.config/docs/credentials.json',
    '.local/state/docs/audit.jsonl',
    '.local/state/docs/budget.jsonl',
    '.ssh/authorized_keys',
    '.docs.json',
  ];

  function lineFor(path: string, command: Command): readonly string[] {
    const others: Record<string, string> = {
      // With `--apply` or `--script` they do not take all of these flags.
      'members review': '--org o1',
      rehearse: '--from none -- orgs list',
    };
    const line = others[path];
    return line === undefined ? (lineOf(path, command) ?? []) : `${path} ${line}`.split(' ');
  }

  /** Of those over operations, which all write a plan in the same way, every tenth. */
  const tried = (await commandTree(groups)).filter(
    ({ command }, at) => command.spec === undefined || at % 10 === 0,
  );
  const writing = tried.flatMap(({ path, command }) =>
    command.options
      .filter((option) => option.path?.use === 'writes' && option.name !== 'editor')
      .map((option) => ({
        path,
        command,
        option,
        line: lineFor(path, command),
        flag: `--${option.name}`,
      })),
  );

  /** The line with another value of the flag. */
  function lineWith(line: readonly string[], { name }: Pick<Option, 'name'>, value: string): string[] {
    const at = line.indexOf(`--${name}`);
    const others = at < 0 ? line : line.filter((_, index) => index !== at && index !== at + 1);
    const end = others.indexOf('--');
    const [before, after] = end < 0 ? [others, []] : [others.slice(0, end), others.slice(end)];
    return [...before, `--${name}`, value, ...after];
  }

  const text = (name: string) => readFileSync(join(world.home, name), 'utf8');

  describe.each(writing.map((one, at) => ({ ...one, at })))(
    'docs $path $flag',
    ({ command, option, line, at }) => {
      it('replaces nothing that docs or a policy owns', async () => {
        for (const name of namesFor(owned, at)) {
          const found = await world.run(lineWith(line, option, name), 'default: allow\n');
          expect([name, found.code, found.error?.code, found.sent]).toEqual([name, 2, 'own_file', []]);
          expect(text(name)).toMatch(/^(?:version: 1\n.*|\{\}|owned)$/s);
        }
      });

      it.runIf(option.path?.later !== true)(
        'replaces nothing and writes nothing elsewhere under read',
        async () => {
          const further = option.path?.with === undefined ? [] : [`--${option.path.with}`];
          for (const name of ['victim', '../elsewhere']) {
            const found = await world.run(lineWith([...line, ...further], option, name), 'allow: [read]\n');
            expect([name, found.code, found.error?.code, found.sent]).toEqual([name, 5, 'policy_denied', []]);
          }
          expect(text('victim')).toBe('mine');
        },
      );

      it.runIf(command.effect !== 'local')('writes through no link', async () => {
        const found = await world.run(lineWith(line, option, 'link'), 'default: allow\n');
        expect([found.code, found.error?.code, found.sent]).toEqual([13, 'unsafe_link', []]);
        expect(text('victim')).toBe('mine');
      });
    },
  );
}
