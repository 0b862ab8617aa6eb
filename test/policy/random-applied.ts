import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createClient } from '../../src/api/client.js';
import {
  deleteTeamMember,
  setTeamMember,
  updateMember,
  updateTeamMembers,
} from '../../src/api/resources/members.js';
import { updateSpace } from '../../src/api/resources/spaces.js';
import { createTeam, updateTeam } from '../../src/api/resources/teams.js';
import { createTransport } from '../../src/api/transport.js';
import type { Change } from '../../src/jobs/change.js';
import type { ItemLine } from '../../src/jobs/journal.js';
import { readsOf } from '../../src/jobs/reads.js';
import { writePlan } from '../../src/plans/file.js';
import { makePlan } from '../../src/plans/make.js';
import type { Plan } from '../../src/plans/plan.js';
import type { SandboxControl } from '../../src/sandbox/control.js';
import { type ApprovalHome, ada, approvalHome } from '../e2e/approval-home.js';
import type { Passed } from '../e2e/forwarder.js';
import { ioHere } from '../e2e/here.js';
import type { Ran } from '../e2e/program.js';
import { onTerminalHere } from '../e2e/terminal-here.js';
import { inOrg, request, user } from '../plans/plan-world.js';
import { openSandbox, seedId, type TestSandbox } from '../sandbox/client.js';
import { controlOf } from '../sandbox/control-of.js';
import { anyText } from './random-plans.js';

/**
 * Random plans on a sandbox: saved, shown and approved on a terminal, applied, some of them interrupted and resumed. What
 * the terminal showed is sent to a second sandbox as it stood there, and both platforms must end up the same.
 */

const people = ['bruno', 'chiara', 'deniz', 'emil', 'farah'].map(user);
const teams = ['writers', 'support'].map((name) => seedId(`team ${name}`));
const person = fc.constantFrom(...people);
const team = fc.constantFrom(...teams);
/** With duplicates, in any order. */
const some = fc.array(person, { minLength: 1, maxLength: 5 });
const title = fc.oneof(
  anyText,
  fc.constantFrom('Same', 'Same ', 'a  b', '{o1.id}', '<U+200B>', String.raw`\u200b`),
);

/** One change, or some that belong together, by the place of the first in the plan. */
type Making = (at: number) => readonly Change[];

const inTeam = (teamId: unknown, userId: string) => ({ ...inOrg, teamId, userId });
const added = (first: number, userId: string) =>
  request(setTeamMember, inTeam({ $from: `o${first + 1}`, path: 'id' }, userId), { role: 'owner' });

const making: fc.Arbitrary<Making> = fc.oneof(
  fc
    .record({ title, members: some }, { requiredKeys: ['title'], noNullPrototype: true })
    .map((body) => () => [request(createTeam, inOrg, body)]),
  fc.tuple(title, person).map(([text, one]) => (at: number) => [
    request(createTeam, inOrg, { title: text }),
    added(at, one),
  ]),
  fc.tuple(team, title).map(([id, text]) => () => [
    request(updateTeam, { ...inOrg, teamId: id }, { title: text }),
  ]),
  fc.tuple(team, some, fc.array(person, { maxLength: 3 })).map(([id, add, remove]) => () => [
    request(updateTeamMembers, { ...inOrg, teamId: id }, { add, remove }),
  ]),
  fc.tuple(team, person, fc.constantFrom('owner', 'member')).map(([id, one, role]) => () => [
    request(setTeamMember, inTeam(id, one), { role }),
  ]),
  fc.tuple(team, person).map(([id, one]) => () => [
    request(setTeamMember, inTeam(id, one), { role: 'member' }),
    request(deleteTeamMember, inTeam(id, one)),
  ]),
  fc.tuple(person, fc.constantFrom('edit', 'read', 'comment', 'review', null)).map(([userId, role]) => () => [
    request(updateMember, { ...inOrg, userId }, { role }),
  ]),
  title.map((text) => () => [request(updateSpace, { spaceId: seedId('space handbook') }, { title: text })]),
);

/** What becomes of an apply: nothing, or at which change the connection or the program is lost, or Ctrl-C is pressed. */
const fate = fc.record({
  kind: fc.constantFrom('none', 'lost before', 'lost after', 'SIGKILL', 'SIGINT', 'down'),
  at: fc.integer({ min: 1, max: 6 }),
  /** Whether independent changes may overtake each other. */
  isFree: fc.nat({ max: 3 }).map((one) => one === 0),
});

const trial = fc.record({ makings: fc.array(making, { minLength: 1, maxLength: 4 }), fate });
type Trial = { makings: readonly Making[]; fate: { kind: string; at: number; isFree: boolean } };

/** A request as the terminal showed it. */
interface ShownRequest {
  /** Of its operation, where that is shown: `o3`. */
  id: string | undefined;
  method: string;
  path: string;
  body: string | undefined;
}

export interface RandomApplies {
  /** Runs some random plans. @returns how many were approved, and how many of these were resumed */
  hold(count: number, seed: number): Promise<{ approved: number; resumed: number }>;
  close(): Promise<void>;
}

/** Plans after which both platforms begin again: with each more, a state takes longer to compare. */
const perReset = 40;

export async function randomApplies(): Promise<RandomApplies> {
  const all = await approvalHome();
  const other = await openSandbox();
  const control = await controlOf(other);
  const world: World = { all, other, control, maker: await makerOf(all) };
  return {
    async hold(count, seed) {
      const told = { approved: 0, resumed: 0 };
      for (const [at, one] of fc.sample(trial, { numRuns: count, seed }).entries()) {
        if (at % perReset === 0) await begin(world);
        const came = await tried(world, one).catch((cause: unknown) => {
          const which = `plan ${at} of seed ${seed}, ${JSON.stringify(one.fate)}`;
          throw new Error(`${which}, ${sentBy(one)}: ${String(cause)}`, { cause });
        });
        told[came] += 1;
        if (came === 'resumed') told.approved += 1;
      }
      return told;
    },
    async close() {
      control.close();
      await other.close();
      await all.close();
    },
  };
}

interface World {
  all: ApprovalHome;
  other: TestSandbox;
  control: SandboxControl;
  maker: Pick<Plan, 'by' | 'origin' | 'profile' | 'version' | 'organization'>;
}

async function makerOf(all: ApprovalHome): Promise<World['maker']> {
  await all.reset();
  const words = ['teams', 'create', '--title', 'T', '--save-plan', 'plan.json', '--yes'];
  await all.home.ok(words);
  const { by, origin, profile, version, organization } = all.plan();
  return { by, origin, profile, version, organization };
}

async function begin({ all, control }: World): Promise<void> {
  await all.reset();
  rmSync(join(all.home.path, '.local', 'state', 'docs'), { recursive: true, force: true });
  await control.seed(all.at('seed.json'), { isExport: true });
  all.write('policy.yaml', all.policyText([ada], '', ['teams *', 'members *', 'spaces *', 'apply']));
  all.home.env.DOCS_POLICY = all.at('policy.yaml');
}

function changesOf({ makings }: Pick<Trial, 'makings'>): Change[] {
  const changes: Change[] = [];
  for (const make of makings) changes.push(...make(changes.length));
  return changes;
}

/** What a trial sends, for a message. */
function sentBy(one: Trial): string {
  const told = ({ op, input: { path, body } }: Change) => JSON.stringify([op.id, path, body]);
  return changesOf(one).map(told).join('\n');
}

type Came = 'approved' | 'resumed';

async function tried(world: World, { makings, fate: { kind, at, isFree } }: Trial): Promise<Came> {
  const changes = changesOf({ makings });
  const { all } = world;
  all.forwarder.reset();
  await saved(world, changes);
  const shown = await approved(all);
  expect(shown).toHaveLength(changes.length);
  const statuses = await sentAsShown(world, shown);
  const isWhole = statuses.every((status) => status < 300);
  all.forwarder.reset();
  // Two creations that overtake each other would get each other's ids.
  const overtakes = isFree && changes.filter(({ op }) => op === createTeam).length < 2;
  const pace = overtakes ? [] : ['--concurrency', '1'];
  const runs: Passed[][] = [];
  const noted = async (run: Promise<Pick<Ran, 'code' | 'stderr'>>) => {
    const ran = await run;
    runs.push(all.forwarder.passed.splice(0));
    return ran;
  };
  const words = ['apply', 'plan.json', '--yes', ...pace];
  let ran = await noted(interrupted(all, words, isWhole ? kind : 'none', at));
  // Twice at most: only the first run is interrupted.
  while (isWhole && ran.code !== 0 && runs.length < 3)
    ran = await noted(all.home.run(['jobs', 'resume', 'last', ...pace]));
  if (isWhole) expect(ran.code, ran.stderr).toBe(0);
  expectSent(all, { shown, statuses, runs, inOrder: !overtakes });
  expect(stateOf(all.sandbox.control)).toEqual(stateOf(world.control));
  return runs.length > 1 ? 'resumed' : 'approved';
}

/** Makes the plan of changes and writes it. */
async function saved({ all, maker }: World, changes: readonly Change[]): Promise<void> {
  const io = ioHere(all.home.env, all.home.path);
  const credential = { token: all.sandbox.token, origin: all.forwarder.url };
  const client = createClient(
    createTransport({ baseUrl: all.forwarder.url, credential, io, userAgent: 'test' }),
  );
  const facts = { ...maker, command: 'bulk', line: [], risks: [], nowMs: io.now() };
  rmSync(all.at('plan.json'), { force: true });
  rmSync(all.at('plan.json.approvals'), { force: true });
  const drafts = changes.map((change) => ({ change }));
  try {
    await writePlan(io, all.at('plan.json'), await makePlan(readsOf(client), facts, drafts));
  } finally {
    await client.close();
  }
}

const requestLine = /^ {6}(?:(o\d+) )?(GET|PUT|POST|PATCH|DELETE) (\S+)(?: (\{.*))?$/;

/** Approves plan.json on a terminal. @returns the requests that it showed, in the order in which they are sent */
async function approved({ home, sandbox }: ApprovalHome): Promise<ShownRequest[]> {
  const words = ['approve', 'plan.json', '--key', 'ada.pem'];
  const terminal = onTerminalHere(words, { env: home.env, cwd: home.path, columns: 4000, rows: 10_000 });
  await terminal.shows('Approve ');
  const lines = terminal.screen.text().split('\n');
  // What deletes something takes more than a yes.
  terminal.type(`${terminal.screen.text().includes('to approve:') ? sandbox.org : 'y'}\r`);
  const { code, screen } = await terminal.ended;
  expect(code, screen).toBe(0);
  const shown = lines.flatMap((line): ShownRequest[] => {
    const [, id, method = '', path = '', body] = requestLine.exec(line) ?? [];
    return method === '' ? [] : [{ id, method, path, body }];
  });
  const place = ({ id }: ShownRequest) => Number(id?.slice(1) ?? 0);
  return shown.sort((one, two) => place(one) - place(two));
}

/** Sends what was shown to the other platform, with the ids that it makes. @returns the status of each */
async function sentAsShown({ other }: World, shown: readonly ShownRequest[]): Promise<number[]> {
  const made = new Map<string, string>();
  const statuses: number[] = [];
  for (const [at, { method, path, body }] of shown.entries()) {
    const to = path.replaceAll(/\{(o\d+)\.id\}/g, (_, from: string) => made.get(from) ?? 'none');
    const headers = { authorization: `Bearer ${other.token}`, 'content-type': 'application/json' };
    const answer = await fetch(other.url + to, { method, headers, ...(body !== undefined && { body }) });
    const text = await answer.text();
    if (answer.ok && text !== '') made.set(`o${at + 1}`, (JSON.parse(text) as { id: string }).id);
    statuses.push(answer.status);
  }
  return statuses;
}

/** Applies, and lets what the trial says become of it. */
async function interrupted(
  { home, forwarder }: ApprovalHome,
  words: readonly string[],
  kind: string,
  at: number,
): Promise<Pick<Ran, 'code' | 'stderr'>> {
  const running = home.begin(words);
  forwarder.onChange = (count) => {
    if (kind === 'down' && count >= at) return 'lost before';
    if (count !== at) return 'pass';
    if (kind === 'lost before' || kind === 'lost after') return kind;
    if (kind === 'SIGKILL' || kind === 'SIGINT') running.kill(kind);
    return kind === 'SIGKILL' ? 'lost after' : 'pass';
  };
  const ran = await running.ended;
  await forwarder.idle();
  forwarder.onChange = () => 'pass';
  return ran;
}

interface Sending {
  shown: readonly ShownRequest[];
  /** What the other platform answered to each. */
  statuses: readonly number[];
  /** What reached the platform from each run of the job. */
  runs: readonly (readonly Passed[])[];
  inOrder: boolean;
}

/**
 * Each request that was shown reached the platform once, as it was shown, and in that order within each run. Where an
 * answer was lost, what is the same twice may be sent twice.
 */
function expectSent({ home }: ApprovalHome, { shown, statuses, runs, inOrder }: Sending): void {
  const idle = itemsWithNothingToDo(home.journalTexts().at(-1) ?? '');
  const wanted = shown
    .map(({ method, path, body }, at) => {
      const json = body === undefined ? [] : [JSON.stringify(JSON.parse(body))];
      return [statuses[at], method, path.replace(/\{o\d+\.id\}/, '{made}'), ...json].join(' ');
    })
    .filter((_, at) => !idle.has(at));
  const told = ({ status, text }: Passed) => `${status} ${text.replace(ofMade, '/teams/{made}/')}`;
  const all = runs.flat();
  const lost = all.findIndex(({ isLost }) => isLost);
  const again = all.find(({ text }, at) => lost >= 0 && at > lost && text === all[lost]?.text);
  const once = runs.map((run) => run.filter((one) => one !== again));
  const sorted = (each: Sending['runs']) => each.flat().map(told).sort();
  // What is the same twice in the plan is no repetition.
  const isAll = JSON.stringify(sorted(runs)) === JSON.stringify([...wanted].sort());
  const sent = isAll ? runs : once;
  expect(sorted(sent)).toEqual([...wanted].sort());
  if (inOrder) for (const run of sent) expectInOrder(run.map(told), wanted);
}

function expectInOrder(run: readonly string[], wanted: readonly string[]): void {
  let from = 0;
  for (const one of run) {
    const at = wanted.indexOf(one, from);
    expect(at, `${one} comes too late in ${run.join('\n')}`).toBeGreaterThanOrEqual(from);
    from = at + 1;
  }
}

/** Items that a read showed as done before anything was sent for them. */
function itemsWithNothingToDo(journal: string): ReadonlySet<number> {
  const lines = journal
    .split('\n')
    .filter(Boolean)
    .slice(1)
    .map((line) => JSON.parse(line) as ItemLine);
  const begun = new Set(lines.flatMap(({ is, item }) => (is === 'started' ? [item] : [])));
  return new Set(lines.flatMap((line) => ('found' in line && !begun.has(line.item) ? [line.item] : [])));
}

/** A team that the plan made. */
const ofMade = new RegExp(`/teams/(?!${teams.join('|')})\\w+/`);

interface Row {
  id?: string;
  title?: string;
  team_id?: string;
  user_id?: string;
  role?: string;
}

/**
 * All that a platform holds, but times. Teams that plans made are named by their title and members: a creation that was
 * lost is repeated later, and gets another id.
 */
function stateOf(control: SandboxControl): unknown {
  const text = control.export();
  const { tables } = JSON.parse(text) as { tables: Record<string, Row[]> };
  const rows = Object.values(tables).flat();
  const names = (tables.teams ?? [])
    .filter(({ id = '' }) => !teams.includes(id))
    .map(({ id = '', title }) => {
      const own = rows.filter((row) => row.team_id === id).map(({ user_id, role }) => `${user_id} ${role}`);
      return [id, JSON.stringify([title, ...own.sort()])] as const;
    });
  const nameOf = new Map(names);
  const isTime = (key: string) => key.endsWith('_at');
  const named = JSON.parse(text, (key, value: unknown) =>
    isTime(key) ? undefined : typeof value === 'string' ? (nameOf.get(value) ?? value) : value,
  ) as { tables: Record<string, Row[]> };
  const sorted = Object.entries(named.tables).map(([table, all]) => [table, all.map(asText).sort()]);
  return Object.fromEntries(sorted);
}

const asText = (row: Row) => JSON.stringify(row);
