import type { Client } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import type { Subject } from '../api/transport.js';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { isObject } from '../is-object.js';
import { runInOrder } from './in-order.js';
import { ItemOrder } from './item-order.js';
import type { ItemRecord } from './job.js';
import type { JournalFile } from './journal-file.js';
import { type OutcomeLine, type StartedLine, writeLine } from './journal-lines.js';
import { settle } from './lookup.js';
import { isRefusal, readsOf } from './reads.js';
import { callOne } from './request.js';
import type { Rule } from './rule.js';
import { difference, matches, type State } from './state.js';
import { ruleOf } from './undo-rules.js';

export type ItemStatus = 'ok' | 'failed' | 'unknown' | 'skipped';

/** The outcome of one item (RELIABILITY, "Many items"). */
export interface ItemResult {
  index: number;
  id: string;
  status: ItemStatus;
  failure?: DocsError;
  answer?: unknown;
}

/** An item that is to be worked on. */
export interface Step {
  record: ItemRecord;
  op: AnyOperation;
  /** What the request is about, for its errors. */
  subject?: Subject;
  /** Sends it in another way than by its operation and input; gives what the platform answered. */
  send?(): Promise<unknown>;
}

export interface JobParts {
  io: Io;
  client: Client;
  /** undefined where the journal is off: then nothing is read before a change either. */
  journal: JournalFile | undefined;
  steps: readonly Step[];
  concurrency: number;
  /** Start nothing new after the first failure; what was not started is `skipped`. */
  failFast: boolean;
  /** One change alone: a read beforehand only where undo needs it. */
  single?: boolean;
  /** Only the requests themselves are sent: no state is read before. */
  unread?: boolean;
}

export type Tally = Record<ItemStatus, number>;

/**
 * The work on the items of a job: for each, the state before is read, `started` is written and synced,
 * the request is sent, and the outcome is written (RELIABILITY.md, "Many items").
 */
export class JobRun {
  readonly tally: Tally = { ok: 0, failed: 0, unknown: 0, skipped: 0 };
  /** Why items failed, as they come. */
  readonly failures: DocsError[] = [];
  readonly #parts: JobParts;
  readonly #order: ItemOrder;
  #stopped = false;
  #onChange: (tally: Tally) => void = () => {};

  constructor(parts: JobParts) {
    this.#parts = parts;
    this.#order = new ItemOrder(parts.steps.map(({ record }) => record.plan));
  }

  /** Items that were not finished, whether or not somebody read their results. */
  get left(): number {
    const { ok, failed, unknown } = this.tally;
    return this.#parts.steps.length - ok - failed - unknown;
  }

  /** What made the journal unwritable, which ended the job. */
  get journalFailure(): DocsError | undefined {
    return this.#parts.journal?.failure;
  }

  /** @param onChange called whenever an item is finished */
  watch(onChange: (tally: Tally) => void): void {
    this.#onChange = onChange;
  }

  /** Runs the items, and gives their results in input order. Ends early where its reader does. */
  results(): AsyncGenerator<ItemResult> {
    const { steps, concurrency } = this.#parts;
    const inOrder = steps.some(({ op }) => ruleOf(op).inOrder);
    return runInOrder(steps.length, (index, free) => this.#one(steps[index] as Step, free), {
      concurrency: inOrder ? 1 : concurrency,
      keyOf: (index) => keyOf(steps[index] as Step),
    });
  }

  async #one(step: Step, free: () => void): Promise<ItemResult> {
    const { plan } = step.record;
    const result = await this.#order.inTurn(plan, () => this.#outcome(step, free));
    this.tally[result.status] += 1;
    if (result.failure !== undefined) this.failures.push(result.failure);
    const bad = result.status === 'failed' || result.status === 'unknown';
    if ((bad && this.#parts.failFast) || this.#parts.journal?.failure !== undefined) this.#stopped = true;
    this.#onChange(this.tally);
    return { index: plan.item, id: plan.id, ...result };
  }

  async #outcome(step: Step, free: () => void): Promise<Omit<ItemResult, 'index' | 'id'>> {
    if (this.#stopped || this.#parts.io.signal.aborted) return { status: 'skipped' };
    try {
      return await this.#work(step, free);
    } catch (cause) {
      if (!(cause instanceof DocsError)) {
        this.#stopped = true;
        throw cause;
      }
      const { outcome } = cause.failure;
      if (wasNotBegun(cause)) return { status: 'skipped', failure: cause };
      const open = step.record.state === 'started' || step.record.state === 'unknown';
      return { status: outcome === 'unknown' || open ? 'unknown' : 'failed', failure: cause };
    }
  }

  async #work(step: Step, free: () => void): Promise<Omit<ItemResult, 'index' | 'id'>> {
    const rule = ruleOf(step.op);
    const { state, plan } = step.record;
    const open = state === 'started' || state === 'unknown';
    const found = open ? await this.#lookUp(step, rule) : await this.#lookBefore(step, rule);
    if (found === 'done') {
      await this.#note({ item: plan.item, is: 'ok', at: this.#now(), found: true });
      return { status: 'ok' };
    }
    return this.#send(step, rule, found.before, free);
  }

  /** For what was sent before, by a process that has died. @throws where nobody knows */
  async #lookUp({ record }: Step, rule: Rule): Promise<'done' | { before: State | undefined }> {
    const { input, id } = record.plan;
    const settled = await settle(rule, readsOf(this.#parts.client), input, record.before);
    if (settled.is === 'done') return 'done';
    if (settled.is === 'unknown') throw unknownOutcome(id, settled.why);
    record.state = 'planned';
    return settled;
  }

  /** The state before a change, where it is of use; an undo must find what the change had left. */
  async #lookBefore(step: Step, rule: Rule): Promise<'done' | { before: State | undefined }> {
    const { expect, input, id } = step.record.plan;
    if (expect === undefined && !this.#wantsBefore(rule)) return { before: undefined };
    const before = await this.#readState(step, rule);
    if (expect === undefined) return { before };
    const wanted = rule.wanted?.(input, before);
    if (before !== undefined && wanted !== undefined && matches(before, wanted)) return 'done';
    if (before === undefined) throw changed(id, 'its present state cannot be read');
    if (!matches(before, expect)) throw changed(id, difference(before, expect));
    return { before };
  }

  #wantsBefore(rule: Rule): boolean {
    const { journal, unread } = this.#parts;
    if (journal === undefined || unread || rule.read === undefined) return false;
    return rule.before === 'always' || (rule.before === 'many' && !this.#parts.single);
  }

  async #readState({ record }: Step, rule: Rule): Promise<State | undefined> {
    try {
      return await rule.read?.(readsOf(this.#parts.client), record.plan.input);
    } catch (cause) {
      if (isRefusal(cause)) return undefined;
      throw cause instanceof DocsError ? notSent(cause) : cause;
    }
  }

  async #send(
    step: Step,
    rule: Rule,
    before: State | undefined,
    free: () => void,
  ): Promise<Omit<ItemResult, 'index' | 'id'>> {
    const { op, subject, record } = step;
    const { item, input } = record.plan;
    if (this.#parts.io.signal.aborted) return { status: 'skipped' };
    await this.#note({ item, is: 'started', at: this.#now(), ...(before !== undefined && { before }) });
    let answer: unknown;
    let requestId: string | undefined;
    const onAnswer = (response: { requestId?: string }) => {
      requestId = response.requestId;
    };
    try {
      const send = () =>
        callOne(this.#parts.client, { op, input }, { onAnswer, ...(subject && { subject }) });
      answer = await (step.send ?? send)();
    } catch (cause) {
      if (cause instanceof DocsError) await this.#noteFailure(item, cause);
      throw cause;
    }
    const refusal = rule.refusedBy?.(answer);
    if (refusal !== undefined) {
      const failure = new DocsError('conflict', 'conflicts', refusal, { outcome: 'refused' });
      await this.#noteFailure(item, failure);
      return { status: 'failed', failure, answer };
    }
    // The next request need not wait for the disk: its own line is synced after this one, or with it.
    free();
    await this.#noteDone(item, rule, answer, requestId);
    return { status: 'ok', answer };
  }

  /** What was done is done, even where it can no longer be written: then nothing new is started. */
  async #noteDone(item: number, rule: Rule, answer: unknown, requestId: string | undefined): Promise<void> {
    const kept = {
      ...(requestId !== undefined && { requestId }),
      ...((rule.creates || rule.keepsAnswer) && answer !== undefined && { answer: bare(answer) }),
    };
    await this.#note({ item, is: 'ok', at: this.#now(), ...this.#platformTime(), ...kept }).catch(() => {});
  }

  async #noteFailure(item: number, cause: DocsError): Promise<void> {
    const is = wasNotBegun(cause) ? 'skipped' : cause.failure.outcome === 'unknown' ? 'unknown' : 'failed';
    const line = { item, is, at: this.#now(), ...this.#platformTime(), error: cause.toJSON() } as const;
    await this.#note(line).catch(() => {});
  }

  async #note(line: StartedLine | OutcomeLine): Promise<void> {
    await this.#parts.journal?.append(writeLine(line));
  }

  #now(): string {
    return new Date(this.#parts.io.now()).toISOString();
  }

  #platformTime(): { platformAt?: string } {
    const ms = this.#parts.client.platformNowMs;
    return ms === undefined ? {} : { platformAt: new Date(ms).toISOString() };
  }
}

/** Items with the same path touch the same thing, so their order counts. */
function keyOf({ op, record }: Step): string | undefined {
  if (ruleOf(op).creates) return undefined;
  return JSON.stringify([op.path, Object.entries(record.plan.input.path ?? {}).sort()]);
}

/** An answer without what changes by itself or belongs to the caller: links and permissions. */
function bare(answer: unknown): unknown {
  if (!isObject(answer)) return answer;
  const { urls: _, permissions: __, ...rest } = answer;
  return rest;
}

/** Whether a failure is only that the run was to end, before anything was sent. */
function wasNotBegun({ kind, failure: { outcome } }: DocsError): boolean {
  const ending = kind === 'interrupted' || kind === 'terminated' || kind === 'local-io';
  return ending && outcome !== 'unknown' && outcome !== 'done';
}

/** The failure of a read before a change: of the change nothing was sent. */
function notSent({ kind, code, message, failure }: DocsError): DocsError {
  return new DocsError(kind, code, message, { ...failure, outcome: 'not-sent' });
}

function changed(id: string, how: string): DocsError {
  return new DocsError('conflict', 'changed_since', `${id} was changed since: ${how}.`, {
    outcome: 'not-sent',
  });
}

function unknownOutcome(id: string, why: string): DocsError {
  const message = `Whether ${id} was done is unknown: ${why}.`;
  return new DocsError('unknown-outcome', 'outcome_unknown', message, { outcome: 'unknown' });
}
