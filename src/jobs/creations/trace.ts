import type { TObject, TSchema } from '@sinclair/typebox';
import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { operations } from '../../api/resources/index.js';
import { exactKey, nameKey } from '../../base/name.js';
import { isObject } from '../../base/values.js';
import { type Reads, type Resource, requestFor } from '../request.js';
import { ruleOf } from '../undo-rules.js';

/** Where a creation shows afterwards, from the declarations: the list it adds to, and the fields it sent. */

/** like: all that was sent; perhaps: the same name, but something else differs. */
export type Likeness = 'like' | 'perhaps' | 'unlike';

export interface Trace {
  /**
   * All resources among which the new one is; null where no list shows them.
   * @param when before the creation, or after it, which asks for more
   */
  read(reads: Reads, input: LooseInput, when: 'before' | 'after'): Promise<Resource[] | null>;
  /** Whether it may be elsewhere, too: that nothing is there shows nothing. */
  partial: boolean;
  /** Whether a resource may be what the request created. */
  like(resource: Resource, input: LooseInput): Likeness;
  /** The field that names what is created, as it was sent; what is named otherwise is never like it. */
  name(input: LooseInput): { field: string; value: unknown } | undefined;
}

/** The trace of a creation; undefined for every other operation. */
export function traceOf(op: AnyOperation): Trace | undefined {
  const { shows, like } = ruleOf(op);
  const list = listFor(op);
  const read: Trace['read'] | undefined = shows ?? (list && ((reads, input) => readList(reads, list, input)));
  if (read === undefined) return undefined;
  return {
    read,
    partial: shows !== undefined,
    like(resource, input) {
      const sent = sentIn(input);
      return like?.(resource, sent) === false ? 'unlike' : likenessOf(op, resource, sent);
    },
    name(input) {
      const sent = sentIn(input);
      const found = comparable(op, sent).find(({ field }) => isFreeText(op, field));
      return found && { field: found.shown, value: folded(sent[found.field]) };
    },
  };
}

function sentIn({ body }: LooseInput): Resource {
  return isObject(body) ? body : {};
}

/** The list at the path of a creation, whose items are what the creation returns. */
function listFor({ method, path, returns }: AnyOperation): AnyOperation | undefined {
  if (method === 'GET' || returns.kind !== 'one') return undefined;
  return operations.find(
    (op) => op.method === 'GET' && op.path === path && lists(op) && op.returns.item === returns.schema,
  );
}

function lists(op: AnyOperation): op is AnyOperation & { returns: { kind: 'page'; item: TSchema } } {
  return op.returns.kind === 'page';
}

/** All items, whatever their status, with texts as they were sent. */
async function readList(reads: Reads, list: AnyOperation, { path }: LooseInput): Promise<Resource[] | null> {
  const fields = list.query.properties as Record<string, TSchema>;
  const base = 'format' in fields ? { format: 'markdown' } : {};
  const found: Resource[] = [];
  for (const status of statusesOf(fields.status)) {
    const query = { ...base, ...(status !== undefined && { status }) };
    const items = await reads.all(list, { ...requestFor(list, path).input, query });
    if (items === null) return null;
    found.push(...items);
  }
  return found;
}

/** The statuses to list one after the other, where a list shows those of one status only. */
function statusesOf(schema: TSchema | undefined): (string | undefined)[] {
  const known = (schema?.['x-known'] ?? []) as string[];
  return known.length === 0 || known.includes('all') ? [undefined] : known;
}

function likenessOf(op: AnyOperation, resource: Resource, sent: Resource): Likeness {
  const fields = comparable(op, sent);
  if (fields.every(({ field, shown }) => isSame(sent[field], resource[shown]))) return 'like';
  const name = fields.find(({ field }) => isFreeText(op, field));
  return name && folded(sent[name.field]) === folded(resource[name.shown]) ? 'perhaps' : 'unlike';
}

/** The fields of a body that its answer shows, and under which name: `spaceId` as `space`. */
function comparable(op: AnyOperation, sent: Resource): { field: string; shown: string }[] {
  const answered = shownFields(op);
  return Object.keys(sent).flatMap((field) => {
    const shown = answered.has(field) ? field : field.replace(/Id$/, '');
    const isSent = sent[field] !== undefined && !Array.isArray(sent[field]);
    return isSent && answered.has(shown) ? [{ field, shown }] : [];
  });
}

function shownFields({ returns }: AnyOperation): ReadonlySet<string> {
  const schema = returns.kind === 'one' ? (returns.schema as TObject) : undefined;
  return new Set(Object.keys(schema?.properties ?? {}));
}

/** Whether a field of a body is a text of the caller's own: a title, not one of several known values. */
function isFreeText({ body }: AnyOperation, field: string): boolean {
  const schema = (body?.properties as Record<string, TSchema> | undefined)?.[field];
  return schema?.type === 'string' && schema.enum === undefined && schema['x-known'] === undefined;
}

/** Whether a resource shows a value as it was sent. What is not set may be left out; a reference may be whole. */
function isSame(sent: unknown, shown: unknown): boolean {
  if (sent === null || sent === '') return shown === undefined || shown === null || shown === '';
  if (typeof sent === 'string') return normal(sent) === normal(isObject(shown) ? shown.id : shown);
  if (!isObject(sent)) return sent === shown;
  return Object.entries(sent).every(([key, value]) =>
    isSame(value, isObject(shown) ? shown[key] : undefined),
  );
}

/** The platform may trim a text, and write its white space in another way. */
function normal(text: unknown): unknown {
  return typeof text === 'string' ? exactKey(text).replace(/\s+/g, ' ').trim() : text;
}

/** A name, or the id of a reference, as names are compared. */
export function folded(value: unknown): unknown {
  const text = isObject(value) ? value.id : value;
  return typeof text === 'string' ? nameKey(text) : text;
}

/** What a resource is known by: its id, and the name in its path where that differs. */
export function idsOf(resource: unknown): string[] {
  if (!isObject(resource)) return [];
  return [resource.id, resource.name, resource.slug].filter((id) => typeof id === 'string');
}

/** When a resource was created, in milliseconds of the platform's clock; undefined where it does not tell. */
export function createdMsOf({ createdAt, postedAt }: Resource): number | undefined {
  const ms = Date.parse(String(createdAt ?? postedAt ?? ''));
  return Number.isNaN(ms) ? undefined : ms;
}
