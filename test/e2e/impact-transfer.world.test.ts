import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Impact } from '../../src/access/impact/shapes.js';
import type { Plan } from '../../src/plans/plan.js';
import { forwardedHome } from './forwarded-home.js';
import { failure } from './job-home.js';

/** From what a transfer to another organization loses to the job that makes it. */

interface Titled {
  id: string;
  title: string;
  parent?: string;
}
let spaces: Titled[] = [];
let labs = '';
const { home, sandbox, forwarder } = await forwardedHome({
  async prepare({ home: made }) {
    spaces = await made.json(['spaces', 'list']);
    const orgs = await made.json<Titled[]>(['orgs', 'list']);
    labs = orgs.find(({ title }) => title === 'Acme Labs')?.id ?? '';
  },
  edit: withReader,
});
const { org, tokens } = sandbox;
writeFileSync(join(home.path, 'spaces.txt'), 'Welcome\nAPI Reference\nBoard Notes\n');
beforeEach(() => rmSync(path(), { force: true }));

/** The seed, with the person whose token has the role review as a reader of Acme Labs. */
function withReader(exported: string): string {
  const data = JSON.parse(exported) as { tables: { members: Record<string, unknown>[] } };
  const { members } = data.tables;
  const reviewer = members.find((member) => member.org_id !== labs && member.role === 'review');
  members.push({ ...reviewer, org_id: labs, role: 'read' });
  return JSON.stringify(data);
}

function path(): string {
  return join(home.path, 'plan.json');
}
const plan = () => JSON.parse(readFileSync(path(), 'utf8')) as Plan;
const idOf = (title: string) => spaces.find((space) => space.title === title)?.id ?? title;
const sent = ({ operations }: Plan) => operations.map(({ request }) => `${request?.method} ${request?.path}`);
const organizationOf = async (id: string) =>
  (await home.json<{ organization: string }>(['spaces', 'get', id])).organization;
const transfer = ['impact', 'transfer'];
/** A plan to transfer one of them. */
const welcome = () => [
  ...[...transfer, 'space', idOf('Welcome'), '--to-org', labs],
  ...['--save-plan', 'plan.json', '--json'],
];
const listed = ['space', '@spaces.txt', '--by-title', '--save-plan', 'plan.json'];

test('both organizations are read, and nothing is sent', async () => {
  const before = sandbox.control.export();
  const words = [...transfer, 'space', idOf('Product Guide'), '--to-org', labs, '--json'];
  const impact = JSON.parse(await home.ok(words)) as Impact;
  expect(forwarder.done).toEqual([]);
  expect(sandbox.control.export()).toBe(before);
  expect(impact).toMatchObject({
    question: { action: 'transfer', to: { organization: labs } },
    things: [{ object: 'space', title: 'Product Guide' }],
    unknown: [],
  });
  expect(impact.urls.map(({ url }) => url)).toContain('https://docs.acme.example/guides/guide/concepts');
  expect(impact.irreversible[0]).toContain('Grants to teams, and to people who are not members of Acme Labs');
  const named = ['space', idOf('Product Guide'), '--to-org', 'Acme Labs', '--by-title'];
  const text = await home.ok([...transfer, ...named]);
  expect(text.indexOf('Cannot be undone')).toBeLessThan(text.indexOf('Published URLs that stop working'));
});

test('a plan of one transfer per line of a file; killed in the middle and resumed, each is made once', async () => {
  await home.ok([...transfer, ...listed, '--to-org', labs, '--json']);
  const made = plan();
  expect(forwarder.done).toEqual([]);
  const order = ['Welcome', 'API Reference', 'Board Notes'].map(idOf);
  expect(sent(made)).toEqual(order.map((id) => `POST /v1/spaces/${id}/transfer`));
  expect(made.risks[0]).toContain('a transfer back does not restore them');
  expect(made.impact?.urls).toBeGreaterThan(0);

  const running = home.begin(['apply', 'plan.json', '--yes']);
  const open: number[] = [];
  forwarder.onChange = (count) => {
    open.push(count - forwarder.done.length);
    if (count === 2) running.kill('SIGKILL');
    return 'pass';
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  await forwarder.idle();
  expect(forwarder.done.length).toBeLessThan(3);
  forwarder.onChange = () => 'pass';
  await home.ok(['jobs', 'resume', 'last']);
  expect(forwarder.done).toEqual(sent(made));
  // One at a time: each was sent after the one before was done.
  expect(open).toEqual([1, 1]);
  expect(await Promise.all(order.map(organizationOf))).toEqual([labs, labs, labs]);

  await home.ok(['undo', 'last', '--yes']);
  expect(await Promise.all(order.map(organizationOf))).toEqual([org, org, org]);
});

test('of a plan, only the space that was moved since is stale; what was not looked at is said', async () => {
  await home.ok([
    ...transfer,
    ...listed,
    '--to-org',
    labs,
    '--only',
    'urls',
    '--only',
    'dependents',
    '--json',
  ]);
  expect(plan()).not.toHaveProperty('impact');
  expect(plan().risks.at(-1)).toBe('Not looked at: links, people.');
  await home.ok(['spaces', 'move', idOf('API Reference'), '--unset', 'parent']);
  const ran = await home.run(['apply', 'plan.json', '--yes', '--json']);
  expect(ran.code).toBe(3);
  const items = JSON.parse(ran.stdout) as { id: string; status: string; error?: { code: string } }[];
  expect(items.map(({ id, error }) => [id, error?.code])).toEqual([
    [idOf('Welcome'), undefined],
    [idOf('API Reference'), 'stale'],
    [idOf('Board Notes'), undefined],
  ]);
  expect(await organizationOf(idOf('API Reference'))).toBe(org);
});

test('a collection goes in one request, or its spaces one by one', async () => {
  const [product] = await home.json<{ id: string }[]>(['collections', 'list']);
  const words = [...transfer, 'collection', product?.id ?? '', '--to-org', labs, '--json'];
  await home.ok([...words, '--save-plan', 'plan.json']);
  expect(sent(plan())).toEqual([`POST /v1/collections/${product?.id}/transfer`]);
  await home.ok([...words, '--save-plan', 'plan.json', '--per-space', '--yes']);
  const inside = spaces.filter(({ parent }) => parent === product?.id);
  expect(sent(plan())).toEqual(inside.map(({ id }) => `POST /v1/spaces/${id}/transfer`));
  const ran = await home.run([...transfer, 'space', 's1', '--to-org', labs, '--per-space', '--json']);
  expect([ran.code, failure(ran.stderr).code]).toEqual([2, 'contradiction']);
  const homeless = await home.run([...transfer, 'space', idOf('Welcome'), '--json']);
  expect([homeless.code, failure(homeless.stderr).code]).toEqual([2, 'missing_flag']);
});

test('no plan is saved where --fail-on finds something, or the platform would refuse it', async () => {
  const words = welcome();
  const found = await home.run([...words, '--fail-on', 'urls']);
  expect([found.code, failure(found.stderr).code, existsSync(path())]).toEqual([17, 'impact_found', false]);
  expect(failure(found.stderr).message).toContain('No plan was saved');

  const stranger = await home.run(words, { env: { DOCS_TOKEN: tokens.create ?? '' } });
  expect([stranger.code, existsSync(path())]).toEqual([6, false]);
  expect(failure(stranger.stderr).message).toContain(`organization ${labs} not found`);
  const reader = await home.run(words, { env: { DOCS_TOKEN: tokens.review ?? '' } });
  expect([reader.code, failure(reader.stderr).code, existsSync(path())]).toEqual([
    5,
    'transfer_refused',
    false,
  ]);
});

test('what the token may not read is unknown: exit 3, and the plan says so', async () => {
  await home.ok(['sandbox', 'fault', '--match', `GET /v1/orgs/${labs}/custom-fields`, '--status', '403']);
  const words = welcome();
  const ran = await home.run(words);
  await home.ok(['sandbox', 'fault', '--clear']);
  expect([ran.code, failure(ran.stderr).code]).toEqual([3, 'not_all_read']);
  expect((JSON.parse(ran.stdout) as Impact).unknown).toMatchObject([{ kind: 'custom-fields', id: labs }]);
  expect(plan().impact?.unknown).toBe(1);
  expect(plan().risks.at(-1)).toContain('Could not look at');
});
