import { isObject } from '../../base/values.js';
import { pluralOf } from '../../model/resources.js';
import { safeLine } from '../../output/safe-text.js';
import type { Command, Option } from '../declare/command.js';
import { valueAt } from './said-name.js';

/** The fields that a change was to set, and what the answer says of each. */

export interface SaidFields {
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
export function saidFields({ options }: Command, body: unknown, answer: unknown): SaidFields {
  const said: SaidFields = { words: [], contradictions: [] };
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

interface Values {
  sent: unknown;
  shown: unknown;
  isAnswered: boolean;
}

function tell(said: SaidFields, option: Option, { sent, shown, isAnswered }: Values): void {
  const name = option.variadic ? pluralOf(words(option.name)) : words(option.name);
  // The platform leaves out what is not set.
  const value = isAnswered && isScalar(shown) ? shown : sent === null ? null : undefined;
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
