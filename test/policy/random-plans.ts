import fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { prepare } from '../../src/api/client.js';
import { updateMember, updateTeamMembers } from '../../src/api/resources/members.js';
import { createTeam, updateTeam } from '../../src/api/resources/teams.js';
import { type Change, requestFor } from '../../src/jobs/change.js';
import { changesIn, plannedLine } from '../../src/jobs/journal.js';
import type { Reads } from '../../src/jobs/reads.js';
import { canonical } from '../../src/jobs/state.js';
import { safeLine } from '../../src/output/text.js';
import { loadPlan, writePlan } from '../../src/plans/file.js';
import { makePlan } from '../../src/plans/make.js';
import { itemsOf } from '../../src/plans/operation.js';
import { requestText } from '../../src/plans/show/summary.js';
import { planText } from '../../src/plans/show/text.js';
import { parseApprovals, verifyApprovals } from '../../src/policy/approval/approvals.js';
import { fakeIo } from '../fake-io.js';
import { approvalOf, fileOf, now, person, policyFor } from './approval/world.js';

/** Random plans through save, load, show, approve and the lines of a job: what was shown is what would be sent. */

/** One character of each category of Unicode that a text may have, beside those of the usual ranges. */
const categories = [
  ...[
    'A',
    'a',
    'ǅ',
    'ʰ',
    'ʻ',
    'ا',
    '़',
    'ः',
    '⃝',
    '٣',
    'Ⅷ',
    '½',
    '‿',
    '—',
    '(',
    ')',
    '«',
    '»',
    '!',
    '+',
    '$',
    '^',
    '©',
  ],
  ...[
    ' ',
    '\u00a0',
    '\u2003',
    '\u2028',
    '\u2029',
    '\t',
    '\n',
    '\r',
    '\u0007',
    '\u001b',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u2066',
  ],
  ...[
    '\ufeff',
    '\u{e0041}',
    '\u{e007f}',
    '\ufe0f',
    '\u{e0100}',
    '\ue000',
    '\u{10ffff}',
    '\u0378',
    '😀',
    '"',
    '\\',
    '{',
    '$',
  ],
];
export const anyText = fc
  .array(
    fc.oneof(fc.constantFrom(...categories), fc.string({ unit: 'binary', minLength: 1, maxLength: 2 })),
    {
      minLength: 1,
      maxLength: 20,
    },
  )
  .map((parts) => [...parts.join('')].slice(0, 60).join(''));
const id = fc.constantFrom('u1', 'u2', 'u3', 'u4');
// With duplicates, in any order.
const ids = fc.array(id, { maxLength: 6 });
const path = { organizationId: 'org1' };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ title: anyText, members: ids }).map((body) => withBody(createTeam, path, body)),
  anyText.map((title) => withBody(updateTeam, { ...path, teamId: 't1' }, { title })),
  fc
    .record({ add: ids, remove: ids, memberships: fc.dictionary(id, fc.constant({ role: 'owner' })) })
    .map((body) => withBody(updateTeamMembers, { ...path, teamId: 't1' }, body)),
  fc
    .tuple(id, fc.constantFrom('admin', 'edit', 'read', null))
    .map(([userId, role]) => withBody(updateMember, { ...path, userId }, { role })),
);

function withBody(op: Change['op'], own: Record<string, string>, body: unknown): Change {
  const made = requestFor(op, own);
  return { ...made, input: { ...made.input, body } };
}

const reads: Reads = {
  one: async () => ({ id: 't1', title: 'Old', role: 'comment', user: { email: 'x@acme.example' } }),
  all: async () => [],
};

const sent = (changes: readonly Change[]) =>
  changes.map(({ op, input }) => canonical([prepare(op, input).path, op.method, input.body ?? null]));

const facts = {
  ...{ version: '1.0.0', origin: 'https://docs.example', profile: 'default', organization: 'org1' },
  ...{ command: 'bulk', line: [], by: { id: 'm1', email: 'maker@acme.example' }, risks: [], nowMs: now },
};
const ada = person('ada@acme.example');
const policy = policyFor([ada]);
const age = { nowMs: now, maxAgeMs: 86_400_000 };

/** @param folder an empty one */
export async function holdRandomPlans(folder: string, numRuns: number, seed: number): Promise<void> {
  const io = fakeIo({ cwd: folder });
  const file = join(folder, 'plan.json');
  const property = fc.asyncProperty(
    fc.array(change, { minLength: 2, maxLength: 5 }),
    fc.nat(),
    async (changes, at) => {
      const made = await makePlan(
        reads,
        facts,
        changes.map((one) => ({ change: one })),
      );
      fs.rmSync(file, { force: true });
      await writePlan(io, 'plan.json', made);
      const { plan, reasons } = await loadPlan(io, 'plan.json');
      expect(reasons).toEqual([]);
      // Approved as it is, and under no other hash.
      const approvals = fileOf(approvalOf(plan, [policy], ada));
      expect(verifyApprovals(plan, approvals, policy, age).by).toEqual([ada.email]);
      expect(parseApprovals(approvals).unreadable).toBe(0);
      // What a job sends, and what it sends after it was read again, is what was asked for.
      const items = itemsOf(plan);
      expect(sent(changesIn(items))).toEqual(sent(changes));
      const again = itemsOf((await loadPlan(io, 'plan.json')).plan);
      const lines = (all: typeof items) => canonical(all.map((one) => plannedLine(one.change)));
      expect(lines(again)).toBe(lines(items));
      // Each request is in the picture, whole; lines are as wide as the longest.
      const picture = planText(plan, { columns: 100_000, colour: false, full: true, made: true });
      for (const operation of plan.operations)
        expect(picture).toContain(safeLine(requestText(operation) ?? 'nothing'));
      await changedByte(file, at, async () => {
        const other = await loadPlan(io, 'plan.json').catch(() => undefined);
        const isRefused = other === undefined || other.reasons.length > 0;
        expect(isRefused || sent(changesIn(itemsOf(other.plan))).join() === sent(changes).join()).toBe(true);
        expect(isRefused).toBe(true);
      });
    },
  );
  await fc.assert(property, { numRuns, seed });
}

/** Another byte at one place of a file, while something is tried. */
async function changedByte(file: string, at: number, work: () => Promise<void>): Promise<void> {
  const bytes = fs.readFileSync(file);
  const index = at % bytes.length;
  bytes[index] = ((bytes[index] ?? 0) + 1) % 256;
  fs.writeFileSync(file, bytes);
  await work();
}
