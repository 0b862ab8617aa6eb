import type { LooseInput } from '../../api/client.js';
import { formatJson } from '../../api/transport/json-text.js';
import { isObject } from '../../base/values.js';
import { isFromEnvironment } from '../../jobs/environment.js';
import { exposuresOf } from '../../jobs/exposure.js';
import { findReferences, showReferences } from '../../jobs/references.js';
import { isOperation, operationOf } from '../../jobs/request.js';
import { isRawNumber } from '../../output/json.js';
import { safeLine } from '../../output/safe-text.js';
import { foldedField } from '../described.js';
import type { PlanOperation } from '../plan.js';

/** What an operation changes and sends, in words: the same in every medium. Texts are sanitised lines but for requests. */

/** A field of an operation, or a part of one: `fields.owner`. */
export interface FieldChange {
  name: string;
  /** Absent where it is unknown, or where nothing was before. */
  before?: string;
  /** Absent where it is removed with its item. */
  after?: string;
  /** Of two lists whose order says nothing new: what is added and removed, instead of `before` and `after`. */
  added?: readonly string[];
  removed?: readonly string[];
}

/** A value as a sanitised text. */
type Words = (value: unknown) => string;

/**
 * The fields of an operation, maps part by part; parts that stay as they are are left out.
 * @param words how values are written; default: in one line
 */
export function fieldChanges(
  { fields }: Pick<PlanOperation, 'fields'>,
  words: Words = valueText,
): FieldChange[] {
  return Object.entries(fields).flatMap(([name, change]) => partsOf(safeLine(name), change, words, 0));
}

/** How deep maps are taken apart; beyond, they are JSON. */
const mostLevels = 3;

function partsOf(
  name: string,
  change: { before?: unknown; after?: unknown },
  words: Words,
  level: number,
): FieldChange[] {
  const { before, after } = change;
  if (level < mostLevels && isMap(after, before) && isMap(before, after)) {
    const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
    const part = (key: string) => ({ before: before?.[key], after: after?.[key] });
    return [...keys]
      .filter((key) => JSON.stringify(part(key).before) !== JSON.stringify(part(key).after))
      .flatMap((key) => partsOf(`${name}.${safeLine(key)}`, part(key), words, level + 1));
  }
  const lists = listChange(name, before, after, words);
  if (lists !== undefined) return [lists];
  return [
    {
      name,
      ...(before !== undefined && { before: words(before) }),
      ...(after !== undefined && { after: words(after) }),
    },
  ];
}

type Map = Record<string, unknown>;

/** Whether a value is a map, or absent beside one. */
function isMap(value: unknown, other: unknown): value is Map | undefined | null {
  if (value === undefined || value === null) return isPlain(other);
  return isPlain(value);
}

function isPlain(value: unknown): value is Map {
  return isObject(value) && !isRawNumber(value) && !Object.keys(value).some((key) => key.startsWith('$'));
}

function listChange(name: string, before: unknown, after: unknown, words: Words): FieldChange | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length + after.length === 0) return undefined;
  const [old, now] = [before.map(words), after.map(words)];
  const added = now.filter((text) => !old.includes(text));
  const removed = old.filter((text) => !now.includes(text));
  return added.length + removed.length === 0 ? undefined : { name, added, removed };
}

/** Text that would be mistaken for another type, or that is invisible. */
const needsQuotes = /^$|^\s|\s$|^(?:none|null|true|false|yes|no|-?\d[\d.]*)$| → |^[[{"!]/;

/** A value in one line. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (!isObject(value)) return safeLine(String(value));
  if (isRawNumber(value)) return value.rawJson;
  if (typeof value.$env === 'string') return `!env ${safeLine(value.$env)}`;
  if (typeof value.$ref === 'string') return safeLine(value.$ref);
  if (typeof value.$id === 'string') return `id:${safeLine(value.$id)}`;
  if (typeof value.$from === 'string') return `(known once ${safeLine(value.$from)} is done)`;
  return safeLine(JSON.stringify(value));
}

function textOf(value: string): string {
  const lines = value.replace(/\n$/, '').split('\n');
  if (lines.length > 1) return `${safeLine(lines[0] ?? '')} … (${lines.length} lines)`;
  return safeLine(needsQuotes.test(value) ? JSON.stringify(value) : value);
}

/** A change in one line: `role: read → admin`, `email_domains: +acme.dev -old.dev`. */
export function changeText(change: FieldChange): string {
  return `${change.name}: ${change.added === undefined ? arrow(change) : listText(change)}`;
}

/** What a list gains and loses. */
export function listText({ added = [], removed = [] }: FieldChange): string {
  return [...added.map((text) => `+${text}`), ...removed.map((text) => `-${text}`)].join(' ');
}

function arrow({ before, after }: FieldChange): string {
  if (before === undefined) return after ?? '';
  return after === undefined ? before : `${before} → ${after}`;
}

/**
 * What an operation sends, whole, in one line: its description is what the maker of the plan says of it, and this is
 * what the platform gets. Not sanitised; undefined where it sends nothing.
 */
export function requestText({ request }: Pick<PlanOperation, 'request'>): string | undefined {
  if (request === undefined) return undefined;
  const { method, path, query, body } = request;
  const asJson = (value: unknown) => formatJson(named(showReferences(value)));
  const asked = query === undefined ? [] : [`?${asJson(query)}`];
  const sent = body === undefined ? [] : [asJson(body)];
  return [method, path, ...asked, ...sent].join(' ');
}

/** Values of the environment by the name of their variable alone. */
function named(value: unknown): unknown {
  if (isFromEnvironment(value)) return { $env: value.$env };
  if (Array.isArray(value)) return value.map(named);
  if (!isObject(value) || isRawNumber(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, named(part)]));
}

/** Where to look twice: what the plan says, and what its request exposes, whether the plan says that or not. */
export function riskOf({ request, risk, key, fields, reads }: PlanOperation): string | undefined {
  // What the plan itself makes, nobody sees yet.
  if (
    request === undefined ||
    !isOperation(request.operation) ||
    findReferences(request.parameters).length > 0
  )
    return risk;
  const { parameters, body } = request;
  const input: LooseInput = { path: parameters as Record<string, string>, body };
  const before = Object.keys(body ?? {}).flatMap((name) => {
    const own = Object.entries(fields).find(([field]) => foldedField(field) === foldedField(name));
    return own !== undefined && 'before' in own[1] ? [[name, own[1].before] as const] : [];
  });
  const state = { ...Object.fromEntries(before), ...reads?.state };
  const exposed = exposuresOf({ op: operationOf(request.operation), input, name: key, before: state });
  const added = exposed.filter((sentence) => risk?.includes(sentence) !== true);
  return [risk, ...added].filter(Boolean).join(' ') || undefined;
}
