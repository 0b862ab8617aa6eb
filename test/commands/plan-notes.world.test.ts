import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { opened } from '../opened.js';
import type { Organization } from '../organization/generated/model.js';
import { stateOf } from '../organization/generated/state.js';
import { World } from '../organization/generated/world.js';

/** A team taken from a person's list stays on the platform while the list is additive: every command says so. */

const world = opened(() => World.open());

const person = { role: 'edit', sso: false, disabled: false } as const;
const organization: Organization = {
  ...{ title: 'Acme', emailDomains: [], hostname: null, defaultRole: null, defaultSite: null },
  ...{ sso: false, ai: false, inviteLinks: false },
  people: ['ada', 'bob', 'cleo'].map((local) => ({ ...person, local })),
  teams: [{ title: 'Writers', members: [{ person: 2, owner: false }] }],
  ...{ fields: [], library: [], sites: [], specs: [], translations: [], saml: [] },
};

const file = () => join(world.folder, 'org', 'people.yaml');
beforeEach(async () => {
  world.load(stateOf(organization));
  await world.ok(['pull']);
  const text = readFileSync(file(), 'utf8');
  const without = text.replace('teams: [writers]', 'teams: []');
  expect(without).not.toBe(text);
  writeFileSync(file(), without);
});

const sentence = /memberships\/writers\/cleo\S*: The team member is no longer in people\.yaml and stays/;

test('docs plan and docs plan drift tell it as a note, which is nothing to apply', async () => {
  const { code, stdout } = await world.docs(['plan', '--exit-code']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/: nothing to do\n\nNotes \(1\)\n/)]);
  expect(stdout).toMatch(sentence);
  expect(await world.ok(['drift'])).toMatch(sentence);
  const plan = JSON.parse(await world.ok(['plan', '--json'])) as { notes: { code: string }[] };
  expect(plan).toMatchObject({ operations: [], notes: [{ code: 'stays' }] });
  expect(await world.ok(['plan', '-o', 'markdown'])).toContain('**Notes (1)**');
});

test('docs apply tells it, with other changes and without any', async () => {
  const alone = await world.docs(['apply', '--yes']);
  expect([alone.code, alone.stdout + alone.stderr]).toEqual([0, expect.stringMatching(sentence)]);
  expect(alone.stdout + alone.stderr).not.toContain('as the files say');
  writeFileSync(file(), readFileSync(file(), 'utf8').replace('role: edit', 'role: read'));
  const { code, stderr } = await world.docs(['apply', '--yes']);
  expect(code).toBe(0);
  expect(stderr).toMatch(/Notes \(1\)\n {2}· memberships\/writers\/cleo/);
});

test('with memberships: exact it is withheld instead, and --prune removes it', async () => {
  writeFileSync(file(), readFileSync(file(), 'utf8').replace('memberships: additive', 'memberships: exact'));
  const plan = JSON.parse(await world.ok(['plan', '--json'])) as { counts: object; notes?: unknown };
  expect([plan.counts, plan.notes]).toEqual([{ withheld: 1 }, undefined]);
  await world.ok(['apply', '--prune', '--yes']);
  expect(await world.ok(['plan'])).not.toContain('Notes');
});
