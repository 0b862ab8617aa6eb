import { createClient, prepare } from '../api/client.js';
import type { Outgoing, TransportResponse } from '../api/transport.js';
import { DocsError, type Failure, sentences } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { redactQuery } from '../base/redaction.js';
import { type Change, isShownReference } from '../jobs/change.js';
import { forecasts } from '../jobs/outlook.js';
import { type Reads, readsOf } from '../jobs/reads.js';
import { type Sureness, surenesses } from '../jobs/rule.js';
import type { Plan } from '../plans/plan.js';
import type { Actor } from './actor.js';
import type { Denial } from './audit/append.js';
import { foresee, type Reservation, release, reserve } from './budget.js';
import { type Asked, decide, decideCommand, decideLocal, subjectOf, worstOf } from './decide.js';
import { type Counts, countsOf, effectOf, sumOf } from './effects.js';
import { mapRequest, unmappedVerdict } from './mapping.js';
import { namedPlaces } from './place.js';
import type {
  Asking,
  CommandTable,
  Denied,
  Gate,
  GatedCommand,
  JobUse,
  JobVerdict,
  LocalWord,
  Policy,
  Send,
  Subject,
  Verdict,
} from './policy.js';
import { requestText } from './request-text.js';
import { Surroundings } from './surroundings.js';

/** What a gate works with. */
interface GateParts {
  io: Io;
  policies: readonly Policy[];
  table: CommandTable;
  /** The words of the command that was typed. */
  words: string;
  /** The command of these words; undefined where there is none: `undo members update`. */
  named(words: string): Promise<GatedCommand | undefined>;
  /** What may be run instead of a change that asks for an approval: the same command as a plan. */
  withPlan?: string;
  send: Send;
  actor(): Actor;
  /** What budgets per run have counted before; raised. Default: nothing. */
  spent?: Counts | undefined;
  /** @returns why the denial could not be recorded */
  record(denial: Denial): Promise<DocsError | undefined>;
}

/** What decides of a request beside itself. */
type Use = Pick<Asked, 'undo' | 'approved'>;

/** The gate of a session: asks the policies, counts, records what they deny, and throws. */
export class PolicyGate implements Gate {
  readonly policies: readonly Policy[];
  readonly places: readonly string[];
  readonly #parts: GateParts;
  readonly #surroundings: Surroundings;
  readonly #pass = Symbol('request of the gate');
  #isRehearsal = false;
  #approved: Change[] = [];
  readonly #run: Counts;
  /** Reserved for requests that are not sent yet. */
  readonly #open: { reservation: Reservation; left: Counts }[] = [];

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.policies = parts.policies;
    this.#run = parts.spent ?? { writes: 0, deletes: 0 };
    this.places = namedPlaces(parts.policies);
    this.#surroundings = new Surroundings(parts.policies, async () => this.#reads());
  }

  async command(command: GatedCommand): Promise<void> {
    this.#isRehearsal ||= !command.changes && command.effect !== 'local';
    const verdict = decideCommand(this.policies, command);
    await this.#hold(verdict, `docs ${command.words}`);
  }

  async job(requests: readonly Change[], { approved, command }: JobUse = {}): Promise<void> {
    // The command that was typed was held before.
    const other = command === this.#parts.words ? undefined : command;
    const worst = worstOf(await this.verdicts(requests, { approved, command: other }));
    if (worst !== undefined) {
      const { verdict, what, request } = worst;
      await this.#hold(verdict, what, request && prepare(request.op, request.input));
    }
    if (approved === true) this.#approved = [...this.#approved, ...requests];
    const counts = await this.counts(requests);
    const reserved = await this.#reserve(counts, jobText(requests));
    this.#open.push({ reservation: reserved, left: { ...counts } });
  }

  async request(outgoing: Outgoing): Promise<void> {
    if (outgoing.pass === this.#pass) return;
    const { method, path } = outgoing;
    const command = this.#parts.words;
    // The bytes of an address that an answer named.
    if (outgoing.download === true)
      return this.#hold(decide(this.policies, { command, effect: 'read' }), 'a download', outgoing);
    const request = mapRequest(outgoing);
    if ('unmapped' in request)
      return this.#hold(unmappedVerdict(this.policies, request), `${method} ${path}`, outgoing);
    const approved = this.#isApproved(request) ? ({ approved: true } as const) : {};
    await this.#hold(await this.#verdict(request, approved), requestText(request), outgoing);
    if (effectOf(request) !== 'read') await this.#count(request);
  }

  async counts(requests: readonly Change[]): Promise<Counts> {
    const own = countsOf(requests);
    if (!this.policies.some(({ budget }) => budget.length > 0)) return own;
    const along = await Promise.all(requests.map((request) => this.#surroundings.along(request)));
    const further = along
      .flat()
      .map(({ inside }) => ({ writes: 1, deletes: inside.is === 'delete' ? 1 : 0 }));
    return sumOf([own, ...further]);
  }

  verdict(request: Change): Promise<Verdict> {
    return this.#verdict(request, {});
  }

  async verdicts(requests: readonly Change[], { approved, command }: JobUse = {}): Promise<JobVerdict[]> {
    const { io } = this.#parts;
    const use: Pick<Use, 'approved'> = approved === true ? { approved } : {};
    const owner = await this.#ownerOf(command, use);
    const found: JobVerdict[] =
      owner === undefined ? [] : [{ what: `docs ${owner.command}`, verdict: decide(this.policies, owner) }];
    const foreseen = forecasts(requests);
    for (const [at, request] of requests.entries()) {
      const verdict = await this.#verdict(request, { ...use, undo: foreseen[at]?.undo ?? 'none' });
      found.push({ what: requestText(request), verdict, request });
    }
    const over = foresee(io, this.policies, await this.counts(requests), this.#run);
    return over === undefined ? found : [...found, { what: jobText(requests), verdict: over }];
  }

  local(effect: LocalWord | 'new-file'): Verdict {
    return decideLocal(this.policies, this.#parts.words, effect);
  }

  async holdLocal(effect: LocalWord | 'new-file', what: string, instead?: string): Promise<void> {
    const verdict = this.local(effect);
    if (verdict.is === 'allow') return;
    const facts = { outcome: 'nothing was written or run', instead };
    throw await this.#denied(verdict, what, { request: what, facts });
  }

  async asking(plan: Plan): Promise<readonly Asking[]> {
    const { policiesThatAsk } = await import('./approval/standing.js');
    const { table, named } = this.#parts;
    const own = await named(plan.command);
    // As a gate holds the job of another command.
    const sends = own?.carrier === false && (own.effect === 'write' || own.effect === 'delete');
    const owner = sends ? { command: own.words, effect: own.effect, danger: own.danger } : undefined;
    return policiesThatAsk(this.policies, plan, table, owner);
  }

  async review(changes: readonly Change[], command: string): Promise<readonly Denied[]> {
    const verdicts = await this.verdicts(changes, { approved: true, command });
    return verdicts.flatMap(({ what, verdict }) =>
      verdict.is === 'deny' ? [{ what, why: verdict.why, by: verdict.by }] : [],
    );
  }

  async close(): Promise<void> {
    const { io } = this.#parts;
    for (const { reservation, left } of this.#open.splice(0))
      await release(io, this.policies, reservation, left, this.#run);
  }

  /** The command whose job it is, where it is more than its requests. */
  async #ownerOf(words: string | undefined, use: Pick<Use, 'approved'>): Promise<Subject | undefined> {
    const named = words === undefined ? undefined : await this.#parts.named(words);
    if (words === undefined || named === undefined || named.carrier) return undefined;
    if (named.effect === 'read' || named.effect === 'local') return undefined;
    return { command: named.words, effect: named.effect, danger: named.danger, ...use };
  }

  async #verdict(request: Change, use: Use): Promise<Verdict> {
    const place = await this.#surroundings.of(request);
    const alone = this.#alone(request);
    const undo = use.undo === undefined ? alone.undo : worse(use.undo, alone.undo);
    const approved = use.approved ?? alone.approved;
    const known = { ...alone, ...place, ...(undo && { undo }), ...(approved && { approved }) };
    return decide(this.policies, known);
  }

  /** A request as it is asked about before anything is read for it. */
  #alone(request: Change): Subject {
    const { words, table } = this.#parts;
    const own = subjectOf(request, table, { command: words });
    // What a rehearsal reads is not done by the command that it rehearses.
    return !this.#isRehearsal || effectOf(request) !== 'read'
      ? own
      : { ...own, command: own.operation ?? '' };
  }

  /** What is sent of a plan that was approved: ids that earlier requests made were not known when it was. */
  #isApproved({ op, input }: Change): boolean {
    return this.#approved.some(
      (one) =>
        one.op === op &&
        Object.entries(one.input.path ?? {}).every(
          ([name, id]) => isShownReference(id) || id === input.path?.[name],
        ),
    );
  }

  /** The reads for organizations and titles: each is held against the policies, but for what it is to find out. */
  #reads(): Reads {
    const send = async (request: Outgoing & Parameters<Send>[0]): Promise<TransportResponse> => {
      const found = mapRequest(request);
      const verdict =
        'unmapped' in found
          ? unmappedVerdict(this.policies, found)
          : decide(this.policies, this.#alone(found));
      if (verdict.is !== 'allow') throw new DocsError('forbidden', 'policy_denied', 'the policy denies it');
      return this.#parts.send({ ...request, pass: this.#pass });
    };
    const none = async () => {
      throw new Error('it only reads');
    };
    return readsOf(createClient({ send, download: none, platformNowMs: undefined, close: async () => {} }));
  }

  async #reserve(counts: Counts, what: string): Promise<Reservation> {
    const reserved = await reserve(this.#parts.io, this.policies, counts, this.#run);
    if ('is' in reserved) throw await this.#denied(reserved, what);
    return reserved;
  }

  /** Counts a write that is about to be sent: where a job reserved it, it is taken from there. */
  async #count(request: Change): Promise<void> {
    const rest = await this.counts([request]);
    const taken = this.#open.map(({ left }) => {
      const deletes = Math.min(left.deletes, rest.deletes);
      const others = Math.min(left.writes - left.deletes, rest.writes - rest.deletes);
      const part = { writes: deletes + others, deletes };
      subtract(rest, part);
      // At once, since another request may count while more is reserved.
      subtract(left, part);
      return { left, part };
    });
    if (rest.writes <= 0) return;
    // More than its job reserved, since what goes along has become more.
    await this.#reserve(rest, requestText(request)).catch((cause: unknown) => {
      for (const { left, part } of taken) subtract(left, { writes: -part.writes, deletes: -part.deletes });
      throw cause;
    });
  }

  /** @throws DocsError forbidden `policy_denied` unless it is allowed */
  async #hold(verdict: Verdict, what: string, request?: Pick<Outgoing, 'method' | 'path'>): Promise<void> {
    if (verdict.is === 'allow') return;
    const sent = request && `${request.method} ${redactQuery(request.path)}`;
    throw await this.#denied(verdict, what, { request: sent });
  }

  async #denied(
    verdict: Exclude<Verdict, { is: 'allow' }>,
    what: string,
    { request, facts }: { request?: string; facts?: DenialFacts } = {},
  ): Promise<DocsError> {
    const { actor, record, withPlan, words } = this.#parts;
    const denial: Denial = {
      actor: actor(),
      command: words,
      cause: verdict.by,
      ...(request !== undefined && { request }),
    };
    return denialOf(verdict, what, { withPlan, ...facts, unrecorded: await record(denial) });
  }
}

/** What the budget is for. */
function jobText({ length }: readonly Change[]): string {
  return `the job of ${length} request${length === 1 ? '' : 's'}`;
}

/** What undo can do less. */
function worse(one: Sureness, other: Sureness | undefined): Sureness | undefined {
  if (other === undefined) return undefined;
  return surenesses.indexOf(one) > surenesses.indexOf(other) ? one : other;
}

/** What a person or a program is told of a denial. */

interface DenialFacts {
  /** The same command as a plan, which is allowed where the change asks for an approval. */
  withPlan?: string | undefined;
  /** Why the audit chain has no line of it. */
  unrecorded?: DocsError | undefined;
  /** What was not done: `nothing was sent`. */
  outcome?: string;
  /** How to do without it, as a sentence. */
  instead?: string | undefined;
}

/** @param what is denied: `docs spaces delete`, `DELETE /v1/spaces/x` */
function denialOf(
  verdict: Exclude<Verdict, { is: 'allow' }>,
  what: string,
  { withPlan, unrecorded, outcome, instead }: DenialFacts,
): DocsError {
  const { file, line, rule } = verdict.by;
  const why = verdict.is === 'ask' ? 'it requires an approved plan' : verdict.why;
  const hint = verdict.is === 'ask' && withPlan !== undefined ? withPlan : 'docs policy explain';
  const lost = unrecorded && `The denial was not recorded: ${unrecorded.message}`;
  // A command is asked about before anything of it is sent; a request, when others may have been.
  const unsent = outcome ?? (what.startsWith('docs ') ? 'nothing was sent' : 'it was not sent');
  const denied = `policy denies ${what}: ${why} (${JSON.stringify(rule)}, ${file}:${line}); ${unsent}`;
  const more = [lost, instead].filter((one) => one !== undefined);
  const message = more.length === 0 ? denied : sentences(denied, ...more);
  const failure: Failure = { outcome: 'not-sent', hint, details: { file, line, rule, verdict: verdict.is } };
  return new DocsError('forbidden', 'policy_denied', message, failure);
}

const nowhere = { file: '', line: 1, rule: '' };

/** The gate while a policy is invalid: for the commands that are needed to repair it, which send nothing then. */
export function closedGate(invalid: DocsError): Gate {
  const refuse = async (): Promise<never> => {
    throw invalid;
  };
  return {
    policies: [],
    places: [],
    command: async () => {},
    job: refuse,
    request: refuse,
    verdict: refuse,
    verdicts: refuse,
    counts: refuse,
    local: (effect) =>
      effect === 'new-file' ? { is: 'allow' } : { is: 'deny', by: nowhere, why: invalid.message },
    holdLocal: async (effect) => (effect === 'new-file' ? undefined : refuse()),
    asking: async () => [],
    review: async () => [],
    close: async () => {},
  };
}

function subtract(from: Counts, part: Counts): void {
  from.writes -= part.writes;
  from.deletes -= part.deletes;
}
