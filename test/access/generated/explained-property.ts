import fc from 'fast-check';
import { expect } from 'vitest';
import { explainAccess } from '../../../src/access/explain.js';
import { holdersOf } from '../../../src/access/holders.js';
import { Matrix, namedSpaces, pairsOf, spacesIn } from '../../../src/access/matrix.js';
import { type KnownRole, Tally } from '../../../src/access/person.js';
import type { Role } from '../../../src/api/shapes.js';
import { DocsError } from '../../../src/base/errors.js';
import type { Reading } from '../../../src/snapshot/unread.js';
import { decidedRoles, pair } from './decisions.js';
import { accessOrganization } from './organization.js';
import type { Fault, Platform } from './platform.js';
import { orgId, personId, tablesOf } from './state.js';

/** What `explain`, `who` and `matrix` give for random organizations. */

interface Runs {
  numRuns: number;
  seed: number;
}

type Roles = Map<string, KnownRole>;

/** The roles of everybody everywhere that each of the three gives equal those that the sandbox decides. */
export async function explainedHolds(platform: Platform, { numRuns, seed }: Runs): Promise<number> {
  let pairs = 0;
  const property = fc.asyncProperty(accessOrganization, async (org) => {
    platform.load(tablesOf(org));
    const decided = await decidedRoles(platform, org);
    const reading = readingAs(platform, personId(0));
    const tally = new Tally();
    expect(sorted(await ofMatrix(reading, tally))).toEqual(sorted(decided));
    const spaces = [...new Set([...decided.keys()].map((key) => key.split(' ')[1] ?? ''))];
    expect(sorted(await ofWho(reading, spaces, tally))).toEqual(sorted(onlyHeld(decided)));
    for (const [key, role] of decided) {
      const [person = '', id = ''] = key.split(' ');
      const { explanation, unread } = await explainAccess(reading, person, { object: 'space', id });
      expect(explanation.role, key).toBe(role);
      const deciding = explanation.layers.filter(({ decides }) => decides);
      expect(
        deciding.map((layer) => layer.role),
        key,
      ).toEqual([role]);
      tally.fail(...unread);
    }
    expect([tally.failures, tally.unknown]).toEqual([0, 0]);
    pairs += decided.size;
  });
  await fc.assert(property, { numRuns, seed });
  return pairs;
}

/** With a token that may read less, and where reads fail, each role that is given is right or `unknown`. */
export async function nothingIsMadeUp(
  platform: Platform,
  { numRuns, seed }: Runs,
  faultOf: (draw: number) => Fault,
): Promise<{ known: number; unknown: number }> {
  const seen = { known: 0, unknown: 0 };
  const property = fc.asyncProperty(accessOrganization, fc.nat(1000), async (org, draw) => {
    platform.load(tablesOf(org));
    const decided = await decidedRoles(platform, org);
    const readings = [
      readingAs(platform, personId(draw % org.people.length)),
      readingAs(platform, personId(0), faultOf(draw)),
    ];
    for (const reading of readings) {
      const tally = new Tally();
      const given = await ofMatrix(reading, tally).catch(onlyRefused);
      for (const [key, role] of given ?? []) {
        seen[role === 'unknown' ? 'unknown' : 'known'] += 1;
        if (role !== 'unknown') expect(role, key).toBe(decided.get(key));
      }
      if (given !== undefined && given.size < decided.size) expect(tally.failures).toBeGreaterThan(0);
    }
  });
  await fc.assert(property, { numRuns, seed });
  return seen;
}

function readingAs(platform: Platform, user: string, fault?: Fault): Reading {
  const client = platform.client(user, fault);
  return { client, organizationId: orgId, concurrency: 4, signal: new AbortController().signal };
}

async function ofMatrix(reading: Reading, tally: Tally): Promise<Roles> {
  const request = await spacesIn(reading, { spaces: [], collections: [] }, tally);
  const given: Roles = new Map();
  for await (const rows of new Matrix(request, tally).rows(reading))
    for (const { person, space, role } of rows.flatMap(pairsOf)) given.set(pair(person.id, space.id), role);
  return given;
}

async function ofWho(reading: Reading, ids: readonly string[], tally: Tally): Promise<Roles> {
  const given: Roles = new Map();
  for await (const holders of holdersOf(reading, await namedSpaces(reading, ids, tally), tally))
    for (const { person, space, role } of holders) given.set(pair(person.id, space.id), role);
  return given;
}

/** `who` lists those who have a role. */
function onlyHeld(decided: ReadonlyMap<string, Role | null>): Map<string, Role | null> {
  return new Map([...decided].filter(([, role]) => role !== null));
}

const sorted = (roles: ReadonlyMap<string, KnownRole>) => [...roles].sort(([a], [b]) => (a < b ? -1 : 1));

/** Where the members themselves cannot be listed, there are no rows. @throws every other failure */
function onlyRefused(cause: unknown): undefined {
  if (!(cause instanceof DocsError)) throw cause;
}
