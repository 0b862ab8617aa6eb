import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import { updateCustomField } from '../../src/api/resources/custom-fields.js';
import { setTeamMember } from '../../src/api/resources/members.js';
import {
  addSectionToGroup,
  createSection,
  listSections,
  moveSection,
  removeSectionFromGroup,
} from '../../src/api/resources/sections.js';
import { deleteSiteSpace, listSiteSpaces } from '../../src/api/resources/site-spaces.js';
import { createSite, updateSite } from '../../src/api/resources/sites.js';
import { updateTeam } from '../../src/api/resources/teams.js';
import { type Reads, readsOf } from '../../src/jobs/reads.js';
import { heldState, inFormOf, matches } from '../../src/jobs/state.js';
import { makePlan } from '../../src/plans/make.js';
import type { Draft } from '../../src/plans/plan.js';
import { type JobWorld, openJobWorld } from '../jobs/job-world.js';
import { seedId } from '../sandbox/client.js';
import { request } from './plan-world.js';

/** What a plan foresees of undo, and of what does not exist. */

let world: JobWorld;
let reads: Reads;
beforeAll(async () => {
  world = await openJobWorld();
  reads = readsOf(world.client);
});
afterAll(() => world.close());

const org = { organizationId: seedId('org acme') };
const facts = {
  ...{ origin: 'o', profile: 'p', version: '1', command: 'plan', line: [], by: 'unknown' as const },
  ...{ risks: [], nowMs: 0 },
};
const planned = async (...drafts: Draft[]) => (await makePlan(reads, facts, drafts)).operations;
const allOf = async (op: AnyOperation, path: Record<string, string>) => (await reads.all(op, { path })) ?? [];
const draft = (op: AnyOperation, path: object, body: unknown): Draft => ({
  change: request(op, path as Record<string, string>, body),
});

describe('a plan', () => {
  it('foresees that a field which was not set cannot be unset', async () => {
    const path = { ...org, fieldName: 'topics' };
    const both = { title: 'Other', placeholder: 'New' };
    const told = (await planned(draft(updateCustomField, path, both))).map(({ undo, why }) => [undo, why]);
    const why = 'placeholder was not set before, and the platform cannot unset it';
    expect(told).toEqual([['best-effort', why]]);
  });

  it('says exact of a change of what it creates: deleting that undoes both', async () => {
    const operations = await planned(draft(createSite, org, { title: 'New', type: 'basic' }), {
      change: request(updateSite, { ...org, siteId: { $from: 'o1', path: 'id' } }, { basename: 'new' }),
    });
    expect(operations.map(({ undo }) => undo)).toEqual(['exact', 'exact']);
  });

  it('calls it a creation to set the role of somebody who is not in the team', async () => {
    const path = { ...org, teamId: seedId('team writers') };
    const operations = await planned(
      draft(setTeamMember, { ...path, userId: seedId('user bruno') }, { role: 'member' }),
      draft(setTeamMember, { ...path, userId: seedId('user deniz') }, { role: 'owner' }),
    );
    expect(operations.map(({ action }) => action)).toEqual(['create', 'update']);
  });

  it('rests on nothing about a section that it makes itself', async () => {
    const site = { ...org, siteId: seedId('site docs') };
    const operations = await planned(
      draft(createSection, site, { spaceId: seedId('space handbook'), title: 'Brand new' }),
      {
        change: request(
          addSectionToGroup,
          { ...site, siteSectionGroupId: seedId('section group docs') },
          { sectionId: { $from: 'o1', path: 'id' } },
        ),
      },
    );
    expect(operations[1]?.reads).toBeUndefined();
    expect(operations[1]?.after).toEqual(['o1']);
  });

  it('does not rest on the default section of a site where it may empty that', async () => {
    const site = { ...org, siteId: seedId('site docs') };
    const sections = await allOf(listSections, site);
    const [first, other] = sections.map(({ id }) => String(id));
    const inFirst = (await allOf(listSiteSpaces, site)).find(({ section }) => section === first);
    const operations = await planned(
      draft(deleteSiteSpace, { ...site, siteSpaceId: String(inFirst?.id) }, undefined),
      draft(updateSite, site, { defaultSiteSection: other, basename: 'other' }),
    );
    expect(operations[1]).toMatchObject({ after: ['o1'], reads: { fields: ['basename'] } });
    const [alone] = await planned(draft(updateSite, site, { defaultSiteSection: other }));
    expect(alone?.reads?.state).toEqual({ defaultSiteSection: first });
  });

  it('does not claim the place of what moves while a group has no sections', async () => {
    const site = { ...org, siteId: seedId('site docs') };
    const sections = await allOf(listSections, site);
    const siteSectionGroupId = String(sections.find((one) => one.sectionGroup)?.sectionGroup);
    const inGroup = sections.filter(({ sectionGroup }) => sectionGroup === siteSectionGroupId);
    const [home, ...others] = sections.filter(({ sectionGroup }) => sectionGroup !== siteSectionGroupId);
    const leave = inGroup.map(({ id }) =>
      draft(removeSectionFromGroup, { ...site, siteSectionGroupId, siteSectionId: String(id) }, undefined),
    );
    const position = { before: { type: 'site-section', siteSection: String(home?.id) } };
    const moved = String((others[0] ?? inGroup[0])?.id);
    const move = draft(moveSection, { ...site, siteSectionId: moved }, { position });
    const undoOf = async (...drafts: Draft[]) => (await planned(...drafts)).at(-1)?.undo;
    expect(inGroup.length).toBeGreaterThan(1);
    expect(await undoOf(...leave, move)).toBe('best-effort');
    expect(await undoOf(...leave.slice(1), move)).toBe('exact');
  });

  it('of one change of what does not exist is refused as the change is; among several it is a risk', async () => {
    const gone = draft(updateTeam, { ...org, teamId: 'nowhere' }, { title: 'Other' });
    await expect(planned(gone)).rejects.toMatchObject({ kind: 'not-found', code: 'not_found' });
    const other = draft(updateTeam, { ...org, teamId: seedId('team writers') }, { title: 'Other' });
    const operations = await planned(gone, other);
    expect(operations.map(({ risk }) => risk)).toEqual([
      'nowhere does not exist, so the platform will refuse this.',
      undefined,
    ]);
  });

  it('holds a long value as its hash, by which a change of it is noticed', async () => {
    const jsonSchema = { type: 'object', properties: {}, description: 'x'.repeat(40_000) };
    const held = heldState({ title: 'short', jsonSchema });
    expect(JSON.stringify(held).length).toBeLessThan(200);
    expect(matches(inFormOf({ title: 'short', jsonSchema }, held), held)).toBe(true);
    const changed = { ...jsonSchema, description: 'y'.repeat(40_000) };
    expect(matches(inFormOf({ title: 'short', jsonSchema: changed }, held), held)).toBe(false);
  });
});
