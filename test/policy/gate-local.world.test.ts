import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTree } from '../../src/cli/declare/outline.js';
import { gatedCommand } from '../../src/cli/run/policy-gate.js';
import { groups } from '../../src/commands/index.js';
import { opened } from '../opened.js';
import { firstOfEach } from '../some-of.js';
import { files, lineOf } from './gate-lines.js';
import { openGateWorld } from './gate-world.js';

/** Commands that only read write nothing on this machine, whatever they are given. */

const world = opened(openGateWorld);

/** The approval goes beside the plan that is named; a ping is journalled as every request that is not a GET. */
const others = ['approve', 'orgs ping'];
/** Flags with which a command does not only read. */
const changing = ['--install', '--yes'];
/** Caches, and the database of the sandbox: whatever uses it first fills it. */
const filled = /^\.cache\/|^\.local\/share\/docs\/sandbox\.db/;

const reading = firstOfEach(await commandTree(groups), ({ path, command: { spec, operations } }) =>
  // Those over operations differ in what they print alone.
  spec === undefined ? path : [operations[0]?.method, operations[0]?.returns.kind].join(),
).filter(
  ({ path, command }) =>
    !others.includes(path) &&
    !path.startsWith('mcp') &&
    gatedCommand(path, command, { globals: {}, input: { args: {}, options: {} } }).effect === 'read',
);

it('does not run a script where reading alone is allowed, not even in a rehearsal', async () => {
  world.write('run.sh', 'touch ran\n');
  const denied = await world.run(['rehearse', '--script', 'run.sh', '--org', 'o1'], 'allow: [read]\n');
  expect(denied).toMatchObject({ code: 5, error: { code: 'policy_denied' }, sent: [] });
  const sandboxed = await world.run(['rehearse', '--sandbox', '--script', 'run.sh'], 'allow: [read]\n');
  expect(sandboxed).toMatchObject({ code: 5, error: { code: 'policy_denied' }, sent: [] });
  expect(readdirSync(world.home)).not.toContain('ran');
});

/** Every file below the home, with its bytes. */
function state(): Map<string, string> {
  const names = readdirSync(world.home, { recursive: true }).map(String);
  const whole = names.filter((name) => !filled.test(name) && statSync(join(world.home, name)).isFile());
  return new Map(whole.sort().map((name) => [name, readFileSync(join(world.home, name), 'latin1')]));
}

describe('a command that is declared to read', () => {
  it.each(reading)('leaves no file behind: docs $path', async ({ path, command }) => {
    rmSync(world.home, { recursive: true, force: true });
    mkdirSync(world.home);
    for (const [name, text] of Object.entries(files)) world.write(name, text);
    world.write('.config/docs/config.json', '{"version":1}');
    const before = state();
    const words = lineOf(path, command) ?? [];
    await world.run(path === 'completion' ? words.filter((word) => !changing.includes(word)) : words);
    expect(state()).toEqual(before);
  });
});
