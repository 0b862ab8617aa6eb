import type { LooseInput } from '../api/client.js';
import { type Exposure, exposures } from '../api/exposes.js';
import { operations } from '../api/resources/index.js';
import { type Role, roles } from '../api/shapes.js';
import { formatJson, isJsonObject, RawNumber } from '../api/transport/json-text.js';
import { nameKey } from '../base/name.js';
import { defined } from '../base/values.js';
import type { Change } from '../jobs/change.js';
import { widenedBy } from '../jobs/exposure.js';
import { forecastOf } from '../jobs/outlook.js';
import { type Sureness, surenesses } from '../jobs/rule.js';
import { idsInBody } from '../model/resources.js';
import { effectOf, removedBy } from './effects.js';
import type {
  Cause,
  CommandTable,
  GatedCommand,
  LocalWord,
  NamedResource,
  Policy,
  Protected,
  Rule,
  Subject,
  Verdict,
} from './policy.js';

/** Whether rules match what is asked of a policy. Pure. */

/** From the least harm to the most. */
export const dangers: readonly NonNullable<Subject['danger']>[] = ['read', 'change', 'confirm', 'type-title'];

/** Whether a rule forbids, or gives: the same words catch more in the first, and give less in the second. */
type Side = 'against' | 'for';

/** Whether the words of a rule match those of a command: `*` is one word, a last one stands for one or more. */
export function wordsMatch(pattern: readonly string[], words: readonly string[]): boolean {
  const open = pattern.at(-1) === '*';
  if (open ? words.length < pattern.length : words.length !== pattern.length) return false;
  for (let at = 0; at < pattern.length; at += 1) {
    const wanted = pattern[at];
    if (wanted !== '*' && wanted !== words[at]) return false;
  }
  return true;
}

/**
 * Whether all attributes of a rule match. Of a command as a whole, fields are not known yet: a rule that forbids
 * then does not match, and one that gives does.
 */
function attributesMatch({ attributes }: Rule, subject: Subject, side: Side): boolean {
  return attributes.every((one) => attributeMatches(one, subject, side));
}

function attributeMatches(
  { name, value }: Rule['attributes'][number],
  subject: Subject,
  side: Side,
): boolean {
  const isWhole = subject.operation === undefined;
  if (name === 'danger') {
    if (isWhole && (subject.carrier || subject.danger === undefined)) return side === 'for';
    return reaches(dangers, value, subject.danger ?? 'type-title', side);
  }
  if (isWhole) return side === 'for';
  if (name === 'exposes') return exposesMatch(value, subject.exposes ?? [], side);
  if (name === 'undo') {
    // What is read needs no undo.
    const undo = subject.effect === 'read' ? 'exact' : (subject.undo ?? 'none');
    return reaches(surenesses, value, undo, side);
  }
  const texts = valuesOf(name, subject.attributes ?? {}, side);
  if (value === anyValue) return texts.length > 0;
  return side === 'for' ? texts.length > 0 && texts.every((one) => one === value) : texts.includes(value);
}

/** Stands for whatever is sent in a field. */
export const anyValue = '*';

/** What rules say of exposure: of one kind, of any, of none. */
export const exposureWords: readonly string[] = ['any', 'none', ...exposures];

/** `exposes=role` forbids what widens a role, whatever else it widens, and gives what widens nothing but a role. */
function exposesMatch(value: string, found: readonly Exposure[], side: Side): boolean {
  if (value === 'none') return found.length === 0;
  if (value === 'any') return side === 'for' || found.length > 0;
  return side === 'for' ? found.every((one) => one === value) : found.some((one) => one === value);
}

/** `danger=confirm` forbids what is as dangerous or more, and gives what is as dangerous or less. */
function reaches(scale: readonly string[], value: string, found: string, side: Side): boolean {
  const [wanted, is] = [scale.indexOf(value), scale.indexOf(found)];
  return side === 'for' ? is <= wanted : is >= wanted;
}

/** The texts of a field; to forbid, those of fields of the same name further down, too. */
function valuesOf(name: string, attributes: Readonly<Record<string, unknown>>, side: Side): string[] {
  const exact = Object.hasOwn(attributes, name) ? texts(attributes[name]) : [];
  const isPattern = name.includes('*');
  if (side === 'for' && !isPattern) return exact;
  const isFurther = isPattern ? patternOf(name, side) : (key: string) => key.endsWith(`.${name}`);
  const others = Object.keys(attributes).filter((key) => key !== name && isFurther(key));
  return [...exact, ...others.flatMap((key) => texts(attributes[key]))];
}

function patternOf(name: string, side: Side): (key: string) => boolean {
  const asked = name.split('.');
  return (key) => ends(key.split('.'), asked, side);
}

function ends(path: readonly string[], asked: readonly string[], side: Side): boolean {
  const from = path.length - asked.length;
  if (from < 0 || (side === 'for' && from > 0)) return false;
  return asked.every((word, at) => word === '*' || word === path[from + at]);
}

function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value === 'string') return [value];
  if (value instanceof RawNumber) return [value.rawJson];
  return [typeof value === 'object' && value !== null ? formatJson(value) : String(value)];
}

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
  const { words, effect, local, danger, carrier, changes } = command;
  const own = decide(policies, { command: words, effect, local, danger, carrier });
  // What writes on this machine is no rehearsal of a request.
  const isRead = !changes && effect !== 'local';
  return isRead && own.is !== 'allow' ? decide(policies, { command: '', effect: 'read' }) : own;
}

/**
 * Whether a command that may run may have an effect on this machine. Its own name allows it to write files; a program that
 * the environment names is no part of it.
 * @param effect `new-file`: one below the working folder, which only a rule against files denies
 */
export function decideLocal(
  policies: readonly Policy[],
  words: string,
  effect: LocalWord | 'new-file',
): Verdict {
  if (effect === 'programs') return decide(policies, { command: '', effect: 'local', local: ['programs'] });
  const subject: Subject = { command: words, effect: 'local', local: ['files'] };
  const verdict = decide(policies, subject);
  const isNamed = policies.some(({ deny }) => deny.some(({ local }) => local === 'files'));
  return effect === 'new-file' && !isNamed ? { is: 'allow' } : verdict;
}

function decideOne(policy: Policy, subject: Subject): Verdict {
  const { file } = policy;
  const denied = firstMatch(policy.deny, subject, 'against');
  if (denied !== undefined) return denies(causeOf(policy, denied), 'a rule denies it');
  const elsewhere = foreign(policy, subject);
  if (elsewhere !== undefined) return elsewhere;
  const kept = policy.protect.find((one) => protects(one, subject));
  if (kept !== undefined) {
    const { text, line } = kept;
    return denies({ file, line, rule: `protect ${text}` }, `${text} is protected`);
  }
  const changes = subject.effect === 'write' || subject.effect === 'delete';
  const asked = changes && !subject.carrier ? firstMatch(policy.ask, subject, 'against') : undefined;
  if (asked !== undefined)
    return subject.approved
      ? { is: 'allow', by: causeOf(policy, asked) }
      : { is: 'ask', by: causeOf(policy, asked) };
  const allowed = firstMatch(policy.allow, subject, 'for') ?? coveringRule(policy.allow, subject);
  if (allowed !== undefined) return { is: 'allow', by: causeOf(policy, allowed) };
  const by: Cause = { file, line: policy.lines?.default ?? 1, rule: `default: ${policy.default}` };
  // The requests that a carrier sends are what counts.
  if (policy.default === 'allow' || isCarrier(subject)) return { is: 'allow', by };
  return denies(by, 'no rule allows it');
}

/** The first of the rules that allow all effects on this machine that a command has. */
function coveringRule(rules: readonly Rule[], { local = [] }: Subject): Rule | undefined {
  const found = local.map((word) => rules.find((rule) => rule.local === word));
  return found.includes(undefined) ? undefined : found[0];
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
  if (organization === null) return denies(by, 'its organization cannot be determined');
  const concerned = [...(organization === undefined ? [] : [organization]), ...otherOrganizations];
  const other = concerned.find((id) => !orgs.includes(id));
  return other === undefined ? undefined : denies(by, `organization ${other} is not listed`);
}

/** What decides of several things together: the first that is denied, else the first that asks. */
export function worstOf<T extends { verdict: Verdict }>(all: readonly T[]): T | undefined {
  return all.find(({ verdict }) => verdict.is === 'deny') ?? all.find(({ verdict }) => verdict.is === 'ask');
}

function protects({ kind, name }: Protected, { effect, resources = [] }: Subject): boolean {
  if (effect !== 'write' && effect !== 'delete') return false;
  const wanted = nameKey(name);
  return resources.some(
    (one) => one.kind === kind && (one.untold || one.names.some((other) => nameKey(other) === wanted)),
  );
}

/** The first rule of a list that matches. */
function firstMatch(rules: readonly Rule[], subject: Subject, side: Side): Rule | undefined {
  const { command, operation, effect, local = [] } = subject;
  const typed = command.split(' ');
  const own = operation?.split(' ') ?? typed;
  // What a change reads beforehand is no change: its rules are those of the read.
  const isBoth = side === 'against' && operation !== undefined && operation !== command && effect !== 'read';
  const matches = (rule: Rule, words: readonly string[]) => {
    if (rule.local !== undefined) return side === 'against' && local.includes(rule.local);
    return (
      (rule.read ? effect === 'read' : wordsMatch(rule.words, words)) && attributesMatch(rule, subject, side)
    );
  };
  const found = [own, ...(isBoth ? [typed] : [])].flatMap(
    (words) => rules.find((rule) => matches(rule, words)) ?? [],
  );
  return found.sort((a, b) => a.line - b.line)[0];
}

/** What is known of a request beside its operation and input. */
export interface Asked {
  /** Words of the command that was typed. */
  command: string;
  /** What undo will be able to do, where the other requests of its job were considered; default: by itself. */
  undo?: Sureness;
  approved?: true;
  /** As `Surroundings` finds them. */
  organization?: string | null;
  resources?: readonly NamedResource[];
}

/** One request as decide() takes it. @param table says which command makes it */
export function subjectOf(request: Change, table: CommandTable, asked: Asked): Subject {
  const { op, input } = request;
  const own = table.operations.get(op.id);
  const effect = effectOf(request);
  const { undo, ...known } = asked;
  return {
    ...known,
    command: table.present(known.command.split(' ')).join(' '),
    // An operation that no command is made of is matched by nothing but "*".
    operation: own?.words ?? op.id,
    effect,
    danger: dangerOf(request, own?.danger ?? (effect === 'read' ? 'read' : 'type-title')),
    ...(effect !== 'read' && { undo: undo ?? forecastOf(op, input, undefined).undo }),
    ...(effect !== 'read' && { exposes: widenedBy(request) }),
    attributes: attributesOf(input),
    otherOrganizations: targetsOf(request),
  };
}

/** What takes something away by its body is as dangerous as to delete it. */
function dangerOf(request: Change, own: NonNullable<Subject['danger']>): NonNullable<Subject['danger']> {
  return own === 'change' && removedBy(request) > 0 ? 'confirm' : own;
}

/** The organizations that its body names, such as the target of a transfer. */
function targetsOf({ input }: Change): string[] {
  return [...idsInBody(input.body)].flatMap(({ resource, id }) => (resource === 'organization' ? [id] : []));
}

/** Fields of path, query and body, nested ones dotted; elements of an array go by the name of the array. */
export function attributesOf({ path = {}, query = {}, body }: LooseInput): Readonly<Record<string, unknown>> {
  const found = new Map<string, unknown[]>();
  for (const part of [path, query, body]) collect(part, '', found);
  return Object.fromEntries(
    [...found].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function collect(value: unknown, name: string, found: Map<string, unknown[]>): void {
  if (value === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, name, found);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value))
      collect(item, name === '' ? key : `${name}.${key}`, found);
  } else if (name !== '') {
    const known = found.get(name);
    if (known === undefined) found.set(name, [value]);
    else known.push(value);
  }
}

/** What policies say to commands in general, before anything is typed for them. */

interface CommandVerdict {
  command: string;
  verdict: Verdict['is'];
  rule?: string;
  file?: string;
  line?: number;
  /** Rules on fields and undo that can be stricter, and what a command of several requests lacks. */
  unless: string[];
}

/** @param sends the operations that it declares */
export function verdictOn(
  policies: readonly Policy[],
  command: GatedCommand,
  sends: readonly { id: string }[],
  table: CommandTable,
): CommandVerdict {
  const found = decideCommand(policies, command);
  const unless =
    found.is === 'deny' ? [] : [...stricter(policies, command), ...lacking(policies, command, sends, table)];
  return { command: command.words, verdict: found.is, ...defined({ ...found.by }), unless };
}

/** Rules against it whose attributes the command alone does not tell. */
function stricter(policies: readonly Policy[], { words, effect }: GatedCommand): string[] {
  if (effect === 'read' || effect === 'local') return [];
  const typed = words.split(' ');
  const against = policies.flatMap(({ deny, ask }) => [
    ...deny.map((rule) => ({ rule, is: 'deny' })),
    ...ask.map((rule) => ({ rule, is: 'ask' })),
  ]);
  return against
    .filter(
      ({ rule }) => rule.attributes.some(({ name }) => name !== 'danger') && wordsMatch(rule.words, typed),
    )
    .map(({ rule, is }) => `${is}: ${rule.text}`);
}

/** The commands of its requests that are not allowed. */
function lacking(
  policies: readonly Policy[],
  { words, carrier }: GatedCommand,
  sends: readonly { id: string }[],
  table: CommandTable,
): string[] {
  if (carrier) return [];
  const found = sends.flatMap(({ id }) => {
    const subject = generalSubject(id, table);
    if (subject === undefined || subject.effect === 'read' || subject.command === words) return [];
    const { is } = decide(policies, subject);
    return is === 'allow' ? [] : [`${is}: ${subject.command}`];
  });
  return [...new Set(found)];
}

/** An operation as a command of its own, of which nothing is typed yet. */
function generalSubject(id: string, table: CommandTable): Subject | undefined {
  const op = operations.find((one) => one.id === id);
  const own = table.operations.get(id);
  return op && own && { command: own.words, effect: effectOf({ op }), danger: own.danger };
}

/** The highest role that anything needs that these policies may allow, whatever is typed. */
export function highestRole(policies: readonly Policy[], table: CommandTable): Role {
  const needed = operations.filter(({ id }) => {
    const subject = generalSubject(id, table);
    return subject === undefined || decide(policies, subject).is !== 'deny';
  });
  const ranks = needed.map(({ needs }) => roles.indexOf(needs));
  return roles[Math.min(...ranks, roles.length - 1)] ?? 'admin';
}
