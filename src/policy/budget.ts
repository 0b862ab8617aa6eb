import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Static, Type } from '../api/type.js';
import { readJson } from '../api/validate.js';
import { type DocsError, notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { shellWord } from '../base/shell-word.js';
import { writeFileAtomically } from '../base/write-file.js';
import { cannotWrite } from '../settings/own-files.js';
import type { Counts } from './effects.js';
import { isUserPlace, LedgerFile, lockPlace, placeOf } from './place.js';
import type { Budget, Policy, Verdict } from './policy.js';

/** The file in which budgets are counted: one line a reservation, written before its requests are sent. */

/** What was reserved; kept to give back what is not sent. */
const Reservation = Type.Object({
  id: Type.String(),
  at: Type.Integer({ description: 'Milliseconds since the epoch' }),
  writes: Type.Integer(),
  deletes: Type.Integer(),
  policies: Type.Array(Type.String(), {
    description: 'The files of the policies whose budget it counts against',
  }),
});
export type Reservation = Static<typeof Reservation>;

/** A ledger of the user that has more lines is written anew without those that count no more. */
const mostLines = 2000;
/** No budget is for longer. */
const keptMs = 86_400_000;

function ledgerPath(place: string): string {
  return join(place, 'budget.jsonl');
}

interface Ledger {
  entries: readonly Reservation[];
  append(entry: Reservation): void;
}

/** Works on the ledger of a place under its lock; what is appended is on the disk before this resolves. */
async function inLedger<T>(io: Io, place: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const path = ledgerPath(place);
  const file = ledgerAt(io, path);
  file.makePlace();
  const write = async (held: () => boolean): Promise<T> => {
    const { entries, torn } = readLedger(io, path);
    const added: Reservation[] = [];
    const result = await work({ entries, append: (entry) => added.push(entry) });
    if (added.length === 0) return result;
    if (!held()) throw file.unusable('another process took its lock');
    if (entries.length <= mostLines || !isUserPlace(io, place))
      await file.append((torn ? `${tornMark}\n` : '') + added.map(lineOf).join(''));
    else {
      const counting = entries.filter(({ at }) => at > io.now() - keptMs);
      await writeFileAtomically(path, [...counting, ...added].map(lineOf).join(''));
    }
    return result;
  };
  const failed = (cause: unknown) =>
    isUserPlace(io, place) ? cannotWrite(io, `${path}.lock`, cause) : file.failure(cause);
  return lockPlace(io, path, write, failed);
}

function lineOf(entry: Reservation): string {
  return `${JSON.stringify(entry)}\n`;
}

/** The end of a line that a crash left torn: nothing of it was sent. The file is appended to and never cut. */
const tornMark = '#torn';

function ledgerAt(io: Io, path: string): LedgerFile {
  return new LedgerFile(io, path, { name: 'budgets', code: 'budget_unusable' });
}

/**
 * What was reserved; torn lines are left out.
 * @throws DocsError configuration `corrupt_budget`, `unsafe_path`; local-io `budget_unusable`
 */
function readLedger(io: Io, path: string): { entries: Reservation[]; torn: boolean } {
  const bytes = ledgerAt(io, path).read();
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.toString('utf8', 0, wholeBytes).split('\n').slice(0, -1);
  const entries = lines.flatMap((line, at) => {
    if (line.endsWith(tornMark)) return [];
    const entry = readJson(Reservation, line);
    if (entry === undefined) throw corrupt(path, at + 1);
    return [entry];
  });
  return { entries, torn: wholeBytes < bytes.length };
}

function corrupt(path: string, line: number): DocsError {
  const { platform } = process;
  const move = platform === 'win32' ? 'move' : 'mv';
  const hint = `${move} ${shellWord(path, platform)} ${shellWord(`${path}.broken`, platform)}`;
  const message = `the ledger of budgets ${path} is corrupt in line ${line}; nothing was sent`;
  return notSent('configuration', 'corrupt_budget', message, { hint, details: { file: path, line } });
}

/**
 * The budgets of policies. What is reserved for an hour or a day stands in the ledger of the policy's place, so that it
 * holds across processes and outlives the journals; what is for one run, in memory.
 */

/** A refusal: nothing was reserved. */
export type OverBudget = Extract<Verdict, { is: 'deny' }> & {
  /** How many are left. */
  left: number;
  /** When there is room for all that was asked; milliseconds since the epoch. Absent where there never is. */
  backAtMs?: number;
};

const spanMs = { hour: 3_600_000, day: 86_400_000 } as const;

/**
 * Reserves all of it in every policy, or nothing.
 * @param run what this run has reserved so far; raised by what is reserved
 * @throws DocsError configuration `corrupt_budget`, `unsafe_path`; local-io `budget_unusable`, `settings_locked`
 */
export async function reserve(
  io: Io,
  policies: readonly Policy[],
  wanted: Counts,
  run: Counts,
): Promise<Reservation | OverBudget> {
  const own = { id: randomUUID(), at: io.now(), ...wanted, policies: policies.map(({ file }) => file) };
  const spent = overRun(policies, wanted, run);
  if (spent !== undefined) return spent;
  // At once, since another request of this run may reserve while the ledger is locked.
  raise(run, wanted, 1);
  let isReserved = false;
  try {
    const over = await reserveInLedger(io, policies, own);
    isReserved = over === undefined;
    return over ?? own;
  } finally {
    if (!isReserved) raise(run, wanted, -1);
  }
}

async function reserveInLedger(
  io: Io,
  policies: readonly Policy[],
  own: Reservation,
): Promise<OverBudget | undefined> {
  return own.writes === 0 ? undefined : reserveIn(io, placesOf(io, policies), own);
}

/** Reserves in each place, or in none: a lock is held until the places after it have been asked, too. */
async function reserveIn(
  io: Io,
  [first, ...others]: readonly (readonly [place: string, policies: readonly Policy[]])[],
  own: Reservation,
): Promise<OverBudget | undefined> {
  if (first === undefined) return undefined;
  const [place, policies] = first;
  return inLedger(io, place, async (ledger) => {
    const refused = overWindows(policies, own, ledger.entries, own.at) ?? (await reserveIn(io, others, own));
    if (refused === undefined) ledger.append(own);
    return refused;
  });
}

/** Policies with a budget that outlives the run, by the place of their ledger; sorted, as locks are taken in this order. */
function placesOf(io: Io, policies: readonly Policy[]): [place: string, policies: Policy[]][] {
  const byPlace = new Map<string, Policy[]>();
  for (const policy of policies.filter((one) => isKept([one]))) {
    const place = placeOf(io, policy);
    byPlace.set(place, [...(byPlace.get(place) ?? []), policy]);
  }
  return [...byPlace].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Whether a policy has a budget that outlives the run. */
function isKept(policies: readonly Policy[]): boolean {
  return policies.some(({ budget }) => budget.some(({ per }) => per !== 'run'));
}

function raise(run: Counts, { writes, deletes }: Counts, by: 1 | -1): void {
  run.writes += by * writes;
  run.deletes += by * deletes;
}

/** Gives back what was reserved and not sent. @throws DocsError as `reserve` */
export async function release(
  io: Io,
  policies: readonly Policy[],
  { id, at, policies: files }: Reservation,
  unsent: Counts,
  run: Counts,
): Promise<void> {
  if (unsent.writes <= 0 && unsent.deletes <= 0) return;
  raise(run, unsent, -1);
  const back = { id, at, writes: -unsent.writes, deletes: -unsent.deletes, policies: files };
  for (const [place] of placesOf(io, policies))
    await inLedger(io, place, async (ledger) => ledger.append(back));
}

/** What would refuse a reservation; reads the ledger without its lock, and reserves nothing. */
export function foresee(
  io: Io,
  policies: readonly Policy[],
  wanted: Counts,
  run: Counts,
): OverBudget | undefined {
  const spent = overRun(policies, wanted, run);
  if (spent !== undefined || wanted.writes === 0) return spent;
  for (const [place, own] of placesOf(io, policies)) {
    const over = overWindows(own, wanted, readLedger(io, ledgerPath(place)).entries, io.now());
    if (over !== undefined) return over;
  }
  return undefined;
}

/** How much of each budget is left, for `docs policy explain`; reads the ledger without its lock. */
export function remaining(io: Io, policy: Policy): { budget: Budget; left: number }[] {
  const { entries } = isKept([policy]) ? readLedger(io, ledgerPath(placeOf(io, policy))) : { entries: [] };
  return policy.budget.map((budget) => {
    const used = budget.per === 'run' ? 0 : usedIn(budget, policy, entries, io.now());
    return { budget, left: Math.max(0, budget.most - used) };
  });
}

/** `budget writes: 20/run`. */
export function budgetText({ what, most, per }: Budget): string {
  return `budget ${what}: ${most}/${per}`;
}

function overRun(policies: readonly Policy[], wanted: Counts, run: Counts): OverBudget | undefined {
  for (const policy of policies)
    for (const budget of policy.budget.filter(({ per }) => per === 'run'))
      if (wanted[budget.what] > 0 && run[budget.what] + wanted[budget.what] > budget.most)
        return refusal(policy, budget, wanted, Math.max(0, budget.most - run[budget.what]));
  return undefined;
}

function overWindows(
  policies: readonly Policy[],
  wanted: Counts,
  entries: readonly Reservation[],
  nowMs: number,
): OverBudget | undefined {
  for (const policy of policies)
    for (const budget of policy.budget.filter(({ per }) => per !== 'run')) {
      const used = usedIn(budget, policy, entries, nowMs);
      if (wanted[budget.what] === 0 || used + wanted[budget.what] <= budget.most) continue;
      const left = Math.max(0, budget.most - used);
      const backAtMs = backAt(budget, policy, entries, wanted[budget.what], nowMs);
      return refusal(policy, budget, wanted, left, backAtMs);
    }
  return undefined;
}

/** What stands in the future counts: the clock was set back. */
function concerned({ per }: Budget, { file }: Policy, entries: readonly Reservation[], nowMs: number) {
  const fromMs = per === 'run' ? nowMs : nowMs - spanMs[per];
  return entries.filter(({ at, policies }) => at > fromMs && policies.includes(file));
}

function usedIn(budget: Budget, policy: Policy, entries: readonly Reservation[], nowMs: number): number {
  return concerned(budget, policy, entries, nowMs).reduce((sum, entry) => sum + entry[budget.what], 0);
}

/** When enough of what was reserved counts no more; undefined where the budget is too small at all. */
function backAt(
  budget: Budget,
  policy: Policy,
  entries: readonly Reservation[],
  wanted: number,
  nowMs: number,
): number | undefined {
  if (wanted > budget.most || budget.per === 'run') return undefined;
  const own = concerned(budget, policy, entries, nowMs).sort((a, b) => a.at - b.at);
  let used = own.reduce((sum, entry) => sum + entry[budget.what], 0);
  for (const entry of own) {
    used -= entry[budget.what];
    const isLast = !own.some((other) => other.at === entry.at && own.indexOf(other) > own.indexOf(entry));
    if (isLast && used + wanted <= budget.most) return entry.at + spanMs[budget.per];
  }
  return undefined;
}

function refusal(
  { file }: Policy,
  budget: Budget,
  wanted: Counts,
  left: number,
  backAtMs?: number,
): OverBudget {
  const { what, most, per, line } = budget;
  const count = wanted[what];
  const asked = `${count} ${count === 1 ? what.slice(0, -1) : what}`;
  const never = per !== 'run' && count > most ? '; the budget never allows that many at once' : '';
  const back =
    backAtMs === undefined ? never : `; there is room again at ${new Date(backAtMs).toISOString()}`;
  const why = `the budget of ${most} ${what} per ${per} has ${left} left, and ${asked} ${count === 1 ? 'is' : 'are'} needed${back}`;
  return { is: 'deny', by: { file, line, rule: budgetText(budget) }, why, left, backAtMs };
}
