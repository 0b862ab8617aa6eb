import { nameKey } from '../base/name.js';
import type { GatedCommand } from './gate.js';
import { attributesMatch, type Side, wordsMatch } from './match.js';
import type { Cause, Policy, Protected, Rule, Subject, Verdict } from './policy.js';

/**
 * Whether a command or a request may run: every policy must allow it, and a rule that denies wins. Pure; at most
 * 1 ms with 1,000 rules.
 *
 * Within a policy, what denies wins over what asks, and that over what allows. A rule that denies or asks matches
 * by the command that was typed or by the one that makes the request; a rule that allows, and any rule on a read,
 * matches a request by the latter alone: to allow `members offboard` allows none of its requests.
 *
 * @param policies none: all is allowed
 * @returns the first denial; else what asks first; else what the first policy allows it by
 */
export function decide(policies: readonly Policy[], subject: Subject): Verdict {
  let asks: Verdict | undefined;
  let allows: Verdict | undefined;
  for (const policy of policies) {
    const verdict = decideOne(policy, subject);
    if (verdict.is === 'deny') return verdict;
    if (verdict.is === 'ask') asks ??= verdict;
    else allows ??= verdict;
  }
  return asks ?? allows ?? { is: 'allow' };
}

/** Whether a command may begin. A rehearsal and a plan are reads, whatever they rehearse. */
export function decideCommand(policies: readonly Policy[], command: GatedCommand): Verdict {
  const { words, effect, danger, carrier, changes } = command;
  const own = decide(policies, { command: words, effect, danger, carrier });
  // What writes on this machine is no rehearsal of a request.
  const isRead = !changes && effect !== 'local';
  return isRead && own.is !== 'allow' ? decide(policies, { command: '', effect: 'read' }) : own;
}

function decideOne(policy: Policy, subject: Subject): Verdict {
  const { file } = policy;
  const rules = indexOf(policy);
  const denied = rules.deny.find(subject);
  if (denied !== undefined) return denies(causeOf(policy, denied), 'a rule denies it');
  const elsewhere = foreign(policy, subject);
  if (elsewhere !== undefined) return elsewhere;
  const kept = policy.protect.find((one) => protects(one, subject));
  if (kept !== undefined) {
    const what = `${kept.kind}:${kept.name}`;
    return denies({ file, line: kept.line, rule: `protect ${what}` }, `${what} is protected`);
  }
  const changes = subject.effect === 'write' || subject.effect === 'delete';
  const asked = changes && !subject.carrier ? rules.ask.find(subject) : undefined;
  if (asked !== undefined)
    return subject.approved
      ? { is: 'allow', by: causeOf(policy, asked) }
      : { is: 'ask', by: causeOf(policy, asked) };
  const allowed = rules.allow.find(subject);
  if (allowed !== undefined) return { is: 'allow', by: causeOf(policy, allowed) };
  const by: Cause = { file, line: policy.lines?.default ?? 1, rule: `default: ${policy.default}` };
  // The requests that a carrier sends are what counts.
  if (policy.default === 'allow' || isCarrier(subject)) return { is: 'allow', by };
  return denies(by, 'no rule allows it');
}

function denies(by: Cause, why: string): Verdict {
  return { is: 'deny', by, why };
}

function causeOf({ file }: Policy, { line, text }: Rule): Cause {
  return { file, line, rule: text };
}

function isCarrier({ carrier, operation }: Subject): boolean {
  return carrier === true && operation === undefined;
}

function foreign(policy: Policy, { organization, otherOrganizations = [] }: Subject): Verdict | undefined {
  const { orgs, file } = policy;
  if (orgs === undefined) return undefined;
  const by: Cause = { file, line: policy.lines?.orgs ?? 1, rule: 'orgs' };
  if (organization === null) return denies(by, 'its organization cannot be told');
  const concerned = [...(organization === undefined ? [] : [organization]), ...otherOrganizations];
  const other = concerned.find((id) => !orgs.includes(id));
  return other === undefined ? undefined : denies(by, `organization ${other} is not listed`);
}

function protects({ kind, name }: Protected, { effect, resources = [] }: Subject): boolean {
  if (effect !== 'write' && effect !== 'delete') return false;
  const wanted = nameKey(name);
  return resources.some(
    (one) => one.kind === kind && (one.untold || one.names.some((other) => nameKey(other) === wanted)),
  );
}

/** The rules of one list, by the first word that they can match. */
class RuleIndex {
  readonly #rules: readonly Rule[];
  readonly #side: Side;
  readonly #byWord = new Map<string, readonly Rule[]>();

  constructor(rules: readonly Rule[], side: Side) {
    this.#rules = rules;
    this.#side = side;
  }

  /** The first rule of the file that matches. */
  find(subject: Subject): Rule | undefined {
    const { command, operation } = subject;
    const typed = command.split(' ');
    const own = operation?.split(' ') ?? typed;
    // What a change reads beforehand is no change: its rules are those of the read.
    const isBoth = operation !== undefined && operation !== command && subject.effect !== 'read';
    const all = [own, ...(isBoth && this.#side === 'against' ? [typed] : [])];
    const found = all.flatMap((words) => this.#first(words, subject) ?? []);
    return found.sort((a, b) => a.line - b.line)[0];
  }

  #first(words: readonly string[], subject: Subject): Rule | undefined {
    return this.#at(words[0] ?? '').find(
      (rule) =>
        (rule.read ? subject.effect === 'read' : wordsMatch(rule.words, words)) &&
        attributesMatch(rule, subject, this.#side),
    );
  }

  #at(word: string): readonly Rule[] {
    const known = this.#byWord.get(word);
    if (known !== undefined) return known;
    const found = this.#rules.filter(({ read, words }) => read || words[0] === '*' || words[0] === word);
    this.#byWord.set(word, found);
    return found;
  }
}

interface PolicyIndex {
  deny: RuleIndex;
  ask: RuleIndex;
  allow: RuleIndex;
}

const indexes = new WeakMap<Policy, PolicyIndex>();

function indexOf(policy: Policy): PolicyIndex {
  const known = indexes.get(policy);
  if (known !== undefined) return known;
  const made = {
    deny: new RuleIndex(policy.deny, 'against'),
    ask: new RuleIndex(policy.ask, 'against'),
    allow: new RuleIndex(policy.allow, 'for'),
  };
  indexes.set(policy, made);
  return made;
}
