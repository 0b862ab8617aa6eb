import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shellWords } from '../../../src/base/shell-word.js';
import { cardsOf } from '../../../src/browser/home-page.js';
import { openControl, type SandboxControl } from '../../../src/sandbox/control.js';
import { openDatabase } from '../../../src/sandbox/store/database.js';
import { freshHome, type Home } from '../../e2e/program.js';
import { seedId } from '../client.js';
import * as ops from '../operations.js';
import { attribute, type Element, formType, nodesOf, openVisited, type Visited } from './visitor.js';

/** Every button of the pages shows a command. Run, it leaves the sandbox as the button does. */

let home: Home;
let sandbox: Visited;
beforeAll(async () => {
  home = freshHome();
  const file = join(home.path, '.local/share/docs/sandbox.db');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  sandbox = await openVisited({ file });
});
afterAll(async () => {
  await sandbox?.close();
  home?.remove();
});

async function control<T>(work: (control: SandboxControl) => T): Promise<T> {
  const opened = await openControl(sandbox.file, sandbox.outside.io);
  try {
    return await work(opened);
  } finally {
    opened.close();
  }
}

const org = seedId('org acme');

/** What there is to steer: two faults, a site that is not published, data that a reset would take away. */
async function prepare(): Promise<void> {
  // A seed begins the clock at the real time, which is that of the commands.
  sandbox.outside.ms = Date.now();
  await control(async (opened) => {
    await opened.seed('tiny');
    opened.faults.clear();
    opened.faults.add({ match: 'GET /v1/a', status: 500 });
    opened.faults.add({ match: 'GET /v1/b', status: 500, times: 2 });
  });
  await sandbox.admin.ok(ops.createTeam, { path: { organizationId: org }, body: { title: 'Only here' } });
  await sandbox.admin.ok(ops.createSite, {
    path: { organizationId: org },
    body: { title: 'Draft', spaces: [seedId('space guide')] },
  });
}

/** All that a button can change. The clock is told by how far it was moved: it runs. */
async function state(): Promise<unknown> {
  const db = await openDatabase(sandbox.file);
  const moved = db.get<{ value: number }>("SELECT value FROM local_state WHERE key = 'clock'")?.value ?? 0;
  db.close();
  return control((opened) => ({
    hours: Math.round(moved / 3_600_000),
    faults: opened.faults.list().map(({ id: _, ...rest }) => rest),
    // What is made by a command is made by the real time.
    data: opened.export().replaceAll(/(?<=_at": )\d+/g, 'some time'),
  }));
}

interface Button {
  label: string;
  action: string;
  fields: Record<string, string>;
  command: string;
}

async function buttonsOn(path: string): Promise<Button[]> {
  const forms = nodesOf((await sandbox.visit(path)).body).filter(
    (node) => node.nodeName === 'form' && attribute(node, 'class') === 'act',
  );
  return forms.map((form) => {
    const within = nodesIn(form);
    const named = within.filter((node) => attribute(node, 'name') !== undefined);
    return {
      label: textOf(within.find(({ nodeName }) => nodeName === 'button')),
      action: attribute(form, 'action') ?? '',
      fields: Object.fromEntries(named.map((node) => [attribute(node, 'name') ?? '', fieldValue(node)])),
      command: textOf(within.find((node) => attribute(node, 'class') === 'cmd')),
    };
  });
}

function nodesIn(node: Element): Element[] {
  return [node, ...(node.childNodes ?? []).flatMap(nodesIn)];
}

function textOf(node: Element | undefined): string {
  return node === undefined
    ? ''
    : nodesIn(node)
        .map(({ value = '' }) => value)
        .join('');
}

/** What a browser sends of a field that nobody touched. */
function fieldValue(node: Element): string {
  const options = nodesIn(node).filter(({ nodeName }) => nodeName === 'option');
  const chosen = options.find((one) => attribute(one, 'selected') !== undefined) ?? options[0];
  return attribute(chosen ?? node, 'value') ?? '';
}

async function press({ action, fields }: Button): Promise<void> {
  const headers = { cookie: await sandbox.cookie(), origin: sandbox.url, ...formType };
  const sent = await sandbox.send(action, headers, 'POST', new URLSearchParams(fields).toString());
  expect({ status: sent.status, body: sent.body }).toEqual({ status: 303, body: '' });
}

async function run(command: string): Promise<string> {
  const [program, ...words] = shellWords(command);
  expect(program).toBe('docs');
  return home.ok(words);
}

/** Seeds that take long; they are loaded as `tiny` is. */
const isQuick = ({ label }: Button) => label !== 'Load huge' && label !== 'Load acme';

describe('a button and its command do the same', () => {
  beforeEach(prepare);
  const pages: [path: string, buttons: number][] = [
    ['/sandbox/', 2],
    ['/sandbox/clock', 4],
    ['/sandbox/faults', 4],
    ['/sandbox/seeds', 2],
    [`/sandbox/orgs/${org}/sites/DRAFT`, 1],
  ];
  it.each(pages)('on %s', async (path, count) => {
    const site = async () => {
      const { items } = await sandbox.admin.ok(ops.listSites, { path: { organizationId: org } });
      return items.find(({ title }) => title === 'Draft')?.id ?? '';
    };
    const at = async () => path.replace('DRAFT', await site());
    const buttons = (await buttonsOn(await at())).filter(isQuick);
    expect(buttons.length).toBe(count);
    for (const [index] of buttons.entries()) {
      await prepare();
      const before = await state();
      const button = (await buttonsOn(await at())).filter(isQuick)[index];
      if (button === undefined) throw new Error(`No button ${index} on ${path}.`);
      await press(button);
      const pressed = await state();
      await prepare();
      expect(await state()).toEqual(before);
      await run(button.command);
      expect({ command: button.command, state: await state() }).toEqual({
        command: button.command,
        state: pressed,
      });
      expect(pressed).not.toEqual(before);
    }
  });
});

/** A line of a shell: what a pipe sends, and the words of docs. */
async function runLine(line: string): Promise<void> {
  const [first, second, ...rest] = shellWords(line);
  const isPiped = first === 'printf' && second === '%s';
  const words = isPiped ? rest.slice(rest.indexOf('docs') + 1) : [second ?? '', ...rest];
  await home.ok([...words, '--yes'], isPiped ? { stdin: rest[0] ?? '' } : {});
}

describe('a request of the log', () => {
  beforeEach(prepare);
  const orgPath = `/v1/orgs/${org}`;
  const requests: [what: string, method: string, path: string, body?: object][] = [
    ['a body that flags say', 'PUT', `${orgPath}/teams`, { title: "It's “new”" }],
    ['a body with a list', 'PUT', `${orgPath}/teams`, { title: 'Two', members: [seedId('user chiara')] }],
    [
      'a body with a flag of choices',
      'PATCH',
      `${orgPath}/members/${seedId('user chiara')}`,
      { role: 'admin' },
    ],
    [
      'a body with an object',
      'PATCH',
      `/v1/spaces/${seedId('space guide')}`,
      { title: '@home', emoji: '1f600' },
    ],
    ['a text that a flag would take for a file', 'PUT', `${orgPath}/teams`, { title: '@home' }],
    ['no body', 'DELETE', `${orgPath}/teams/${seedId('team writers')}`],
  ];
  it.each(requests)(
    'with %s is sent again by its button and by its command',
    async (_, method, path, body) => {
      const send = () => sandbox.admin.send(method, path, body === undefined ? {} : { body });
      expect((await send()).ok).toBe(true);
      await expect.poll(() => control((opened) => opened.requests({ method }))).not.toEqual([]);
      const seq = (await control((opened) => opened.requests({ method, status: '2xx' }))).at(-1)?.seq;
      const page = `/sandbox/requests/${seq}`;
      const again = (await buttonsOn(page)).find(({ label }) => label === 'Send again');
      if (again === undefined) throw new Error('The request cannot be sent again.');
      await prepare();
      const before = await state();
      await press(again);
      const pressed = await state();
      expect(pressed).not.toEqual(before);
      await prepare();
      await runLine(again.command);
      expect({ command: again.command, state: await state() }).toEqual({
        command: again.command,
        state: pressed,
      });
    },
  );

  it('fails next time, by its button and by its command', async () => {
    await sandbox.admin.send('GET', `${orgPath}/teams?limit=2`);
    await expect.poll(() => control((opened) => opened.requests({ method: 'GET' }))).not.toEqual([]);
    const seq = (await control((opened) => opened.requests({ method: 'GET' }))).at(-1)?.seq;
    const fail = (await buttonsOn(`/sandbox/requests/${seq}`)).find(
      ({ label }) => label === 'Fail the next one',
    );
    if (fail === undefined) throw new Error('The request cannot be made to fail.');
    await press(fail);
    const pressed = await state();
    await prepare();
    await run(fail.command);
    expect(await state()).toEqual(pressed);
  });
});

it('see as shows the spaces that its command lists', async () => {
  await prepare();
  const { items } = await sandbox.admin.ok(ops.listMembers, { path: { organizationId: org } });
  expect(items.length).toBeGreaterThan(5);
  for (const { id } of items) {
    const path = `/sandbox/orgs/${org}/members/${id}`;
    const see = (await buttonsOn(path)).find(({ label }) => label === 'See as this member');
    if (see === undefined) throw new Error(`${path} has no button.`);
    await press(see);
    const { body } = await sandbox.visit(`/sandbox/orgs/${org}/spaces`);
    const shown = new Set(body.match(/(?<=\/spaces\/)\w{20}(?=")/g));
    const lines = (await run(see.command)).trim().split('\n');
    const listed = lines.map((line) => line.split('\t').at(-1) ?? '').filter(Boolean);
    expect({ id, spaces: [...shown].sort() }).toEqual({ id, spaces: listed.sort() });
    const back = (await buttonsOn(`/sandbox/orgs/${org}`)).find(({ label }) => label === 'See all again');
    if (back === undefined) throw new Error('There is no way back.');
    await press(back);
  }
});

describe('a card', () => {
  beforeEach(prepare);
  const words = (title: string) => {
    const card = cardsOf(seedId('space guide')).find((one) => one.title === title);
    return (card?.steps ?? []).filter((step) => !('action' in step)) as readonly (readonly string[])[];
  };

  it('breaks a request, which docs sends again', async () => {
    const [button] = await buttonsOn('/sandbox/');
    await run(button?.command ?? '');
    await home.ok([...(words('Break something')[0] ?? []), '--sandbox']);
    const lists = (await control(({ requests }) => requests())).filter(({ path }) => path.includes('/teams'));
    expect(lists.slice(-2).map(({ status }) => status)).toEqual([503, 200]);
  });

  it('moves time, after which a space cannot be restored', async () => {
    const [remove = [], restore = []] = words('Move time');
    await home.ok([...remove, '--sandbox']);
    const [, clock] = await buttonsOn('/sandbox/');
    await run(clock?.command ?? '');
    expect((await home.run([...restore, '--sandbox'])).code).toBe(6);
  });

  it('plans a change to a file, and applies it', async () => {
    const [pull = [], plan = [], apply = []] = words('Plan a change');
    await home.ok([...pull, '--sandbox']);
    const teams = join(home.path, 'try/teams.yaml');
    writeFileSync(teams, readFileSync(teams, 'utf8').replace('title: Only here', 'title: Renamed'));
    expect(await home.ok([...plan, '--sandbox'])).toContain('Only here → Renamed');
    await home.ok([...apply, '--sandbox', '--yes']);
    expect(await home.ok(['teams', 'list', '--sandbox', '--fields', 'title'])).toContain('Renamed');
  });
});
