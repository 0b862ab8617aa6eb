import { type CallOptions, type Client, callOne, type LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { DocsError } from '../base/errors.js';
import { InUse } from '../base/in-use.js';
import { type Ending, endingOf, type Io } from '../base/io.js';
import { defined } from '../base/values.js';
import type { JobChange, Proof, Restores } from './change.js';
import type { Creations } from './creations.js';
import {
  filledFrom,
  sealedFields,
  sealedRule,
  sealedState,
  takeEnvironment,
  withEnvironment,
  withoutAnsweredSecrets,
  withoutFields,
} from './environment.js';
import {
  type ItemResult,
  type JobItem,
  type Outcome,
  type OutcomeLine,
  type StartedLine,
  type Tally,
  writeLine,
} from './journal.js';
import type { JournalFile } from './journal-file.js';
import { expecting, type Patient, patiently } from './late.js';
import {
  basisOf,
  failed,
  heldBack,
  lookBefore,
  readBefore,
  refusedIn,
  type SendDecision,
  settle,
  stateBefore,
  statusOf,
  unknownOutcome,
  wasSent,
} from './look.js';
import { addressesOf, filled, idOf, keepMade, type Made } from './made.js';
import { certainReadsOf, type Reads } from './reads.js';
import type { Rule } from './rule.js';
import type { RuleBook } from './rule-book.js';
import { runInGroups, Sequence, SharedReads } from './sequence.js';
import { bare, difference, matches, type State, titleToKeep } from './state.js';
import { isTraced } from './traced.js';

/**
 * A job at work. For each item: read the state before, sync `started` to the journal, send the request,
 * write the outcome.
 */
export class JobRun {
  readonly tally: Tally = { ok: 0, failed: 0, unknown: 0, skipped: 0 };
  /** What reads after an undo showed, by item. */
  readonly restored = { whole: 0, part: 0, unknown: 0 };
  /** Deletions whose answer was lost, and whose repetition found nothing left to delete. */
  alreadyDone = 0;
  readonly failures: DocsError[] = [];
  readonly #parts: JobParts;
  readonly #io: Patient;
  readonly #ending: Ending;
  #creations: Promise<Creations> | undefined;
  readonly #reads: Reads;
  readonly #shared: SharedReads;
  readonly #sequence: Sequence;
  /** Items of this run that are not done; what depends on them is held back. */
  readonly #undone: Set<number>;
  readonly #made: Made;
  /** Items whose `started` was written before their turn. */
  readonly #ahead = new InUse<Ahead>();
  #stopped = false;
  #onChange: (tally: Tally, waitsFor?: string) => void = () => {};

  constructor(parts: JobParts) {
    this.#parts = parts;
    const { client, io, steps, rules, journal } = parts;
    if (journal !== undefined) journal.isAlone = parts.single === true;
    this.#ending = endingOf(io);
    const onPause = (id: string) => this.#onChange(this.tally, id);
    // Node makes an AbortSignal where something waits, and not before.
    this.#io = {
      sleep: io.sleep,
      onPause,
      get signal() {
        return io.signal;
      },
    };
    takeEnvironment(io.env, steps);
    this.#reads = certainReadsOf(client);
    this.#made = new Map(parts.made);
    this.#sequence = new Sequence(steps, parts.concurrency, rules);
    this.#shared = new SharedReads(this.#reads);
    this.#undone = new Set(steps.map(({ change }) => change.item));
  }

  /** The item of the lock that each request is about, by its index, where the job belongs to a folder. */
  get addresses(): ReadonlyMap<number, string> {
    return addressesOf(this.#parts.steps.map(({ change }) => change));
  }

  get total(): number {
    return this.#parts.steps.length;
  }

  /** Items that were skipped or never started, whether or not somebody read their results. */
  get left(): number {
    const { ok, failed, unknown } = this.tally;
    return this.total - ok - failed - unknown;
  }

  /** Why the journal became unwritable, which ends the job. */
  get journalFailure(): DocsError | undefined {
    return this.#parts.journal?.failure;
  }

  /** @param onChange called whenever an item is finished, or waits for what the platform does not show yet */
  watch(onChange: (tally: Tally, waitsFor?: string) => void): void {
    this.#onChange = onChange;
  }

  /** Works on all items; yields their results in input order, those that are there at once together. Starts nothing new once its reader stops. */
  async *results(): AsyncGenerator<readonly ItemResult[]> {
    const { steps } = this.#parts;
    const sequence = this.#sequence;
    const { concurrency } = sequence;
    const act = (index: number, free: () => void) => {
      const result = this.item(steps[index] as JobItem, free);
      this.#startAhead(steps[index + concurrency]);
      return result;
    };
    try {
      yield* runInGroups(steps.length, act, { concurrency, after: (index) => sequence.after(index) });
    } finally {
      const unsent = [...this.#ahead];
      for (const one of unsent) this.#ahead.delete(one);
      await Promise.all(unsent.map(({ item }) => this.#end(item, 'skipped', {})));
    }
  }

  /**
   * Writes `started` of an item of the next round, so that its request need not wait for the disk. Only where a read
   * always shows whether a request took effect: after a crash, such an item counts as sent.
   */
  #startAhead(step: JobItem | undefined): void {
    const { journal, rules } = this.#parts;
    if (this.#stopped || this.#ending.reason !== undefined) return;
    if (step?.state !== 'planned' || journal === undefined) return;
    const { item, op, after, restores, proves, waitMs } = step.change;
    const rule = rules.ruleOf(op);
    if (!rule.oneWay || rule.read === undefined || this.#looksBefore(step.change, rule)) return;
    if (isTraced(op, rules) || (after ?? restores ?? proves ?? waitMs) !== undefined) return;
    const written = journal.appendSoon(writeLine({ item, is: 'started', ...this.#times() }));
    const ahead: Ahead = { item, written };
    this.#ahead.add(ahead);
    const onDisk = () => {
      ahead.written = undefined;
    };
    // Whoever sends the request gets the failure.
    written.then(onDisk, () => {});
  }

  /**
   * Works on one item. A failure becomes its result; only a bug throws.
   * @param free called when the request has its answer, while the outcome is still being written
   */
  async item(step: JobItem, free: () => void = () => {}): Promise<ItemResult> {
    const { change } = step;
    const answered = () => {
      this.#sequence.ended(step, this.#shared.moment());
      free();
    };
    const whole = filled(change, this.#made);
    const ready = { ...step, change: whole ?? change };
    let outcome: Outcome;
    try {
      if (change.after?.some((item) => this.#undone.has(item))) outcome = heldBack(change.id);
      else if (this.#stopped || this.#ending.reason !== undefined) outcome = { status: 'skipped' };
      else if (whole === undefined) outcome = heldBack(change.id);
      else outcome = await (whole.restores ? this.#restore(ready, step) : this.#change(ready, answered));
    } catch (cause) {
      this.#stopped ||= !(cause instanceof DocsError);
      // A look-up on the way may have settled what an earlier process left open.
      outcome = failed(ready, cause);
    }
    const { status, failure } = outcome;
    if (status === 'ok') this.#undone.delete(change.item);
    this.#sequence.ended(step, this.#shared.moment());
    if (failure !== undefined) this.failures.push(failure);
    this.tally[status] += 1;
    const bad = status === 'failed' || status === 'unknown';
    if ((bad && this.#parts.failFast) || this.journalFailure !== undefined) this.#stopped = true;
    this.#onChange(this.tally);
    return {
      index: change.item,
      id: idOf(change, outcome.answer, this.#made, this.#parts.rules),
      ...outcome,
    };
  }

  /**
   * Makes a change of an undo, and reads what it restored before the next change begins.
   * @param planned as it was before its references were filled in: its own id is known only once it is done
   */
  async #restore(ready: JobItem, planned: JobItem): Promise<Outcome> {
    const { change } = ready;
    const sent = this.#change(ready, () => {});
    const outcome = await sent.catch((cause: unknown) => failed(ready, cause));
    const isSent = outcome.status === 'ok' || outcome.status === 'unknown';
    // Where one request of several failed, others may have restored something.
    if (outcome.status === 'skipped' || !(isSent || change.partOf !== undefined)) return outcome;
    return this.#readBack(outcome, filled(planned.change, this.#made) ?? change);
  }

  /** Reads what a change was to bring about. Its outcome is written after it, so a resume reads again. */
  async #confirm(change: JobChange, rule: Rule): Promise<void> {
    const failure = await unconfirmed(this.#reads, rule, change);
    if (failure === undefined) return;
    await this.#end(change.item, statusOf(failure), { error: failure.toJSON() });
    throw failure;
  }

  async #readBack(outcome: Outcome, change: JobChange): Promise<Outcome> {
    if (change.restores === undefined) return outcome;
    const read = await readBack(this.#reads, change.restores, this.#parts.rules);
    this.restored[read.restored] += 1;
    const found = checked(outcome, read, change);
    const { restored, notRestored, failure } = found;
    const status = found.status === 'skipped' ? 'failed' : found.status;
    await this.#end(change.item, status, defined({ restored, notRestored, error: failure?.toJSON() }));
    return found;
  }

  async #change(step: JobItem, free: () => void): Promise<Outcome> {
    const { change, subject } = step;
    const { item, op, input } = change;
    const { io, rules } = this.#parts;
    const sealed = sealedFields(step.change, rules.ruleOf(op));
    const hidden = [...sealed.keys(), ...(step.change.sealed ?? [])];
    const held = <T>(value: T): T => withoutFields(value, hidden);
    const rule = sealedRule(rules.ruleOf(op), sealed);
    const found = await this.#found(step, rule);
    if (found.is === 'done') {
      const { answer } = found;
      keepMade(this.#made, step.change, answer, rules);
      await this.#append({
        item,
        is: 'ok',
        at: this.#now(),
        found: true,
        ...defined({ answer: held(withoutAnsweredSecrets(bare(answer))) }),
      });
      return { status: 'ok', answer };
    }
    if (this.#ending.reason !== undefined) return { status: 'skipped' };
    const stateNow = defined({ before: held(found.before), known: found.known });
    await this.#start(item, stateNow);
    let facts: { requestId?: string | undefined; alreadyDone?: true | undefined } = {};
    const onAnswer: CallOptions['onAnswer'] = (response) => {
      facts = response;
    };
    let answer: unknown;
    try {
      const call = () =>
        callOne(this.#parts.client, { op, input: filledFrom(io.env, input) }, defined({ onAnswer, subject }));
      answer = await (step.send?.() ?? sendLine(this.#io, this.#reads, step.change, call));
    } catch (cause) {
      if (cause instanceof DocsError) await this.#end(item, statusOf(cause), { error: cause.toJSON() });
      throw cause;
    }
    const failure = refusedIn(rule, answer);
    if (failure !== undefined) {
      await this.#end(item, 'failed', { error: failure.toJSON() });
      return { status: 'failed', failure, answer };
    }
    if (step.change.confirms) await this.#confirm(step.change, rule);
    // The next request need not wait for this sync: its own `started` is synced later, or with it.
    free();
    const [keeps, told] = [
      rule.creates || rule.keepsAnswer || isTraced(op, rules),
      held(withoutAnsweredSecrets(bare(answer))),
    ];
    const kept = keeps ? { answer: told } : { title: titleToKeep(found.before, told) };
    keepMade(this.#made, step.change, answer, rules);
    const { requestId, alreadyDone } = facts;
    if (alreadyDone) this.alreadyDone += 1;
    await this.#end(item, 'ok', defined({ requestId, ...kept }));
    return { status: 'ok', answer, ...defined({ before: found.before }) };
  }

  /** Has `started` on the disk before the request is sent. */
  async #start(item: number, stateNow: Pick<StartedLine, 'before' | 'known'>): Promise<void> {
    const ahead = [...this.#ahead].find((one) => one.item === item);
    if (ahead === undefined) return this.#append({ item, is: 'started', ...this.#times(), ...stateNow });
    this.#ahead.delete(ahead);
    if (ahead.written === undefined) return;
    this.#parts.journal?.hurry();
    await ahead.written;
  }

  /** What is there before a request is sent, or because it was sent before. */
  #found(step: JobItem, rule: Rule): Promise<SendDecision> {
    const look = () => (wasSent(step) ? this.#settle(step, rule) : this.#lookBefore(step, rule));
    return patiently(this.#io, step.change, look, (found) => isThere(rule, found));
  }

  /** Looks up what an earlier process sent without an answer. @throws DocsError unknown-outcome */
  async #settle(step: JobItem, rule: Rule): Promise<SendDecision> {
    const { op, input } = step.change;
    const settled = isTraced(op, this.#parts.rules)
      ? await (await this.#loadCreations()).settle(step)
      : await settle(rule, expecting(this.#reads, step.change), input, stateBefore(step));
    if (settled.is === 'done') return settled;
    if (settled.is === 'unknown') {
      const { why, candidates = [] } = settled;
      throw unknownOutcome(step, why, { candidates, hint: this.#parts.byHand?.(step, candidates) });
    }
    step.state = 'planned';
    // What else it rests on may have changed since it was about to be sent.
    if (basisOf(rule, step.change) !== undefined) return this.#lookBefore(step, rule);
    return { is: 'to send', before: settled.before, known: await this.#knownBefore(op, input) };
  }

  /** Reads the state before a change where undo or a resume needs it, or where the plan expects one. */
  async #lookBefore(step: JobItem, rule: Rule): Promise<SendDecision> {
    const { change } = step;
    const { op } = change;
    const known = await this.#knownBefore(op, change.input);
    if (!this.#looksBefore(change, rule)) return { is: 'to send', before: undefined, known };
    const shared = this.#shared.for(op.id, this.#sequence.lastBefore(step));
    return lookBefore(change.waitMs === undefined ? shared : this.#reads, rule, change, known);
  }

  #looksBefore({ expect, order }: JobChange, { before }: Rule): boolean {
    const keeps = before === 'always' || (before === 'many' && !this.#parts.single);
    return expect !== undefined || order !== undefined || (keeps && this.#keepsState);
  }

  /** Whether what is there before a change is read, and kept. */
  get #keepsState(): boolean {
    return this.#parts.journal !== undefined && this.#parts.unread !== true;
  }

  /** What is like it already, read before one of many creations. A single one is recognized by its creation time. */
  async #knownBefore(op: AnyOperation, input: LooseInput): Promise<string[] | undefined> {
    if (this.#parts.single || !this.#keepsState || !isTraced(op, this.#parts.rules)) return undefined;
    const own = filledFrom(this.#parts.io.env, input);
    const creations = await this.#loadCreations();
    return readBefore(() => creations.known(op, own));
  }

  #loadCreations(): Promise<Creations> {
    const { client, io, steps, rules, claimed = new Set<string>() } = this.#parts;
    this.#creations ??= import('./creations.js').then(
      ({ Creations }) =>
        new Creations({
          reads: this.#reads,
          steps: () => steps.map((step) => withEnvironment(io.env, step)),
          rules,
          claimed,
          clockDifferenceMs: () => client.platformNowMs && client.platformNowMs - io.now(),
          filled: (plan) => filled(plan, this.#made),
        }),
    );
    return this.#creations;
  }

  /** Writes an outcome. The request was sent, so a journal that fails now does not change its result. */
  async #end(item: number, is: OutcomeLine['is'], more: Partial<OutcomeLine>): Promise<void> {
    const line = writeLine({ item, is, ...this.#times(), ...more });
    const { journal } = this.#parts;
    await (this.#ahead.size > 0 ? journal?.appendSoon(line) : journal?.append(line))?.catch(() => {});
  }

  #times(): { at: string; platformAt?: string } {
    const ms = this.#parts.client.platformNowMs;
    return { at: this.#now(), ...(ms !== undefined && { platformAt: new Date(ms).toISOString() }) };
  }

  async #append(line: StartedLine | OutcomeLine): Promise<void> {
    await this.#parts.journal?.append(writeLine(line));
  }

  #now(): string {
    return new Date(this.#parts.io.now()).toISOString();
  }
}

/** An item whose `started` was written before its turn. */
interface Ahead {
  item: number;
  /** Undefined once it is on the disk. */
  written: Promise<void> | undefined;
}

/** What a read after an undo shows. */
interface Restored {
  restored: NonNullable<Outcome['restored']>;
  notRestored?: string;
}

/** Compares what an undo left with the state before the change, as far as it can be read. */
export async function readBack(reads: Reads, restores: Restores, rules: RuleBook): Promise<Restored> {
  const { op, input, state, undo, why } = restores;
  let found: State | undefined;
  try {
    found = state === undefined ? undefined : await rules.ruleNamed(op).read?.(reads, input);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    return {
      restored: 'unknown',
      notRestored: `it cannot be read again: ${cause.message.replace(/\.$/, '')}`,
    };
  }
  if (state === undefined || found === undefined)
    return { restored: 'unknown', notRestored: 'no read shows it' };
  const [now, then] = [sealedState(found), sealedState(state)];
  const lost = matches(now, then) ? [] : [difference(now, then)];
  if (lost.length === 0 && undo === 'exact') return { restored: 'whole' };
  return { restored: 'part', notRestored: [...(why === undefined ? [] : [why]), ...lost].join('; ') };
}

/**
 * Why a change whose answer is a success does not count as done: a read does not show the state it asks for, or
 * fails, so that its effect is unknown.
 * @returns undefined where the state is there
 */
async function unconfirmed(
  reads: Reads,
  rule: Rule,
  { id, input }: JobChange,
): Promise<DocsError | undefined> {
  try {
    const wanted = rule.wanted?.(input, undefined);
    const found = wanted && (await rule.read?.(reads, input));
    if (wanted === undefined || found === undefined || matches(found, wanted)) return undefined;
    const message = `the platform answered that ${id} was changed, but a read does not show it: ${difference(found, wanted)}`;
    return new DocsError('partial', 'not_in_effect', message, { outcome: 'done', retryable: true });
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    const message = `${id} was changed, but cannot be read again: ${cause.message}`;
    return new DocsError('unknown-outcome', 'outcome_unknown', message, { outcome: 'unknown', cause });
  }
}

/** The outcome with what the read shows. An undo that was to be exact, and is not, has failed. */
function checked(outcome: Outcome, { restored, notRestored }: Restored, at: JobChange): Outcome {
  const { id = at.id, undo } = at.restores ?? {};
  // The last request of several may be about something else.
  const told = notRestored !== undefined && id !== at.id ? `${id}: ${notRestored}` : notRestored;
  const read = defined({ restored, notRestored: told });
  if (outcome.status !== 'ok' || restored !== 'part' || undo !== 'exact') return { ...outcome, ...read };
  const message = `${id} is not as it was before: ${notRestored}`;
  const failure = new DocsError('partial', 'not_restored', message, { outcome: 'done', retryable: false });
  return { ...outcome, ...read, status: 'failed', failure };
}

/** Sends the request of a line, or makes its read. @param call sends the request once; @throws DocsError as both */
function sendLine(
  io: Patient,
  reads: Reads,
  change: JobChange,
  call: () => Promise<unknown>,
): Promise<unknown> {
  const { proves } = change;
  const proving = async () => (await import('./proofs.js')).prove(reads, proves as readonly Proof[]);
  return patiently(io, change, proves === undefined ? call : proving);
}

/** Whether a change found what it is about. What a request creates need not be there. */
function isThere(rule: Rule, found: SendDecision): boolean {
  return rule.creates === true || found.is === 'done' || found.before !== null;
}

/** What a job works with. */
export interface JobParts {
  io: Io;
  client: Client;
  /** undefined where journals are off; then no state is read before a change either. */
  journal: JournalFile | undefined;
  steps: readonly JobItem[];
  /** Those of the families of the steps, and of what they restore. */
  rules: RuleBook;
  concurrency: number;
  /** Skip the items that have not started when one fails. */
  failFast: boolean;
  /** A change of one item: the state before it is read only where undo needs it. */
  single?: boolean;
  /** The state before a change is never read. */
  unread?: boolean;
  /** What items of earlier runs made, by item. */
  made?: Made;
  /** Ids that items of earlier runs created. */
  claimed?: Pick<ReadonlySet<string>, 'has'>;
  /** The command that settles by hand what no read settles. */
  byHand?: (record: JobItem, candidates: readonly string[]) => string;
}
