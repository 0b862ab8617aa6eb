import { expect, it } from 'vitest';
import type { Address } from '../../../src/organization/model.js';
import { files, lockOf, person, plan, platform, wanted } from './build.js';

const count = 12_000;
const roles = ['edit', 'read', 'review'];
const email = (at: number) => `person-${at}@acme.example`;
const roleOf = (at: number) => roles[at % roles.length] as string;

it('a plan over thousands of people takes moments, unchanged or with thousands of changes', () => {
  const members = Array.from({ length: count }, (_, at) => person(email(at), roleOf(at)));
  const live = platform([]);
  const all = { ...live, items: new Map([['people' as const, members]]) };
  const desired = (role: (at: number) => string) =>
    files(
      members.map((_, at) => wanted(`people/${email(at)}` as Address, { role: role(at), sso: false })),
      { exact: ['people'] },
    );
  const adopted = plan(desired(roleOf), all).settled;
  const lock = lockOf(Object.fromEntries(adopted.flatMap(({ item, to }) => (to ? [[item, to]] : []))));
  expect(Object.keys(lock.items)).toHaveLength(count);
  const unchanged = desired(roleOf);
  const changed = desired((at) => (at % 15 === 0 ? 'comment' : roleOf(at)));
  expect(plan(unchanged, all, lock)).toEqual({ drafts: [], settled: [], risks: [], notes: [] });
  expect(plan(changed, all, lock).drafts).toHaveLength(count / 15);
});
