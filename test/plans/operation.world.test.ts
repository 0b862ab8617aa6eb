import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/api/client.js';
import type { AnyOperation } from '../../src/api/operation.js';
import { getMember, updateMember } from '../../src/api/resources/members.js';
import {
  createSamlProvider,
  getSamlProvider,
  listSamlProviders,
  updateSamlProvider,
} from '../../src/api/resources/saml.js';
import { createSection } from '../../src/api/resources/sections.js';
import { listSiteSpaces, updateSiteSpace } from '../../src/api/resources/site-spaces.js';
import { createSite } from '../../src/api/resources/sites.js';
import { createTeam, deleteTeam, listTeams, updateTeam } from '../../src/api/resources/teams.js';
import { DocsError } from '../../src/base/errors.js';
import { changeId } from '../../src/jobs/change.js';
import { fromEnvironment, takeEnvironment } from '../../src/jobs/environment.js';
import { lockChangesOf } from '../../src/jobs/made.js';
import { allRules } from '../../src/jobs/undo-rules.js';
import { draftsLeft, itemsOf } from '../../src/plans/operation.js';
import type { Draft } from '../../src/plans/plan.js';
import { all, idsOf, openJobWorld } from '../jobs/job-world.js';
import { seedId } from '../sandbox/client.js';
import { eachTest } from '../sandbox/each-test.js';
import { applied, inOrg, member, planOf, request, team } from './plan-world.js';

/** Plans at work: what their jobs send, keep and leave. */

const world = eachTest(openJobWorld);

const made = (draft: number, path = 'id') => ({ $from: changeId(draft), path });

const titles = async () =>
  (await all(world.client.call(listTeams, { path: inOrg }))).map(({ title }) => title);

type Call = (op: AnyOperation, ...rest: unknown[]) => Promise<unknown>;

/** The client of the world, whose calls go through a function. */
function through(own: (call: () => Promise<unknown>, op: AnyOperation) => Promise<unknown>): Client {
  const { client } = world;
  const send = client.call as unknown as Call;
  const call: Call = (op, ...rest) => own(() => send(op, ...rest), op);
  return Object.assign(Object.create(client), { call });
}

/** Counts how often the places on a site are read. */
function counting() {
  let count = 0;
  const client = through((call, { method, path }) => {
    if (method === 'GET' && path.endsWith('/site-spaces')) count += 1;
    return call();
  });
  return { client, count: () => count };
}

/** A site of these spaces. */
async function siteOf(...names: string[]) {
  const spaces = names.map((name) => seedId(`space ${name}`));
  const { id: siteId } = await world.client.call(createSite, {
    path: inOrg,
    body: { title: 'Help', spaces },
  });
  return { ...inOrg, siteId };
}

describe('the job of a plan', () => {
  it('takes ids from anywhere in the answers of earlier items', async () => {
    const site = await siteOf();
    const plan = await planOf(world, [
      { change: request(createSection, site, { title: 'Guides', spaceId: seedId('space guide') }) },
      {
        change: request(
          updateSiteSpace,
          { ...site, siteSpaceId: made(0, 'siteSpaces.0.id') },
          { path: 'start' },
        ),
      },
    ]);
    expect(itemsOf(plan)[1]?.change.input.path).toMatchObject({
      siteSpaceId: made(0, 'siteSpaces.0.id'),
    });
    expect((await applied(world, plan)).told).toEqual(['ok', 'ok']);
    expect(await all(world.client.call(listSiteSpaces, { path: site }))).toMatchObject([{ path: 'start' }]);
  });

  it('reads a list once for all items that rest on it', async () => {
    const site = await siteOf('welcome', 'guide', 'api', 'handbook');
    const placed = await idsOf(world, listSiteSpaces, site);
    const plan = await planOf(
      world,
      placed.map((siteSpaceId, at) => ({
        change: request(updateSiteSpace, { ...site, siteSpaceId }, { path: `place-${at}` }),
      })),
    );
    const { client, count } = counting();
    expect((await applied(world, plan, {}, client)).told).toEqual(placed.map(() => 'ok'));
    expect(count()).toBe(1);
  });

  it('reads it anew for an item that builds on another', async () => {
    const site = await siteOf('welcome', 'guide');
    const [siteSpaceId = ''] = await idsOf(world, listSiteSpaces, site);
    const paths = ['one', 'two', 'three'];
    const plan = await planOf(
      world,
      paths.map((path) => ({ change: request(updateSiteSpace, { ...site, siteSpaceId }, { path }) })),
    );
    const { client, count } = counting();
    const { told, job } = await applied(world, plan, {}, client);
    expect(told).toEqual(['ok', 'ok', 'ok']);
    expect(count()).toBe(3);
    expect(job.items.slice(1).map(({ before }) => before?.path)).toEqual(['one', 'two']);
  });

  it('names the plan and the operations in its journal', async () => {
    const plan = await planOf(world, [
      { change: request(updateTeam, team('writers'), { title: 'Authors' }) },
    ]);
    const { job } = await applied(world, plan);
    expect(job.header.plan).toBe(plan.id);
    expect(job.items[0]?.change).toMatchObject({ operation: 'o1', expect: { title: 'Writers' } });
  });
});

describe('a plan whose job was cut off', () => {
  const drafts = (): Draft[] => [
    { change: request(createTeam, inOrg, { title: 'Editors' }) },
    { change: request(updateTeam, { ...inOrg, teamId: made(0) }, { title: 'Authors' }) },
    { change: request(updateMember, member('bruno'), { role: 'read' }) },
    { change: request(updateMember, member('bruno'), { role: 'edit' }) },
    { change: request(createTeam, inOrg, { title: 'Readers' }) },
    { change: request(deleteTeam, team('support')) },
  ];

  it.each([1, 2, 3, 4, 5, 6])(
    'before or after the answer of request %i ends as if it was not',
    async (count) => {
      const plan = await planOf(world, drafts());
      let sent = 0;
      const lost = new DocsError('network', 'connection_reset', 'Reset.', { outcome: 'unknown' });
      const client = through((call, { method }) => {
        if (method === 'GET') return call();
        sent += 1;
        if (sent < count) return call();
        // It arrives, and nobody learns of it; whatever comes later does not arrive.
        return (sent === count ? call() : Promise.resolve()).then(() => Promise.reject(lost));
      });
      const { job } = await applied(world, plan, {}, client);
      expect(job.items.some(({ state }) => state !== 'ok')).toBe(true);
      const { job: more } = await world.resume(job);
      // What depends on something whose answer was lost, too.
      const { job: now } = await world.resume(more);
      expect(now.items.map(({ state }) => state)).toEqual(plan.operations.map(() => 'ok'));
      const all = (await titles()).filter((title) =>
        ['Authors', 'Editors', 'Readers', 'Support'].includes(title),
      );
      expect(all.sort()).toEqual(['Authors', 'Readers']);
      expect((await world.client.call(getMember, { path: member('bruno') })).role).toBe('edit');
    },
  );
});

describe('the lock', () => {
  const entry = <Id>(id: Id, title: string) => ({ id, applied: { title } });

  it('has the new entries of what is done, with their ids, and after an undo the old ones', async () => {
    const { teamId } = team('writers');
    const entries = {
      'teams/writers': entry(teamId, 'h1'),
      'teams/support': entry(team('support').teamId, 'h2'),
    };
    const drafts: Draft[] = [
      {
        change: {
          ...request(createTeam, inOrg, { title: 'Editors' }),
          lock: { item: 'teams/editors', to: entry(made(0), 'h3') },
        },
      },
      {
        change: {
          ...request(updateTeam, team('writers'), { title: 'Authors' }),
          lock: { item: 'teams/writers', to: entry(teamId, 'h4') },
        },
      },
      { change: { ...request(deleteTeam, team('support')), lock: { item: 'teams/support', to: null } } },
    ];
    const { job, results } = await applied(world, await planOf(world, drafts), entries);
    const id = (results[0] as { answer: { id: string } }).answer.id;
    expect(lockChangesOf(job, allRules)).toEqual([
      { item: 'teams/editors', to: entry(id, 'h3') },
      { item: 'teams/writers', to: entry(teamId, 'h4') },
      { item: 'teams/support', to: null },
    ]);
    const undo = await world.undo(job);
    expect(undo.results.map(({ status }) => status)).not.toContain('failed');
    const renewed = undo.results.find(
      ({ answer }) => (answer as { title?: string } | undefined)?.title === 'Support',
    );
    expect(lockChangesOf(undo.job, allRules)).toEqual([
      // Made anew, so with another id.
      { item: 'teams/support', to: entry((renewed as { answer: { id: string } }).answer.id, 'h2') },
      { item: 'teams/writers', to: entries['teams/writers'] },
      { item: 'teams/editors', to: null },
    ]);
  });

  it('says nothing of what is not done', async () => {
    const lock = { item: 'teams/writers', to: entry('x', 'h') };
    const plan = await planOf(world, [
      { change: { ...request(updateTeam, team('writers'), { title: 'Authors' }), lock } },
    ]);
    await world.client.call(updateTeam, { path: team('writers'), body: { title: 'Others' } });
    expect(lockChangesOf((await applied(world, plan)).job, allRules)).toEqual([]);
  });
});

describe('what is left of a plan', () => {
  it('becomes a new one, in which what was made has its id', async () => {
    const plan = await planOf(world, [
      { change: request(createTeam, inOrg, { title: 'Editors' }) },
      {
        change: { ...request(updateMember, member('bruno'), { role: 'read' }), flags: ['if-links-clean'] },
        ...{ key: 'bruno', risk: 'Look.' },
      },
      { change: { ...request(updateTeam, { ...inOrg, teamId: made(0) }, { title: 'Authors' }), after: [1] } },
      { change: { ...request(createTeam, inOrg, { title: 'Readers' }), after: [1] } },
      { change: request(updateTeam, { ...inOrg, teamId: made(3) }, { title: 'Lectors' }) },
    ]);
    await world.client.call(updateMember, { path: member('bruno'), body: { role: 'edit' } });
    const { job, told } = await applied(world, plan);
    expect(told).toEqual(['ok', 'stale', 'held_back', 'held_back', 'held_back']);
    const id = (job.items[0] as { answer: { id: string } }).answer.id;
    const rest = await planOf(world, draftsLeft(plan, job));
    expect(rest.operations).toMatchObject([
      {
        key: 'bruno',
        risk: 'Look.',
        fields: { role: { before: 'edit', after: 'read' } },
        reads: { state: { role: 'edit' } },
        job: { flags: ['if-links-clean'] },
      },
      { request: { parameters: { teamId: id } }, after: ['o1'], reads: { state: { title: 'Editors' } } },
      { action: 'create', after: ['o1'] },
      { request: { parameters: { teamId: { $from: 'o3', path: 'id' } } } },
    ]);
    expect((await applied(world, rest)).told).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await titles()).toEqual(expect.arrayContaining(['Authors', 'Lectors']));
  });
});

describe('values of the environment', () => {
  const secret = '-----BEGIN CERTIFICATE-----\nseeded "canary" 1234567890\n-----END CERTIFICATE-----';
  const provider = <Value>(certificate: Value) => ({
    label: 'Okta',
    entityID: 'https://okta.example/id',
    ssoURL: 'https://okta.example/sso',
    certificate,
  });
  const written = (path: string) => fs.readFileSync(path, 'utf8');

  function setEnv(value: string | undefined) {
    Object.assign(world.io, { env: { ...world.io.env, OKTA_CERTIFICATE: value } });
  }

  it('are sent, and stand in no plan, journal or error', async () => {
    setEnv(secret);
    const reference = fromEnvironment(world.io.env, 'OKTA_CERTIFICATE');
    const plan = await planOf(world, [{ change: request(createSamlProvider, inOrg, provider(reference)) }]);
    const { told, job, results } = await applied(world, plan);
    expect(told).toEqual(['ok']);
    const { id } = (results[0] as { answer: { id: string } }).answer;
    const path = { ...inOrg, samlProviderId: id };
    expect((await world.client.call(getSamlProvider, { path })).certificate).toBe(secret);
    for (const text of [JSON.stringify(plan), written(job.path)]) expect(text).not.toContain('canary');
    expect(job.items[0]?.change.input.body).toMatchObject({ certificate: { $env: 'OKTA_CERTIFICATE' } });
    // Its removal does not need what the journal leaves out.
    const undo = await world.undo(job);
    expect(undo.results).toMatchObject([{ status: 'ok' }]);
    expect(await idsOf(world, listSamlProviders, inOrg)).not.toContain(id);
  });

  it('make an operation stale by fingerprint, and cannot be taken back', async () => {
    const path = { path: inOrg, body: provider('first value of it') };
    const { id } = await world.client.call(createSamlProvider, path);
    const own = { ...inOrg, samlProviderId: id };
    setEnv(secret);
    const certificate = fromEnvironment(world.io.env, 'OKTA_CERTIFICATE');
    const draft = { change: request(updateSamlProvider, own, { certificate, label: 'Other' }) };
    const plan = await planOf(world, [draft]);
    expect(plan.operations[0]).toMatchObject({
      undo: 'best-effort',
      why: expect.stringContaining('certificate came from the environment'),
      fields: {
        certificate: { after: { $env: 'OKTA_CERTIFICATE' } },
        label: { before: 'Okta', after: 'Other' },
      },
      reads: { state: { certificate: expect.stringMatching(/^sha256:/), label: 'Okta' } },
    });
    await world.client.call(updateSamlProvider, { path: own, body: { certificate: 'second value' } });
    const { told, results } = await applied(world, plan);
    expect(told).toEqual(['stale']);
    expect(JSON.stringify(results[0]?.failure)).not.toMatch(/value|canary/);
    const second = await planOf(world, [draft]);
    const { job } = await applied(world, second);
    expect(job.items[0]?.before).toEqual({ label: 'Okta' });
    for (const text of [JSON.stringify(second), written(job.path)])
      expect(text).not.toMatch(/second value|canary/);
    const undo = await world.undo(job);
    expect(undo.items).toMatchObject([{ undo: 'best-effort', why: expect.stringContaining('certificate') }]);
    expect(await world.client.call(getSamlProvider, { path: own })).toMatchObject({
      label: 'Okta',
      certificate: secret,
    });
  });

  it.each([
    ['unset', undefined, 'env_unset'],
    ['changed', 'something else entirely', 'env_changed'],
  ])('are refused before the first request where they are %s', async (_, value, code) => {
    setEnv(secret);
    const certificate = fromEnvironment(world.io.env, 'OKTA_CERTIFICATE');
    const plan = await planOf(world, [
      { change: request(updateTeam, team('writers'), { title: 'Authors' }) },
      { change: request(createSamlProvider, inOrg, provider(certificate)) },
    ]);
    setEnv(value);
    await expect(applied(world, plan)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('OKTA_CERTIFICATE'),
    });
    expect(await titles()).toContain('Writers');
  });

  it('are refused where they are those of docs itself, whatever wrote the plan', async () => {
    const env = { DOCS_TOKEN: 'the-token-of-a-pipeline' };
    const certificate = fromEnvironment(env, 'DOCS_TOKEN');
    const plan = await planOf(world, [{ change: request(createSamlProvider, inOrg, provider(certificate)) }]);
    expect(() => takeEnvironment(env, itemsOf(plan))).toThrow(
      expect.objectContaining({ code: 'env_refused' }),
    );
  });
});
