import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stands } from '../../../src/cli/declare/define.js';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import { checkEffects, effectsOf, watchEffects } from './effects.js';
import { exceptions, keptBy, needOf, needs } from './needs.js';
import { openWorld, type World } from './world.js';

/** Every example of the reference runs as printed on a new default sandbox, and does here what is declared. */

const commands = await commandTree(groups);

let world: World;
beforeAll(async () => {
  watchEffects(true);
  world = await openWorld();
});
afterAll(() => world.close());

describe('the examples of docs', () => {
  it.each(commands)('$path', async (entry) => {
    for (const { run } of entry.command.examples) {
      if (run in exceptions) continue;
      const need = needOf(run);
      await world.prepare(need);
      const { before: _, fills: __, ...rest } = need;
      let ran = { code: -1, stdout: '', stderr: '' };
      const { effects } = await effectsOf(async () => {
        ran = await world.run(`docs ${run}`, rest);
      });
      const code = need.code ?? 0;
      expect({ run, code: ran.code, stderr: ran.code === code ? '' : ran.stderr }).toEqual({
        run,
        code,
        stderr: '',
      });
      // What runs beside it, or in a process of its own, is not told apart.
      if (need.meanwhile === undefined && need.again === undefined) {
        const redirected = / > (\S+)$/.exec(run)?.[1];
        const own = effects.filter(
          ({ what }) => redirected === undefined || !what.endsWith(`/${redirected}`),
        );
        const { undeclared } = await checkEffects(entry, run.replace(/ > \S+$/, ''), own, world);
        expect({ run, undeclared }).toEqual({ run, undeclared: [] });
      }
      const kept = keptBy(entry, run);
      if (kept !== 'all') await world.renew({ isPlatformKept: kept === 'platform' });
    }
  });
});

describe('what is said of examples', () => {
  const printed = commands.flatMap(({ command }) => command.examples.map(({ run }) => run));

  it('names examples that there are', () => {
    expect(Object.keys(exceptions).filter((run) => !printed.includes(run))).toEqual([]);
    expect(needs.filter((need) => !printed.some((run) => needOf(run) === need))).toEqual([]);
  });

  it('stands for something in one of them', () => {
    const text = printed.join(' ');
    expect(Object.values(stands).filter((typed) => !text.includes(typed))).toEqual([]);
  });

  it('leaves few of them out', () => {
    expect(Object.keys(exceptions).length).toBeLessThan(printed.length / 30);
  });
});
