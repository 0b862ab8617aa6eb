import { pathParameters } from '../../api/operation.js';
import type { State } from '../../jobs/state.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { withMark } from '../../output/check-mark.js';
import { grouped } from '../../output/counted.js';
import type { Command, ManualInput } from '../declare/command.js';
import type { Change } from '../declare/says.js';
import { statusOf } from '../declare/traits.js';
import type { Kind } from '../resolve/catalogue.js';
import type { PlannedCall } from './assemble.js';
import { saidFields } from './said-fields.js';
import { kindNamed, nameOf, numberIn, textAt, titleIn, valueAt } from './said-name.js';
import { plural } from './wording.js';

/**
 * The sentence after a change: `✓ Created team Writers (t1)`. It follows from the declaration: the noun of what is
 * changed, the word for what is done, the title that the answer has, the fields that were sent. It claims what the
 * answer shows, and asks the platform nothing.
 */

/** What is known of a change that was made. */
interface Made {
  command: Command;
  input: Pick<ManualInput, 'group' | 'titles'>;
  call: PlannedCall;
  answer?: unknown;
  /** The state before, where the job read it. */
  before?: State | undefined;
  /** Items in all; more than one for many. */
  count?: number;
}

export interface Said {
  /** With the check mark; further lines say what to do next. */
  text: string;
  /** Where the answer contradicts what was sent. */
  contradictions: string[];
}

export function saidOf(made: Made): Said {
  const { command, call, answer, count = 1 } = made;
  const { words, contradictions } =
    count === 1 ? saidFields(command, call.input.body, answer) : { words: [], contradictions: [] };
  const { creates, orders } = ruleOf(call.op);
  const what = whatOf(made);
  const verb = doneWord(command, call);
  const place = orders ? placeWords(made) : '';
  const told = creates || orders || words.length === 0 || call.op.method === 'DELETE';
  const sentence = `${capital(verb)} ${what}${place}${told ? '' : `: ${words.join(', ')}`}`;
  const own = command.spec?.says?.(changeOf(made, sentence, what)) ?? sentence;
  const [first = sentence, ...next] = [own].flat().filter((line) => line !== undefined);
  return { text: [withMark(first), ...next].join('\n'), contradictions };
}

/** What a change did: the word that the command declares, else one that follows from the operation. */
export function doneWord(command: Pick<Command, 'spec'>, { op }: Pick<PlannedCall, 'op'>): string {
  const { creates, orders } = ruleOf(op);
  if (command.spec?.done === undefined && creates) return 'created';
  return command.spec?.done === undefined && orders ? 'moved' : statusOf(command, op);
}

function changeOf(made: Made, sentence: string, what: string): Change {
  const { call, answer, count = 1 } = made;
  return {
    sentence,
    what,
    count,
    path: (name) => call.input.path?.[name] ?? '',
    sent: (path) => valueAt(call.input.body, path),
    answered: (path) => valueAt(answer, path),
    textOf: (path) => textAt(answer, path),
    named: (noun, id) => named(made, noun, id),
  };
}

function named({ input: { titles } }: Made, noun: string, id: unknown): string {
  return nameOf(noun, String(id), { title: titles?.[String(id)] });
}

/** `team Writers (t1)`, or `3 teams`. */
function whatOf(made: Made): string {
  const { input, call, answer, before, count = 1 } = made;
  const { op } = call;
  const { makes } = ruleOf(op);
  const parameter = makes?.parameter ?? pathParameters(op.path).at(-1);
  const kind = kindNamed(parameter);
  const noun = kind?.noun ?? input.group?.noun ?? 'item';
  if (count !== 1) return `${grouped(count)} ${kind?.plural ?? plural(noun)}`;
  const sources = [answer, before];
  const id = idIn(kind, answer) ?? (makes === undefined ? call.id : '');
  const title = titleIn(kind, sources) ?? input.titles?.[call.id];
  return nameOf(noun, id, { title, number: numberIn(kind, sources) });
}

function idIn(kind: Kind | undefined, answer: unknown): string | undefined {
  return textAt(answer, kind?.id ?? 'id');
}

/** Where something was moved: ` into collection Guides (c1)`, ` before section API (x2)`. */
function placeWords(made: Made): string {
  const { call } = made;
  if (made.count !== undefined && made.count !== 1) return '';
  const { parent, position } = (call.input.body ?? {}) as Record<string, unknown>;
  const into =
    parent === undefined ? '' : parent === null ? ' to the top level' : ` into ${named(made, 'collection', parent)}`;
  for (const side of ['before', 'after'] as const) {
    const neighbour = valueAt(position, side);
    if (neighbour === undefined) continue;
    const { type, ...ids } = neighbour as Record<string, unknown>;
    const [id] = Object.values(ids);
    return `${into}${into === '' ? '' : ','} ${side} ${named(made, nounOf(String(type)), id)}`;
  }
  return into;
}

/** `site-section-group` → `section group`; a site space keeps its whole name. */
function nounOf(type: string): string {
  return type === 'site-space' ? 'site space' : type.replace(/^site-/, '').replaceAll('-', ' ');
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
