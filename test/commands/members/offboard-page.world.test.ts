import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Offboarding } from '../../../src/access/members.js';
import { offboardingReport } from '../../../src/commands/members/offboard-page.js';
import { type PageData, pageData, rowsOf } from '../../reports/page-data.js';
import { org, orgWorldOfFile, parsed, person, team } from './org-world.js';

/** `docs members offboard --html`: the page has the facts of the evidence. */

const wayBack = 'anyone with an email address at acme.example may join again';

const world = await orgWorldOfFile();
const { gateway } = world;

describe('in an organization', () => {
  const offboard = (...words: string[]) => world.run(['members', 'offboard', ...words]);
  const html = ['--html', 'leaver.html'];
  const path = () => join(world.home, 'leaver.html');
  const evidence = () => {
    const name = world.evidence().find((one) => one.endsWith('.json')) ?? '';
    return parsed(readFileSync(join(world.home, name), 'utf8'));
  };
  const remaining = ({ parts }: PageData) =>
    rowsOf(parts, 'Remaining access').map(({ What, Why }) => [What, Why]);

  test('says what was done, what was read again, and what remains', async () => {
    const ran = await offboard('deniz@acme.example', '--yes', '--json', ...html);
    expect(ran.code).toBe(0);
    expect(ran.stderr.match(/^Wrote leaver\.html \(.*\)\.$/gm)).toHaveLength(1);
    const report = evidence();
    expect(parsed(ran.stdout).people).toEqual(report.people);
    const { title, facts, missing, parts, about, html: text } = pageData(path());
    expect({ title, missing }).toEqual({ title: 'Offboarding of deniz@acme.example', missing: [] });
    expect(about).toEqual(['1 member removed, and reading again confirms it. What remains: 1 way back in.']);
    expect(facts).toMatchObject({
      'Ran by': `Ada Okafor, ada@acme.example (${person('ada')})`,
      Platform: gateway.url,
      Job: report.job,
      State: 'complete',
      Finished: report.finishedAt,
      // The page is for others: a path of this machine leads them nowhere.
      Evidence: report.files?.json,
    });
    expect(readFileSync(path(), 'utf8')).not.toContain(world.home);
    const [leaver] = report.people;
    expect(rowsOf(parts, 'Requests')).toEqual(
      (leaver?.actions ?? []).map(({ at, method, path: to, requestId }) =>
        expect.objectContaining({ State: 'ok', At: at, Sent: `${method} ${to}`, 'Request ID': requestId }),
      ),
    );
    expect(rowsOf(parts, 'Remaining access')).toEqual([
      { Person: 'deniz@acme.example', What: 'way back in', Why: wayBack },
    ]);
    expect(rowsOf(parts, 'Verification')).toMatchObject([
      { What: 'membership', Value: 'out', At: leaver?.after?.at },
      { What: 'team', Name: 'Writers', Value: 'out, owned by chiara@acme.example', ID: team('writers') },
    ]);
    expect(rowsOf(parts, 'People')).toMatchObject([{ 'Requests done': '2 of 2', 'Still a member': 'no' }]);
    const held = rowsOf(parts, 'Access before').map(({ What, Name }) => `${What} ${Name}`);
    expect(held).toEqual(
      expect.arrayContaining(['team Writers', 'space API Reference', 'change request Welcome #3']),
    );
    expect(text).not.toContain(world.sandbox.token);
  });

  test('one that fails says what remains; --resume completes the page', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/teams/*', status: 403 });
    expect((await offboard('farah@acme.example', '--yes', ...html)).code).toBe(3);
    const open = pageData(path());
    expect(open.missing).toEqual([
      'The offboarding is incomplete: requests were not done, or reading again does not confirm them.',
    ]);
    expect(open.facts.State).toBe('incomplete');
    expect(remaining(open)).toEqual([
      ['remove from team Support, which cannot be undone', 'Failure injected by docs sandbox fault'],
      ['remove from organization, which cannot be undone', 'not sent'],
      ['membership', 'still a member'],
      ['team Support', 'still a member'],
      ['way back in', wayBack],
    ]);
    world.control.faults.clear();
    const json = join(world.home, evidence().files?.json ?? '');
    const rehearsed = await offboard('--resume', json, '--dry-run', ...html);
    expect(rehearsed.stderr).toContain('Dry run: did not write leaver.html.');
    expect(pageData(path()).facts.State).toBe('incomplete');
    expect((await offboard('--resume', json, ...html)).code).toBe(0);
    const done = pageData(path());
    expect({ state: done.facts.State, missing: done.missing }).toEqual({ state: 'complete', missing: [] });
    expect(remaining(done)).toEqual([['way back in', wayBack]]);
    const without = await offboard('--resume', json);
    const again = await offboard('--resume', json, '--html', 'again.html');
    expect(again).toMatchObject({ code: 0, stdout: without.stdout });
    expect(pageData(join(world.home, 'again.html')).parts).toEqual(done.parts);
  });

  test('is begun before the first change, so that it stands if the program is killed', async () => {
    let begun: PageData | undefined;
    gateway.rule = (line) => {
      if (line.startsWith('DELETE')) begun ??= pageData(path());
      return undefined;
    };
    await offboard('farah@acme.example', '--yes', ...html);
    expect(begun?.facts.State).toBe('begun');
    expect(begun?.missing).toEqual([expect.stringContaining('its end is not recorded here')]);
    expect(rowsOf(begun?.parts ?? [], 'Requests').map(({ State }) => State)).toEqual(['planned', 'planned']);
  });

  test('what could not be read is said above all else', async () => {
    gateway.rule = (line) => (line.includes(`/members/${person('farah')}/spaces`) ? 403 : undefined);
    await offboard('farah@acme.example', '--yes', '--allow-unseen', ...html);
    const { missing, facts } = pageData(path());
    expect(facts.State).toBe('complete');
    expect(missing).toContain('farah@acme.example: cannot read spaces: The gateway says no');
  });

  test('of who is still in a team when it is read again is not complete', async () => {
    const bruno = person('bruno');
    gateway.rewrite = (line, text) =>
      /^GET \S+\/teams\/\w+\/members/.test(line) ? text.replaceAll(bruno, person('farah')) : text;
    const ran = await offboard('farah@acme.example', '--yes', ...html);
    expect(ran.code).toBe(3);
    expect(ran.stderr).not.toContain('Reading again confirms it');
    const after = { member: false, teams: [{ member: true }] };
    const people = [{ actions: [{ status: 'ok' }, { status: 'ok' }], after }];
    expect(evidence()).toMatchObject({ state: 'incomplete', people });
    expect(remaining(pageData(path()))).toContainEqual(['team Support', 'still a member']);
  });

  test.each([
    ['whether they are a member', 'membership', /^GET \S+\/members\/\w+$/],
    ['a team', 'team Support', /^GET \S+\/teams\/\w+\/members/],
  ])('that cannot read again %s is not complete', async (_, what, read) => {
    let isDone = false;
    gateway.rule = (line) => {
      isDone ||= line === `DELETE /v1/orgs/${org}/members/${person('farah')}`;
      return isDone && read.test(line) ? 403 : undefined;
    };
    expect((await offboard('farah@acme.example', '--yes', ...html)).code).toBe(3);
    expect(evidence().state).toBe('incomplete');
    expect(remaining(pageData(path()))).toContainEqual([what, 'could not be read again']);
  });

  test('a plan has a page of what is held; a dry run has none', async () => {
    const dry = await offboard('farah@acme.example', '--dry-run', ...html);
    expect(dry.code).toBe(0);
    expect(dry.stderr).toContain('Dry run: did not write leaver.html.');
    expect(existsSync(path())).toBe(false);
    const planned = await offboard('farah@acme.example', '--save-plan', 'plan.json', ...html);
    expect(planned.code).toBe(0);
    const { title, parts, missing, about } = pageData(path());
    expect({ title, missing }).toEqual({ title: 'Planned offboarding of farah@acme.example', missing: [] });
    expect(about.join()).toContain('Nothing was changed yet.');
    expect(parts.map((part) => part.title)).toEqual(['People', 'Requests', 'Access before']);
  });

  test('another file is refused before anything is asked', async () => {
    writeFileSync(path(), 'mine');
    const ran = await offboard('farah@acme.example', '--yes', ...html);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('leaver.html already exists and is not a report of docs');
    expect(gateway.requests).toEqual([]);
    expect(world.evidence()).toEqual(['leaver.html']);
  });

  test('a page that cannot be written is told once all is done', async () => {
    gateway.rule = (line) => {
      if (line.startsWith('DELETE')) writeFileSync(path(), 'mine');
      return undefined;
    };
    const ran = await offboard('farah@acme.example', '--yes', ...html);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toContain('after\tmembership\t\tout');
    expect(ran.stderr).toContain('leaver.html already exists and is not a report of docs');
    expect(evidence().state).toBe('complete');
    expect(readFileSync(path(), 'utf8')).toBe('mine');
  });
});

describe('what remains', () => {
  const user = { id: 'u1', displayName: 'Bo', email: 'bo@acme.example' };
  const heir = { id: 'u2', displayName: 'Cy', email: 'cy@acme.example' };
  const named = { id: 't1', title: 'Writers' };
  const action = {
    item: 0,
    does: 'hand over team',
    team: named,
    to: heir,
    method: 'PUT',
    path: '/x',
  } as const;
  const report: Offboarding = {
    ...{ format: 'docs-offboarding/1', state: 'incomplete', version: '1', platform: 'https://docs.example' },
    organization: { id: 'o1', title: 'Acme' },
    by: { profile: 'default', why: 'several members were active' },
    startedAt: '2025-01-01T00:00:00.000Z',
    people: [
      {
        user,
        before: {
          ...{ role: 'read', sso: true, disabled: false, joinedAt: '2024-01-01T00:00:00.000Z' },
          ...{ teams: [{ ...named, role: 'owner', onlyOwner: true }], spaces: [], changeRequests: [] },
        },
        unseen: [],
        warnings: ['they sign in by SSO: close the account there, too, or they may come back'],
        actions: [{ ...action, undo: 'exact', status: 'unknown' }],
        after: {
          ...{ at: '2025-01-01T00:01:00.000Z', member: null },
          teams: [{ ...named, member: false, owners: [] }],
        },
      },
    ],
  };

  test('is what is not done, what is not confirmed, and the ways back in', () => {
    const { parts, facts } = offboardingReport(report, { about: [] });
    expect(rowsOf(parts, 'Remaining access')).toEqual(
      [
        ['hand over team Writers to cy@acme.example', 'sent, and the answer was lost'],
        ['membership', 'could not be read again'],
        ['team Writers', 'not shown as owned by cy@acme.example'],
        ['way back in', 'they sign in by SSO: close the account there, too, or they may come back'],
      ].map(([What, Why]) => ({ Person: 'bo@acme.example', What, Why })),
    );
    expect(facts).toContainEqual(['Ran by', 'not known: several members were active']);
    expect(facts?.map(([label]) => label)).not.toContain('Evidence');
  });
});
