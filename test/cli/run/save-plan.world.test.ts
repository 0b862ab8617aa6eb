import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { operations } from '../../../src/api/resources/index.js';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import type { Plan, PlanHead } from '../../../src/plans/plan.js';
import { sample } from '../../api/sample-value.js';
import { opened } from '../../opened.js';
import { type Answer, startRecordingPlatform } from './recording-platform.js';
import { inKeyOrder, operationCases, type SentRequest } from './request-cases.js';

/** `--save-plan` on every command: what it would send becomes a file, and nothing but reads is sent. */

const platform = opened(startRecordingPlatform);
let file: string;
beforeAll(() => {
  file = join(platform.home, 'plan.json');
});
beforeEach(() => rmSync(file, { force: true }));

const tree = await commandTree(groups);
const changes = ({ method }: { method: string }) => method !== 'GET';

/** Commands that make the changes of others; all else follows from the operations. */
const ofOthers = ['api', 'bulk', 'undo'];
/** They make a plan of a folder, of impacts, or of another command, and have the flag for that. */
const makers = ['plan', 'impact transfer', 'rehearse'];
/** Its changes are those of a plan, or of files, which `docs plan` makes plans of. */
const appliers = ['apply'];
/** All that it sends beside reads is a ping, which shows whose token it is. */
const pingers = ['auth login', 'change-requests inbox'];

describe('the flag', () => {
  it.each(tree)('docs $path', ({ path, command }) => {
    const expected =
      ofOthers.includes(path) ||
      makers.includes(path) ||
      (command.operations.some(changes) && ![...appliers, ...pingers].includes(path));
    expect(command.options.some(({ name }) => name === 'save-plan')).toBe(expected);
  });
});

/** An answer with everything that the declaration names, so that whatever rests on it finds it. */
function answerOf({ returns, success }: AnyOperation): Answer {
  const status = typeof success === 'number' ? success : success[0];
  if (returns.kind === 'none') return { status };
  if (returns.kind === 'page') return { status, body: { items: [sample(returns.item)] } };
  return { status, body: sample(returns.schema) };
}

function answerTo({ method, path }: SentRequest): Answer {
  const parts = path.split('/');
  const fits = (op: AnyOperation) => {
    const wanted = op.path.split('/');
    return (
      wanted.length === parts.length && wanted.every((part, at) => part[0] === '{' || part === parts[at])
    );
  };
  const op = operations.find((one) => one.method === method && fits(one));
  return op === undefined ? { status: 404 } : answerOf(op);
}

/** The same with lists that hold something under each id of a path: a change of what is not there has no plan. */
function answerWith(path: string): (request: SentRequest) => Answer {
  const ids = path.split('/').slice(1).map(decodeURIComponent);
  return (request) => {
    const answer = answerTo(request);
    const { items } = (answer.body ?? {}) as { items?: unknown[] };
    // Who is deleted must not be the last admin of the organization.
    if (items === undefined || /^\/v1\/orgs\/[^/]+\/members$/.test(request.path)) return answer;
    const named = ids.flatMap((id) => items.map((item) => underId(item, id)));
    return { ...answer, body: { items: [...items, ...named] } };
  };
}

/** A copy in which all that has an id has this one. */
function underId(value: unknown, id: string): unknown {
  if (Array.isArray(value)) return value.map((part) => underId(part, id));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === 'id' ? id : underId(part, id)]),
  );
}

const cases = (await operationCases('most')).filter(({ op }) => changes(op));

/** The requests of a plan as the platform would get them. */
function requestsOf({ operations: planned }: Plan): SentRequest[] {
  return planned.flatMap(({ request }) => {
    if (request === undefined) return [];
    const { method, path, query = {}, body } = request;
    const pairs = Object.entries(query).flatMap(([key, value]) =>
      [value].flat().map((one): [string, string] => [key, String(one)]),
    );
    return [{ method, path, query: inKeyOrder(pairs), body }];
  });
}

const saved = () => JSON.parse(readFileSync(file, 'utf8')) as Plan;

describe('a plan', () => {
  it.each(cases)('$name', async ({ words, expected }) => {
    const answers = answerWith(expected.path);
    const ran = await platform.run([...words, '--save-plan', file, '--json'], answers);
    expect({ code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({ code: 0, stderr: '' });
    expect(ran.sent.filter(changes)).toEqual([]);
    expect(requestsOf(saved())).toEqual([expected]);

    const rehearsed = await platform.run([...words, '--dry-run', '--json'], answerTo);
    const { method, path, body } = JSON.parse(rehearsed.stdout) as SentRequest;
    const url = new URL(path, 'http://platform');
    expect({ method, path: url.pathname, query: inKeyOrder(url.searchParams), body }).toEqual(expected);
  });

  const update = ['members', 'update', 'u1', 'u2', '--role', 'read', '--org', 'o1'];
  const save = (...words: string[]) =>
    platform.run([...update, '--save-plan', 'plan.json', ...words], answerTo);

  it('tells what it holds, on a terminal in a sentence', async () => {
    const io = { terminals: ['stdout', 'stderr'] as const };
    const ran = await platform.run([...update, '--save-plan', 'plan.json'], answerTo, io);
    expect(ran.stdout).toBe(
      '\u001b[32m✓\u001b[39m Saved a plan of 2 changes to plan.json. Apply it with "docs apply plan.json".\n',
    );
  });

  it.each([
    ['ask: ["members update"]', 'have another person run "docs plan approve plan.json --policy p.yaml"'],
    ['ask: ["*"]\napprove: { from: git, remote: /r.git, branch: main }', 'merge it into main'],
  ])('names the approval that a policy requires first: %s', async (rules, how) => {
    writeFileSync(join(platform.home, 'p.yaml'), `version: 1\ndefault: allow\n${rules}\n`);
    const io = { terminals: ['stdout', 'stderr'] as const };
    const words = [...update, '--save-plan', 'plan.json', '--policy', 'p.yaml'];
    const { code, stdout } = await platform.run(words, answerTo, io);
    const apply = '"docs apply plan.json --policy p.yaml"';
    const sentence = `\u001b[32m✓\u001b[39m Saved a plan of 2 changes to plan.json. The policy requires an approval: ${how}, then run ${apply}. `;
    expect({ code, stdout: stdout.replaceAll(/\n */g, ' ') }).toEqual({ code: 0, stdout: sentence });
    rmSync(file);
    writeFileSync(join(platform.home, 'p.yaml'), 'version: 1\ndefault: allow\nask: ["teams *"]\n');
    const plain = (await platform.run(words, answerTo, io)).stdout;
    expect(plain.replaceAll(/\n */g, ' ')).toContain(`plan.json. Apply it with ${apply}.`);
  });

  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO1Z0mEmNqcHGIh6Nv4xC6bC3nIhP5rEw5qIiGm0dQ2R';
  const asking = `version: 1
default: allow
deny: ["members update role=admin"]
ask: ["members update"]
approve: { by: [{ email: ada@acme.example, key: ${key} }], rehearse: true, fourEyes: true }
`;

  it('says of each change that it needs an approval, by which rule, and which approval', async () => {
    writeFileSync(join(platform.home, 'p.yaml'), asking);
    const words = [...update, '--save-plan', 'plan.json', '--policy', 'p.yaml'];
    const io = { terminals: ['stdout', 'stderr'] as const };
    const { stderr } = await platform.run(words, answerTo, io);
    const told = stderr.replaceAll(/\n */g, ' ').replaceAll(`${platform.home}/`, '');
    for (const user of ['u1', 'u2'])
      expect(told).toContain(
        `Policy requires an approval of PATCH /v1/orgs/o1/members/${user} ("members update", p.yaml:4).`,
      );
    expect(told).toContain(
      'p.yaml takes two signatures of different people of ada@acme.example, and not of who made the plan, after a rehearsal.',
    );
  });

  it('has denials, requests to approve and the required approval in JSON', async () => {
    writeFileSync(join(platform.home, 'p.yaml'), asking);
    const ran = await platform.run(
      [...update, '--role', 'admin', '--save-plan', 'plan.json', '--policy', 'p.yaml', '--json'],
      answerTo,
    );
    const patch = (user: string) => ({ what: `PATCH /v1/orgs/o1/members/${user}` });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      policy: {
        denied: [
          { ...patch('u1'), rule: 'members update role=admin', line: 3 },
          { ...patch('u2'), rule: 'members update role=admin', line: 3 },
        ],
      },
    });
    rmSync(file);
    const other = await save('--policy', 'p.yaml', '--json');
    expect(JSON.parse(other.stdout)).toMatchObject({
      policy: {
        denied: [],
        asks: [
          {
            ...{ rule: 'members update', line: 4, by: ['ada@acme.example'], needed: 2 },
            ...{ rehearse: true, fourEyes: true },
            requests: [
              { what: 'docs members update', rule: 'members update' },
              { ...patch('u1'), rule: 'members update', line: 4 },
              { ...patch('u2'), rule: 'members update', line: 4 },
            ],
          },
        ],
      },
    });
  });

  it('prints its head with --json, and id and status in a pipe', async () => {
    const head = JSON.parse((await save('--json')).stdout) as PlanHead & { status: string; file: string };
    const { operations: _, ...expected } = saved();
    expect(head).toEqual({ ...expected, status: 'planned', file: 'plan.json' });
    expect(head).toMatchObject({
      command: 'members update',
      line: [...update, '--save-plan', 'plan.json', '--json'],
      organization: 'o1',
      origin: platform.url,
      by: 'unknown',
      counts: { update: 2 },
    });
    expect((await save('--yes')).stdout).toBe(`${saved().id}\tplanned\n`);
  });

  it('is readable by its owner alone', async () => {
    await save();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('overwrites a file with --yes only, and reads nothing before', async () => {
    writeFileSync(file, 'mine');
    const refused = await save('--json');
    expect([refused.code, (JSON.parse(refused.stderr) as { error: { code: string } }).error.code]).toEqual([
      2,
      'file_exists',
    ]);
    expect([refused.sent, readFileSync(file, 'utf8')]).toEqual([[], 'mine']);
    expect((await save('--yes')).code).toBe(0);
    expect(saved().operations).toHaveLength(2);
  });

  it.each([
    [['--dry-run'], 'contradiction'],
    [['--fields', 'nothing'], 'unknown_field'],
  ])('with %j is refused before anything is read', async (words, code) => {
    const ran = await save(...words, '--json');
    expect(ran.code).toBe(2);
    expect((JSON.parse(ran.stderr) as { error: { code: string } }).error.code).toBe(code);
    expect([ran.sent, existsSync(file)]).toEqual([[], false]);
  });

  it('needs a folder that is there', async () => {
    const ran = await platform.run([...update, '--save-plan', 'none/plan.json', '--json'], answerTo);
    expect([ran.code, ran.sent]).toEqual([13, []]);
  });

  it('holds no secret of the command line', async () => {
    const ran = await platform.run(
      [
        '--save-plan',
        file,
        'api',
        'PATCH',
        '/v1/orgs/o1/members/u1',
        '-f',
        'role=read',
        '-f',
        'token=token-of-a-test',
      ],
      answerTo,
    );
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    expect(`${text}${ran.stdout}${ran.stderr}`).not.toContain('token-of-a-test');
  });
});

describe('docs api', () => {
  const plan = (...words: string[]) =>
    platform.run(['api', ...words, '--save-plan', file, '--json'], answerTo);
  const codeOf = ({ stderr }: { stderr: string }) =>
    (JSON.parse(stderr) as { error: { code: string } }).error.code;

  it('becomes the plan of the operation that it calls', async () => {
    expect((await plan('PATCH', '/v1/orgs/o1/members/u1', '-f', 'role=read')).stderr).toBe('');
    const [operation] = saved().operations;
    expect(operation?.request).toMatchObject({
      operation: 'members.update',
      method: 'PATCH',
      path: '/v1/orgs/o1/members/u1',
      body: { role: 'read' },
    });
  });

  it.each([
    ['a read', ['/v1/orgs']],
    ['an unknown path', ['POST', '/v1/unknown', '-f', 'a=b']],
    ['a header', ['DELETE', '/v1/orgs/o1/members/u1', '-H', 'x-trace:1']],
    ['a body that no declaration has', ['DELETE', '/v1/orgs/o1/members/u1', '-f', 'a=b']],
    ['a body that its declaration refuses', ['PATCH', '/v1/orgs/o1/members/u1', '-F', 'role=5']],
  ])('%s cannot be planned', async (_, words) => {
    const ran = await plan(...words);
    expect([ran.code, codeOf(ran), ran.sent, existsSync(file)]).toEqual([2, 'not_plannable', [], false]);
  });
});
