import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/api/client.js';
import { deleteSpace } from '../../../src/api/resources/spaces.js';
import { shellWords } from '../../../src/base/shell-word.js';
import type { Session } from '../../../src/cli/declare/session.js';
import { impactCommands, impactOf } from '../../../src/cli/run/impact.js';
import { impactKinds } from '../../../src/commands/impact/kinds.js';
import { hashOfPlan, writePlan } from '../../../src/plans/file.js';
import type { Plan } from '../../../src/plans/plan.js';
import { fakeIo } from '../../fake-io.js';
import { opened } from '../../opened.js';
import { openGateWorld } from '../../policy/gate-world.js';
import { seedId } from '../../sandbox/client.js';

/** What changes would break elsewhere is told in dry runs and plans, and costs nothing anywhere else. */

const world = opened(openGateWorld);

const org = seedId('org acme');
const welcome = seedId('space welcome');
const docs = (words: string[], policy?: string) => world.run(words, policy, { env: { DOCS_ORG: org } });
const planIn = (name: string) => JSON.parse(readFileSync(join(world.home, name), 'utf8')) as Plan;
const idsOf = async (words: string[]) =>
  (JSON.parse((await docs(words)).stdout) as { id: string }[]).map(({ id }) => id);

/** Reads that only an impact needs. */
const further = (sent: readonly string[]) =>
  sent.filter((one) => /\/links|\/members\/|\/site-spaces|\/sections|\/content/.test(one));

describe('a deletion', () => {
  it('tells in a dry run what it would break', async () => {
    const { code, stderr, writes } = await docs(['spaces', 'delete', welcome, '--dry-run']);
    expect([code, writes]).toEqual([0, []]);
    expect(stderr).toContain('published URLs stop working.\n');
    expect(stderr).toMatch(/\d people lose access\.\n/);
    expect(stderr).toContain(`"docs impact delete space ${welcome}" shows all of it.\n`);
  });

  it('tells it in its plan, beside what goes with it, and rests on none of it', async () => {
    const { code } = await docs(['spaces', 'delete', welcome, '--save-plan', 'space.json']);
    const { risks, impact, operations, ...head } = planIn('space.json');
    expect(code).toBe(0);
    expect(risks).toEqual(
      expect.arrayContaining([
        '1 site publishes it: Acme Docs.',
        '1 change request is open.',
        expect.stringContaining('published URLs stop working.'),
        `"docs impact delete space ${welcome}" shows all of it.`,
      ]),
    );
    // What is told beside it is not told again.
    expect(risks.filter((risk) => /change request|site space|restored/.test(risk))).toHaveLength(3);
    expect(impact).toMatchObject({ unknown: 0, dependents: { 'change-request': 2 } });
    expect(impact?.urls).toBeGreaterThan(0);
    expect(operations.map(({ reads }) => reads?.paths)).toEqual([[`/v1/spaces/${welcome}`]]);
    // A plan from before is whole without it.
    const old = { ...head, risks, operations };
    await writePlan(fakeIo({ cwd: world.home }), 'old.json', { ...old, hash: hashOfPlan(old) } as Plan);
    expect((await docs(['plan', 'show', 'old.json'])).code).toBe(0);
  });

  it('leaves the error of an apply the one line on stderr, with --json', async () => {
    const made = await docs(['teams', 'create', '--title', 'Short lived', '--json']);
    const { id } = JSON.parse(made.stdout) as { id: string };
    await docs(['teams', 'delete', id, '--save-plan', 'team.json']);
    expect(planIn('team.json').risks).not.toEqual([]);
    await docs(['teams', 'update', id, '--title', 'Renamed since']);
    const { code, stderr } = await docs(['apply', 'team.json', '--yes', '--json']);
    expect(code).not.toBe(0);
    expect(JSON.parse(stderr)).toMatchObject({ error: { exitCode: code } });
  });

  it('reads nothing of it where nobody is asked', async () => {
    const refused = await docs(['spaces', 'delete', welcome]);
    expect([refused.code, refused.sent]).toEqual([2, []]);
    const [team = ''] = await idsOf(['teams', 'list']);
    const { code, sent, writes } = await docs(['teams', 'delete', team, '--yes']);
    expect([code, writes]).toEqual([0, [`DELETE /v1/orgs/${org}/teams/${team}`]]);
    expect(further(sent)).toEqual([]);
  });

  it('of many is looked at as one, without what is not there', async () => {
    const [first = '', second = ''] = await idsOf(['spaces', 'list']);
    const { code, stderr } = await docs(['spaces', 'delete', first, 'nowhere', second, '--dry-run']);
    expect(code).toBe(0);
    expect(stderr).toContain('Could not look at 1 space.\n');
    expect(stderr).toMatch(/\d people lose access/);
  });

  it('says what a policy keeps it from looking at', async () => {
    const policy = 'default: allow\ndeny: ["change-requests list"]\n';
    const { code, stderr, writes } = await docs(['spaces', 'delete', welcome, '--dry-run'], policy);
    expect([code, writes]).toEqual([0, []]);
    expect(stderr).toContain('Could not look at the open change requests and the draft change requests.\n');
    expect(stderr).toContain('published URLs stop working.\n');
  });
});

describe('moves and renames', () => {
  it('of a space: shown in a dry run, and no request more in a run', async () => {
    const [collection = ''] = await idsOf(['collections', 'list']);
    const move = ['spaces', 'move', welcome, '--parent', collection];
    const rehearsed = await docs([...move, '--dry-run']);
    expect(rehearsed.code).toBe(0);
    expect(rehearsed.stderr).toMatch(/Found nothing else|shows all of it/);
    const { code, sent, writes } = await docs(move);
    expect([code, writes]).toEqual([0, [`POST /v1/spaces/${welcome}/move`]]);
    expect(further(sent)).toEqual([]);
  });

  it('in an organization as code: nothing is read where nothing moves, else the plan tells it', async () => {
    expect((await docs(['pull'])).code).toBe(0);
    const sites = join(world.home, 'org', 'sites');
    const file = join(sites, readdirSync(sites).find((name) => name.endsWith('.yaml')) ?? '');
    const same = await docs(['plan']);
    expect(same.sent.filter((one) => /\/links|\/content\//.test(one))).toEqual([]);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/path: \S+/, 'path: elsewhere'));
    const { code, stdout, writes } = await docs(['plan']);
    const { risks, impact } = JSON.parse(stdout) as Plan;
    expect([code, writes]).toEqual([0, []]);
    expect(risks.join('\n')).toMatch(/published URLs? changes?/);
    expect(impact?.urls).toBeGreaterThan(0);
    writeFileSync(file, text);
  });
});

describe('the time for it', () => {
  it('ends what is under way, and says so', async () => {
    const io = fakeIo();
    const transport = {
      send: ({ signal }: { signal?: AbortSignal }) =>
        new Promise<never>((_, fail) => {
          signal?.addEventListener('abort', () => fail(signal.reason));
        }),
      download: () => Promise.reject(new Error('it only reads')),
      platformNowMs: undefined,
      close: async () => {},
    };
    const session = { io, globals: {}, settings: {} } as unknown as Session;
    const requests = [{ op: deleteSpace, input: { path: { spaceId: 's1' } } }];
    const found = impactOf(session, async () => createClient(transport), requests, { seconds: 10 });
    await io.advance(9_999);
    await io.advance(1);
    expect((await found)?.lines).toEqual(['Could not look at 1 space within 10 s.']);
  });
});

describe('the command that shows all of it', () => {
  const session = { io: fakeIo(), globals: { profile: 'work' } };
  const ids = { siteId: 'w1', spaceId: 's1' };
  it.each(impactKinds.flatMap((kind) => kind.actions.map((action) => [action, kind] as const)))(
    'is one of docs impact: %s %o',
    async (action, { word, object, within }) => {
      const names = within.filter((name) => name !== 'changeRequestId');
      const own = Object.fromEntries(names.map((name) => [name, ids[name]]));
      const thing = { object, id: 'x1', ...(names.length > 0 && { within: own }) };
      const [command = ''] = impactCommands(session, [{ action, things: [thing] }]);
      expect(command).toMatch(new RegExp(`^docs impact ${action} ${word} x1`));
      const ran = await world.run([...shellWords(command).slice(1), '--help']);
      expect(ran.code).toBe(0);
    },
  );
});
