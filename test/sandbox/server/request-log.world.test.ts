import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deleteMember, getMember } from '../../../src/api/resources/members.js';
import { getOrg } from '../../../src/api/resources/orgs.js';
import { deleteSpace } from '../../../src/api/resources/spaces.js';
import { createTeam, listTeams, updateTeam } from '../../../src/api/resources/teams.js';
import { openControl, type SandboxControl } from '../../../src/sandbox/control.js';
import { clearRequests, longestText, RequestLog } from '../../../src/sandbox/server/request-log.js';
import { type KeptRequest, nameOfRow, requestAt } from '../../../src/sandbox/server/request-queries.js';
import { RowWatch } from '../../../src/sandbox/server/row-changes.js';
import { type Database, openDatabase } from '../../../src/sandbox/store/database.js';
import { WriteGroup } from '../../../src/sandbox/store/write-group.js';
import { openSandbox, seedId, type TestSandbox } from '../client.js';

/** What the log keeps of a request, and which requests it lists. */

let sandbox: TestSandbox;
let control: SandboxControl;
let db: Database;
const org = { organizationId: seedId('org acme') };
const teams = `/v1/orgs/${org.organizationId}/teams`;

beforeEach(async () => {
  sandbox = await openSandbox();
  control = await openControl(sandbox.file, sandbox.outside.io);
  db = openDatabase(sandbox.file);
});
afterEach(async () => {
  db.close();
  control.close();
  await sandbox.close();
});

/** The last request, once the server has logged it. */
async function last(): Promise<KeptRequest> {
  await expect.poll(() => control.lastRequest()).toBeGreaterThan(0);
  const found = requestAt(db, control.lastRequest());
  if (found === undefined) throw new Error('No request is logged.');
  return found;
}

const changesOf = ({ changes }: KeptRequest) =>
  changes.map((change) => {
    const { what, title } = nameOfRow(db, change);
    return [change.kind, what, title, change.fields ?? {}];
  });

describe('of a change the log keeps', () => {
  test('body, answer, duration, and what it created', async () => {
    const made = await sandbox.admin.ok(createTeam, { path: org, body: { title: 'AI Writers' } });
    const request = await last();
    expect(request).toMatchObject({
      method: 'PUT',
      path: teams,
      status: 201,
      actor: 'Ada Okafor',
      whole: true,
    });
    expect(request.body).toBe('{"title":"AI Writers"}');
    expect(JSON.parse(request.answer ?? '')).toMatchObject({ id: made.id, title: 'AI Writers' });
    expect(request.ms).toBeGreaterThan(0);
    expect(changesOf(request)).toEqual([['created', 'team', 'AI Writers', {}]]);
  });

  test('each field that is another, before and after', async () => {
    const path = { ...org, teamId: seedId('team writers') };
    await sandbox.admin.ok(updateTeam, { path, body: { title: 'Authors' } });
    const fields = { title: ['Writers', 'Authors'] };
    expect(changesOf(await last())).toEqual([['changed', 'team', 'Authors', fields]]);
    await sandbox.admin.ok(updateTeam, { path, body: { title: 'Authors' } });
    expect(changesOf(await last())).toEqual([]);
  });

  test('what is deleted along with something', async () => {
    await sandbox.admin.ok(deleteMember, { path: { ...org, userId: seedId('user chiara') } });
    const changes = changesOf(await last());
    expect(changes).toContainEqual(['deleted', 'member', 'Chiara Rossi', {}]);
    expect(changes.map(([kind, what]) => `${kind} ${what}`)).toContain('deleted team member');
  });

  test('nothing of a seed, of the clock, or of a request that was refused', async () => {
    await control.seed('tiny');
    await sandbox.admin.refused(createTeam, { path: org, body: { title: '' } });
    const refused = await last();
    expect([refused.status, refused.changes]).toEqual([400, []]);
    await sandbox.admin.ok(createTeam, { path: org, body: { title: 'After' } });
    expect(changesOf(await last())).toEqual([['created', 'team', 'After', {}]]);
  });

  test('nothing of work that fell due before it', async () => {
    await sandbox.admin.ok(deleteSpace, { path: { spaceId: seedId('space guide') } });
    sandbox.outside.ms += 8 * 86_400_000;
    await sandbox.admin.ok(createTeam, { path: org, body: { title: 'After' } });
    expect(changesOf(await last())).toEqual([['created', 'team', 'After', {}]]);
  });

  test('its own rows alone, of changes that came at the same moment', async () => {
    const titles = Array.from({ length: 8 }, (_, index) => `Team ${index}`);
    const statuses = ['', ...titles].map((title) =>
      sandbox.admin.send('PUT', teams, { body: { title } }).then(({ status }) => status),
    );
    expect(await Promise.all(statuses)).toEqual([400, ...titles.map(() => 201)]);
    await expect.poll(() => control.requests()).toHaveLength(9);
    const logged = control.requests().map(({ seq }) => requestAt(db, seq));
    for (const title of titles) {
      const request = logged.find((each) => each?.body === JSON.stringify({ title }));
      expect(request && changesOf(request)).toEqual([['created', 'team', title, {}]]);
    }
    expect(logged.find((each) => each?.status === 400)?.changes).toEqual([]);
  });

  describe('of changes that are watched', () => {
    let watch: RowWatch;
    let log: RequestLog;
    const request = { method: 'PUT', path: '/v1/a', status: 200, time: 0, caller: null, ms: 1, fault: null };
    beforeEach(() => {
      watch = new RowWatch(db);
      watch.open();
      log = new RequestLog(db, 1);
    });
    afterEach(() => log.close());

    const change = (id: string, work: () => void) =>
      watch.during(work, () => log.write({ ...request, id, body: '{}' }));
    const rename = (title: string) =>
      db.change('UPDATE teams SET title = ? WHERE id = ?', title, seedId('team writers'));
    const fail = () => {
      throw new Error('no');
    };
    const logged = () =>
      control.requests().map(({ seq }) => {
        const kept = requestAt(db, seq);
        return [kept?.id, kept && changesOf(kept)];
      });
    const renamed = (was: string, is: string) => [['changed', 'team', is, { title: [was, is] }]];

    test('each once, where one of the same moment is refused, and its own where one fails half way', async () => {
      const group = new WriteGroup(db);
      const ran: string[] = [];
      const write = (id: string, work = () => rename(id)) =>
        group.write(() => {
          ran.push(id);
          change(id, work);
        });
      await Promise.allSettled([write('a'), write('refused', fail), write('b')]);
      expect(ran).toEqual(['a', 'refused', 'b']);
      const failHalfWay = () => {
        rename('half way');
        fail();
      };
      await Promise.allSettled([write('c'), write('failed', failHalfWay), write('d')]);
      expect(logged()).toEqual([
        ['a', renamed('Writers', 'a')],
        ['b', renamed('a', 'b')],
        ['c', renamed('b', 'c')],
        ['d', renamed('c', 'd')],
      ]);
    });

    test('nothing of other writes, if one is rolled back and made again', () => {
      rename('other');
      const failing = () => {
        change('a', () => rename('a'));
        fail();
      };
      expect(() => db.write(failing)).toThrow('no');
      db.write(() => change('b', () => rename('b')));
      expect(logged()).toEqual([['b', renamed('other', 'b')]]);
    });
  });

  test('and of the reads before it, if it is rolled back and made again', () => {
    const log = new RequestLog(db, 1);
    const request = { method: 'GET', path: '/v1/a', status: 200, time: 0, caller: null, ms: 1, fault: null };
    log.add({ ...request, id: 'read', answer: '{}' });
    const change = () => log.write({ ...request, id: 'change', method: 'PUT', body: '{}' });
    const failing = () => {
      change();
      throw new Error('no');
    };
    new RowWatch(db).open();
    expect(() => db.write(failing)).toThrow('no');
    expect(control.requests()).toEqual([]);
    db.write(change);
    expect(control.requests().map(({ id }) => id)).toEqual(['read', 'change']);
    log.close();
  });

  test('the change whose answer was lost', async () => {
    control.faults.add({ match: `PUT ${teams}`, reset: 'after' });
    await sandbox.admin.send('PUT', teams, { body: { title: 'Lost' } }).catch(() => undefined);
    const request = await last();
    expect([request.status, request.fault, request.answer]).toEqual([0, `PUT ${teams}`, undefined]);
    expect(changesOf(request)).toEqual([['created', 'team', 'Lost', {}]]);
  });
});

describe('texts', () => {
  test('have no token, and say so', async () => {
    const { token } = sandbox;
    await sandbox.admin.send('PUT', teams, {
      body: { title: `Bearer ${token}`, password: 'hunter2hunter2' },
    });
    const { body = '', answer, whole, changes } = await last();
    expect(whole).toBe(false);
    for (const text of [body, answer, JSON.stringify(changes)]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain('hunter2');
    }
    expect(body).toContain('[redacted]');
    expect(JSON.stringify(db.all('SELECT * FROM local_requests'))).not.toContain(token);
  });

  test('are kept up to 64 KB', async () => {
    await sandbox.admin.send('PUT', teams, { body: { title: 'x'.repeat(longestText) } });
    const { body, whole } = await last();
    expect([body?.length, whole]).toEqual([longestText, false]);
  });

  test('an answer that is given again is stored once, and shown for each', async () => {
    for (let count = 0; count < 3; count += 1) await sandbox.admin.ok(listTeams, { path: org, query: {} });
    await expect.poll(() => control.requests()).toHaveLength(3);
    const answers = control.requests().map(({ seq }) => requestAt(db, seq)?.answer);
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('Writers');
    const stored = db.all<{ answer: unknown }>('SELECT answer FROM local_requests WHERE answer IS NOT NULL');
    expect(stored).toHaveLength(1);
  });

  describe('of changes of one team', () => {
    const path = { ...org, teamId: seedId('team writers') };
    const rename = (title: string) => sandbox.admin.ok(updateTeam, { path, body: { title } });
    const shown = async () => {
      const { answer = '{}' } = await last();
      return (JSON.parse(answer) as { title?: string }).title;
    };
    const bytesOf = () =>
      db
        .all<{ bytes: number }>('SELECT length(answer) AS bytes FROM local_requests')
        .map(({ bytes }) => bytes);

    // With the first change of a server, its triggers are made: what was remembered before is not certain then.
    beforeEach(() => rename('First'));

    test('one is stored whole and of the others what differs; each is shown whole', async () => {
      for (const title of ['One', 'Two', 'Three 👋']) {
        await rename(title);
        expect(await shown()).toBe(title);
      }
      const [, first = 0, ...others] = bytesOf();
      expect(others).toHaveLength(2);
      for (const bytes of others) expect(bytes * 2).toBeLessThan(first);
    });

    test('after another program has emptied the log, the next is stored whole', async () => {
      await rename('One');
      await rename('Two');
      db.write(() => clearRequests(db));
      await rename('Three');
      await rename('Four');
      const [third = 0, fourth = 0] = bytesOf();
      expect(fourth * 2).toBeLessThan(third);
      expect(await shown()).toBe('Four');
    });

    test('none is shown once that of the whole one is removed', async () => {
      await rename('One');
      await rename('Two');
      expect(db.all('SELECT 1 FROM local_requests WHERE answer_of IS NOT NULL')).toHaveLength(1);
      db.run('UPDATE local_requests SET answer = NULL WHERE answer_of IS NULL');
      expect((await last()).answer).toBeUndefined();
    });
  });
});

test('the user of a request that a fault answered is known by the token', async () => {
  control.faults.add({ match: `GET ${teams}`, status: 503 });
  await sandbox.as('read').send('GET', teams);
  expect(await last()).toMatchObject({ status: 503, actor: 'Farah Haddad', fault: `GET ${teams}` });
});

test('filters', async () => {
  await sandbox.admin.ok(getOrg, { path: org });
  await sandbox.as('read').send('GET', '/v1/orgs/none');
  await sandbox.admin.refused(getMember, { path: { ...org, userId: 'none' } });
  await sandbox.admin.refused(createTeam, { path: org, body: { title: '' } });
  await expect.poll(() => control.requests()).toHaveLength(4);
  const ids = (...filter: Parameters<SandboxControl['requests']>) =>
    control.requests(...filter).map(({ id }) => Number(id.split('_')[2]));
  expect(ids({ status: 'errors' })).toEqual([2, 3, 4]);
  expect(ids({ status: '404' })).toEqual([2, 3]);
  expect(ids({ status: '2xx' })).toEqual([1]);
  expect(ids({ method: 'changes' })).toEqual([4]);
  expect(ids({ method: 'get', status: '4xx' })).toEqual([2, 3]);
  expect(ids({ actor: 'ada okafor' })).toEqual([1, 3, 4]);
  expect(ids({}, { most: 2 })).toEqual([3, 4]);
  expect(ids({}, { after: 3 })).toEqual([4]);
  expect(ids({}, { before: 3 })).toEqual([1, 2]);
});
