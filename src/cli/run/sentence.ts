import { pathParameters } from '../../api/operation-facts.js';
import { pluralOf } from '../../base/name.js';
import { isObject } from '../../base/values.js';
import type { Change } from '../../jobs/change.js';
import type { JobItem } from '../../jobs/journal.js';
import type { Rule } from '../../jobs/rule.js';
import type { RuleBook } from '../../jobs/rule-book.js';
import type { State } from '../../jobs/state.js';
import {
  namedResources,
  nounOfObject,
  type Resource,
  type ResourceName,
  resourceOfField,
  resources,
} from '../../model/resources.js';
import { withMark } from '../../output/messages.js';
import { counted, safeLine } from '../../output/text.js';
import { type Command, capital, type DoneChange, type ManualInput, type Option } from '../declare/command.js';
import { statusOf } from '../declare/told.js';

/**
 * The sentence after a change: `✓ Created team Writers (t1)`. It follows from the declaration: the noun of what is
 * changed, the word for what is done, the title that the answer has, the fields that were sent. It claims what the
 * answer shows, and asks the platform nothing.
 */

/** What is known of a change that was made. */
export interface ChangeMade {
  command: Command;
  input: Pick<ManualInput, 'group' | 'groupPath' | 'titles'>;
  call: Change;
  /** That of its operation. */
  rule: Rule;
  answer?: unknown;
  /** The state before, where the job read it. */
  before?: State | undefined;
  /** How many items were changed at once, where they came as many; none for a single change. */
  count?: number;
}

interface ResultSentence {
  /** With the check mark; further lines say what to do next. */
  text: string;
  /** Where the answer contradicts what was sent. */
  contradictions: string[];
}

export function saidOf(made: ChangeMade): ResultSentence {
  const { command, call, rule, answer, count } = made;
  const { words, contradictions } =
    count === undefined ? saidFields(command, call.input.body, answer) : { words: [], contradictions: [] };
  const { creates, orders } = rule;
  const what = whatOf(made);
  const isNew = creates || command.name === 'create';
  const verb = isNew ? (command.spec?.done ?? 'created') : doneWord(command, call, rule);
  const place = orders ? placeWords(made) : '';
  // Only a plain update lists its fields: any other verb says what was done.
  const fields = isNew || verb !== 'updated' || words.length === 0 ? '' : `: ${words.join(', ')}`;
  const sentence = `${capital(verb)} ${what}${place}${fields}`;
  const own = command.spec?.says?.(changeOf(made, sentence, what)) ?? sentence;
  const [first = sentence, ...next] = [own].flat().filter((line) => line !== undefined);
  return { text: [withMark(first), ...(count === undefined ? next : [])].join('\n'), contradictions };
}

/** What a change did: the word that the command declares, else one that follows from the operation. */
export function doneWord(
  command: Pick<Command, 'spec'>,
  { op }: Pick<Change, 'op'>,
  { creates, orders }: Rule,
): string {
  if (command.spec?.done === undefined && creates) return 'created';
  return command.spec?.done === undefined && orders ? 'moved' : statusOf(command, op);
}

function changeOf(made: ChangeMade, sentence: string, what: string): DoneChange {
  const { call, answer, count } = made;
  return {
    sentence,
    what,
    count,
    path: (name) => call.input.path?.[name] ?? '',
    sent: (path) => valueAt(call.input.body, path),
    answered: (path) => valueAt(answer, path),
    textOf: (path) => {
      const text = textAt(answer, path);
      return text === undefined ? undefined : safeLine(text);
    },
    named: (noun, id, title) => named(made, noun, id, title),
  };
}

function named({ input: { titles } }: ChangeMade, noun: string, id: unknown, title?: unknown): string {
  const own = typeof title === 'string' ? safeLine(title).trim() : undefined;
  const kind = namedResources.find((one) => one.noun === noun);
  return nameOf(noun, String(id), { title: own || typedTitle(kind, titles?.[String(id)]) });
}

/** `team Writers (t1)`, or `3 teams`. */
function whatOf(made: ChangeMade): string {
  const { input, call, answer, before, count } = made;
  const isNew = made.rule.creates === true || made.command.name === 'create';
  const kind = kindOf(made, isNew);
  // The group calls its own what people know: translation settings.
  const isOwn = kind === undefined || kind.command.words === `${input.groupPath} list`;
  const noun = (isOwn ? input.group?.noun : kind.noun) ?? kind?.noun ?? 'item';
  if (count !== undefined) return counted(count, noun, pluralOf(noun));
  const sources = [answer, before];
  const id = idIn(kind, answer) ?? (isNew ? '' : call.id);
  const title = titleIn(kind, sources) ?? typedTitle(kind, input.titles?.[call.id]);
  return nameOf(noun, id, { title, number: numberIn(kind, sources) });
}

/** The kind of what was made, or of what the path of the request ends with. */
function kindOf({ input, call: { op }, rule: { makes } }: ChangeMade, isNew: boolean): Resource | undefined {
  if (makes !== undefined) return kindNamed(makes.parameter);
  const listed = namedResources.find(({ command }) => command.words === `${input.groupPath} list`);
  return isNew ? listed : kindNamed(pathParameters(op.path).at(-1));
}

function idIn(kind: Resource | undefined, answer: unknown): string | undefined {
  return textAt(answer, kind?.id ?? 'id');
}

/** Where something was moved: ` into collection Guides (c1)`, ` before section API (x2)`. */
function placeWords(made: ChangeMade): string {
  const { call } = made;
  if (made.count !== undefined) return '';
  const { parent, position } = (call.input.body ?? {}) as Record<string, unknown>;
  const into =
    parent === undefined
      ? ''
      : parent === null
        ? ' to the top level'
        : ` into ${named(made, 'collection', parent)}`;
  for (const side of ['before', 'after'] as const) {
    const neighbour = valueAt(position, side);
    if (neighbour === undefined) continue;
    const { type, ...ids } = neighbour as Record<string, unknown>;
    const [id] = Object.values(ids);
    return `${into}${into === '' ? '' : ','} ${side} ${named(made, nounOfObject(String(type)), id)}`;
  }
  return into;
}

/** The fields that a change was to set, and what the answer says of each. */

interface ChangedFields {
  /** `title`, `role now admin`; in the order of the flags. */
  words: string[];
  /** Where the answer has something else than what was sent. */
  contradictions: string[];
}

/** Most characters of a value that a sentence shows. */
const mostTold = 40;

/** Words that are not written as flags are. */
const spelled: Readonly<Record<string, string>> = {
  react: 'reaction',
  unreact: 'reaction',
  resolve: 'status',
  sso: 'SSO',
  ai: 'AI',
  id: 'ID',
  url: 'URL',
  json: 'JSON',
};

/** @param answer undefined where the platform answers nothing */
export function saidFields({ options }: Command, body: unknown, answer: unknown): ChangedFields {
  const said: ChangedFields = { words: [], contradictions: [] };
  const told = new Set<string>();
  for (const option of options) {
    const { field } = option;
    if (field === undefined || told.has(field)) continue;
    const sent = valueAt(body, field);
    if (sent === undefined) continue;
    told.add(field);
    tell(said, option, { sent, shown: valueAt(answer, field), isAnswered: isObject(answer) });
  }
  const own = [...told].map((field) => field.split('.')[0]);
  for (const key of isObject(body) ? Object.keys(body) : []) {
    if (!own.includes(key)) said.words.push(words(key));
  }
  return { ...said, words: [...new Set(said.words)] };
}

function tell(
  said: ChangedFields,
  option: Option,
  { sent, shown, isAnswered }: { sent: unknown; shown: unknown; isAnswered: boolean },
): void {
  const name = option.variadic ? pluralOf(words(option.name)) : words(option.name);
  // The platform leaves out what is not set, or answers an empty text.
  const isEmpty = sent === null && shown === '';
  const value = isAnswered && isScalar(shown) && !isEmpty ? shown : sent === null ? null : undefined;
  said.words.push(value === undefined ? name : withValue(name, option, value));
  if (value === undefined || !isScalar(sent) || (value ?? null) === (sent ?? null)) return;
  said.contradictions.push(
    `The platform answered ${name} ${told(value)}, not ${told(sent)} as sent; read it again to be sure.`,
  );
}

/** The sentence repeats a value that is one of few, and leaves out a text that somebody wrote. */
function withValue(name: string, { choices, boolean, value: placeholder }: Option, value: unknown): string {
  if (value === null) return choices === undefined ? `${name} removed` : `${name} now none`;
  if (typeof value === 'boolean') return boolean === undefined ? name : `${name} now ${value ? 'on' : 'off'}`;
  const isShort = choices !== undefined || placeholder === '<path>' || typeof value === 'number';
  return isShort ? `${name} now ${told(value)}` : name;
}

function told(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const text = safeLine(String(value));
  return text.length > mostTold ? `${text.slice(0, mostTold - 1)}…` : text;
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** `default-level` → `default level`, `ssoURL` → `SSO URL`. */
function words(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_.]/)
    .map((word) => spelled[word] ?? word)
    .join(' ');
}

/** What a job changed, by the titles that its journal has. */

/** `teams delete of team Writers (t1)`; of several items `teams delete, 3 items`. */
export function jobWords(command: string, records: readonly JobItem[], rules: RuleBook): string {
  const [first] = records;
  if (first === undefined || records.length > 1) return `${command}, ${counted(records.length, 'item')}`;
  return `${command} of ${recordName(first, rules)}`;
}

/** What an item was about: `team Writers (t1)`. */
function recordName({ change, before, answer }: JobItem, rules: RuleBook): string {
  const op = change.op;
  const kind = kindNamed(rules.ruleOf(op).makes?.parameter ?? pathParameters(op.path).at(-1));
  const sources = [answer, before];
  const id = (kind && textAt(answer, kind.id)) ?? change.id;
  return nameOf(kind?.noun ?? 'item', id, {
    title: titleIn(kind, sources),
    number: numberIn(kind, sources),
  });
}

/** What people call a resource that was changed: its title, with the id that commands take. */

/** Titles that are texts of people's own: in quotes. */
const quoted: readonly string[] = ['subject', 'body.markdown'];

/** Characters of such a text. */
const mostQuoted = 60;

/** What an object has at a dotted path. */
function valueAt(value: unknown, path: string): unknown {
  if (isObject(value) && path in value) return value[path];
  return path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
}

function textAt(value: unknown, path: string): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}

function kindNamed(field: string | undefined): Resource | undefined {
  const name: ResourceName | undefined = resourceOfField(field);
  return name === undefined ? undefined : resources[name];
}

/** What a kind calls one of its own, from the first of several objects that tells: `Writers`, `#12 "Fix typos"`. */
export function titleIn(kind: Resource | undefined, sources: readonly unknown[]): string | undefined {
  for (const path of kind?.titles ?? ['title']) {
    const found = sources.map((source) => textAt(source, path)).find((text) => text !== undefined);
    if (found !== undefined) return quoted.includes(path) ? inQuotes(found) : safeLine(found).trim();
  }
  return undefined;
}

/** A title that was typed or chosen, in quotes where its kind has them. */
function typedTitle(kind: Resource | undefined, title: string | undefined): string | undefined {
  return title !== undefined && quoted.includes(kind?.titles[0] ?? '') ? inQuotes(title) : title;
}

function inQuotes(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const first = safeLine(line.replace(/^#+ /, '')).trim();
  const characters = [...first];
  if (characters.length <= mostQuoted) return `"${first}${line === text.trim() ? '' : '…'}"`;
  const cut = characters.slice(0, mostQuoted).join('');
  return `"${cut.replace(/\s+\S*$/, '')}…"`;
}

/** `#12`, where people name this kind by its number and an object tells it. */
function numberIn(kind: Resource | undefined, sources: readonly unknown[]): string | undefined {
  if (kind === undefined || kind.command.id === kind.id) return undefined;
  const found = sources.map((source) => valueAt(source, kind.command.id));
  const number = found.find((value) => typeof value === 'number');
  return number === undefined ? undefined : `#${number}`;
}

/** `team Writers (t1)`, `change request #12 "Fix typos" (c1)`; without a title, `team t1`. */
export function nameOf(
  noun: string,
  id: string,
  { title, number }: { title?: string | undefined; number?: string | undefined } = {},
): string {
  const isNumber = /^\d{1,9}$/.test(id) && noun === 'change request';
  const shownId = safeLine(isNumber ? `#${id}` : id);
  const own = isNumber ? shownId : undefined;
  const words = new Set([own ?? number, title].filter((word) => word !== undefined && word !== ''));
  words.delete(isNumber ? '' : shownId);
  if (words.size === 0) return `${noun} ${shownId}`.trim();
  const last = shownId === '' || isNumber ? '' : ` (${shownId})`;
  return `${noun} ${[...words].join(' ')}${last}`;
}
