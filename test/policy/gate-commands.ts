import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/api/resources/index.js';
import type { Command } from '../../src/cli/declare/command.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { gatedCommand } from '../../src/cli/run/policy-gate.js';
import { groups } from '../../src/commands/index.js';
import { namedResources } from '../../src/model/resources.js';
import { opened } from '../opened.js';
import type { SomeOf } from '../some-of.js';
import { files, lineOf, rawOf } from './gate-lines.js';
import { type GateRan, openGateWorld } from './gate-world.js';

/**
 * Commands under every kind of policy: nothing is sent where it is denied.
 * @param pick which commands are tried
 */
export async function holdGates(pick: SomeOf): Promise<void> {
  const world = opened(openGateWorld);
  beforeAll(() => {
    for (const [name, text] of Object.entries(files)) world.write(name, text);
  });

  const tree = await commandTree(groups);
  /** They wait for others, or start programs, and send nothing to the platform. */
  const notRun = ['sandbox start', 'sandbox stop', 'sandbox exec'];
  const commands = tree.map(({ path, command }) => {
    const words = lineOf(path, command);
    const options = Object.fromEntries((command.changesWith ?? []).map((flag) => [flag, true]));
    const { effect, carrier } = gatedCommand(path, command, { globals: {}, input: { args: {}, options } });
    return { path, command, words, effect, carrier };
  });
  type Case = (typeof commands)[number];
  /** What decides how a policy treats a command. */
  const kindOf = ({ command, effect, carrier }: Case) => {
    const [op] = command.operations;
    const params = (op?.path ?? '').split('{').length;
    const plans = command.options.some(({ name }) => name === 'save-plan');
    return [command.spec !== undefined, op?.method, params, command.danger, effect, carrier, plans].join();
  };
  /** Of commands written by hand, each declares its own effect. */
  const byEffect = (one: Case) => (one.command.spec === undefined ? one.path : kindOf(one));
  const ran = commands.filter(({ path }) => !notRun.includes(path));
  /** What tells why something is denied is never denied. */
  const free = ({ command, effect }: { command: Command; effect: string }) =>
    command.repairs === true && effect === 'read';
  const changing = ran.filter(({ effect }) => effect !== 'read');
  const reading = ran.filter(({ effect }) => effect === 'read');
  const sending = changing.filter(({ effect }) => effect !== 'local');

  /** Denied before anything was read. */
  const deniedAtOnce = { code: 5, error: 'policy_denied', sent: [] };
  const told = ({ code, error, sent }: GateRan) => ({ code, error: error?.code, sent });
  const run = (words: string[] | undefined, policy?: string) =>
    world.run(words ?? [], policy, { stdin: 'x' });

  it('every command has a line here', () => {
    expect(commands.filter(({ words }) => words === undefined).map(({ path }) => path)).toEqual([]);
  });

  describe('without a policy', () => {
    it.each(pick(ran, kindOf))('docs $path is not denied', async ({ words }) => {
      expect((await run(words)).error?.code).not.toBe('policy_denied');
    });
  });

  describe('a policy that only allows to read', () => {
    const policy = 'allow: [read]\n';

    it.each(pick(reading, kindOf))('does not deny docs $path', async ({ words }) => {
      const { error, writes } = await run(words, policy);
      expect(error?.code).not.toBe('policy_denied');
      expect(writes).toEqual([]);
    });

    it.each(pick(changing, byEffect).filter(({ carrier }) => !carrier))(
      'denies docs $path',
      async ({ words, command }) => {
        const found = await run(words, policy);
        if (command.repairs === true) return;
        expect(told(found)).toEqual(deniedAtOnce);
        expect(found.error?.details).toMatchObject({ line: 1, rule: 'default: deny', verdict: 'deny' });
      },
    );

    it.each(pick(changing, byEffect).filter(({ carrier }) => carrier))(
      'sends no change for docs $path',
      async ({ words }) => {
        expect((await run(words, policy)).writes).toEqual([]);
      },
    );
  });

  describe('a list of what is allowed', () => {
    it.each(pick(ran, kindOf))('lets docs $path through by its name', async ({ path, words }) => {
      const { error } = await run(words, `allow: [read, "*"]\nask: []\n# ${path}\n`);
      expect(error?.code).not.toBe('policy_denied');
    });

    it.each(pick(changing, kindOf).filter(({ carrier }) => !carrier))(
      'denies docs $path where it names another',
      async ({ path, words, command }) => {
        if (command.repairs === true) return;
        const other = path === 'teams update' ? 'teams delete' : 'teams update';
        expect(told(await run(words, `allow: [read, "${other}"]\n`))).toEqual(deniedAtOnce);
      },
    );
  });

  describe('a rule that denies a command', () => {
    it.each(pick(ran, byEffect).filter((one) => !free(one)))(
      'denies docs $path',
      async ({ path, words, command }) => {
        if (command.repairs === true) return;
        const found = await run(words, `default: allow\ndeny: ["${path}"]\n`);
        expect(told(found)).toEqual(deniedAtOnce);
        expect(found.error?.details).toMatchObject({ line: 3, rule: path, verdict: 'deny' });
        expect(found.stdout).toBe('');
      },
    );
  });

  describe('a rule that asks for an approval', () => {
    const policy = 'default: allow\nask: ["*"]\n';

    it.each(pick(sending, byEffect).filter(({ carrier }) => !carrier))(
      'holds docs $path back',
      async ({ words, command }) => {
        const found = await run(words, policy);
        expect(told(found)).toEqual(deniedAtOnce);
        expect(found.error?.details).toMatchObject({ rule: '*', verdict: 'ask' });
        const plans = command.options.some(({ name }) => name === 'save-plan');
        if (plans) expect(found.error?.hint).toMatch(/^docs .* --save-plan plan\.json/);
        else expect(found.error?.hint).toBe('docs policy explain');
      },
    );

    it.each(pick(sending, byEffect).filter(({ carrier }) => carrier))(
      'sends no change for docs $path',
      async ({ words }) => {
        expect((await run(words, policy)).writes).toEqual([]);
      },
    );
  });

  describe('a budget that is spent', () => {
    it.each(pick(sending, byEffect))('sends no change for docs $path', async ({ words, command }) => {
      const { writes, error } = await run(words, 'default: allow\nbudget: { writes: 0/day }\n');
      expect(writes).toEqual([]);
      if (command.spec !== undefined) expect(error?.code).toBe('policy_denied');
    });
  });

  describe('a policy for another organization', () => {
    const policy = 'default: allow\norgs: [o-other]\n';

    it.each(pick(sending, byEffect))('sends no change for docs $path', async ({ words }) => {
      expect((await run(words, policy)).writes).toEqual([]);
    });

    const inOrg = ran.filter(({ command }) => command.operations[0]?.path.startsWith('/v1/orgs/{'));
    it.each(pick(inOrg, kindOf).filter(({ command }) => command.spec !== undefined))(
      'sends nothing for docs $path',
      async ({ words }) => {
        expect(told(await run(words, policy))).toEqual(deniedAtOnce);
      },
    );
  });

  describe('a resource that is protected', () => {
    it.each(pick(sending, kindOf).filter(({ command }) => command.spec !== undefined))(
      'is not changed by docs $path',
      async ({ path, words, command }) => {
        const [op] = command.operations;
        if (op === undefined) return;
        const parts = rawOf(path, command, op).words[2]?.split('?')[0]?.split('/') ?? [];
        const named = op.path.split('/').flatMap((part, at) => {
          const kind = namedResources.find(({ parameter }) => `{${parameter}}` === part);
          return kind === undefined
            ? []
            : [`"${kind.printed.argument}:${decodeURIComponent(parts[at] ?? '')}"`];
        });
        const last = named.at(-1);
        if (last === undefined) return;
        const policy = `default: allow\nprotect: [${last}]\n`;
        const { writes, error } = await run(words, policy);
        expect(writes).toEqual([]);
        expect(error?.code).toBe('policy_denied');
      },
    );
  });

  describe('docs api', () => {
    const pairs = commands.flatMap((one) =>
      one.command.spec === undefined ? [] : one.command.operations.map((op) => ({ ...one, op, id: op.id })),
    );

    it('is tried for every operation', () => {
      expect(new Set(pairs.map(({ op }) => op))).toEqual(new Set(operations));
    });

    it.each(pick(pairs, kindOf))('gets the verdict of the command for $id', async ({ path, command, op }) => {
      const { words, stdin = '' } = rawOf(path, command, op);
      const by = (policy: string) => world.run(words, policy, { stdin });
      const changes = op.method !== 'GET' && op.id !== 'orgs.ping';
      const denied = await by(`default: allow\ndeny: ["${path}"]\n`);
      expect(told(denied)).toEqual(deniedAtOnce);
      expect(denied.error?.details).toMatchObject({ rule: path });
      const unlisted = await by('allow: [read]\n');
      expect(unlisted.error?.code === 'policy_denied').toBe(changes);
      expect(unlisted.writes).toEqual([]);
      // The guards of members and links read the admins, and how they sign in.
      const listed = await by(`allow: ["${path}", "members list", "orgs get", "saml list"]\n`);
      expect(listed.error?.code).not.toBe('policy_denied');
      const asked = await by(`default: allow\nask: ["${path}"]\n`);
      expect(asked.error?.details?.verdict).toBe(changes ? 'ask' : undefined);
      expect(asked.writes).toEqual([]);
    });
  });

  it('the platform saw what the tests saw', async () => {
    expect((await world.logged()).sort()).toEqual([...world.seen].sort());
  });
}
