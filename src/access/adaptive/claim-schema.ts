import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/values.js';
import { type ClaimName, claimText } from './expression.js';

/** The claims of an adaptive schema, and what became of them in another one. */

/** Claims by what conditions call them. */
export class ClaimSet {
  /** Whether the schema has a group `unsigned`. */
  readonly hasUnsigned: boolean;
  /** Whether claims that it does not name may be given, too; the platform's own schemas say no. */
  readonly isOpen: boolean;
  readonly #claims = new Map<string, Claim>();

  /** @param schema any JSON: the platform's is not trusted to be what it should be */
  constructor(schema: unknown) {
    const root = isObject(schema) ? schema : {};
    const { unsigned, ...signed } = isObject(root.properties) ? root.properties : {};
    const group = isObject(unsigned) && isObject(unsigned.properties) ? unsigned : undefined;
    this.hasUnsigned = group !== undefined;
    this.isOpen = isObject(schema) && root.additionalProperties !== false;
    this.#add(false, group === undefined && unsigned !== undefined ? { ...signed, unsigned } : signed, root);
    if (group !== undefined) this.#add(true, group.properties as Record<string, unknown>, group);
  }

  #add(
    unsigned: boolean,
    properties: Readonly<Record<string, unknown>>,
    { required }: { required?: unknown },
  ) {
    for (const [name, schema] of Object.entries(properties)) {
      const isRequired = Array.isArray(required) && required.includes(name);
      this.#claims.set(keyOf({ unsigned, name }), { unsigned, name, schema, isRequired });
    }
  }

  has(claim: ClaimName): boolean {
    return this.#claims.has(keyOf(claim));
  }

  get(claim: ClaimName): Claim | undefined {
    return this.#claims.get(keyOf(claim));
  }

  all(): Claim[] {
    return [...this.#claims.values()];
  }
}

interface Claim extends ClaimName {
  schema: unknown;
  isRequired: boolean;
}

function keyOf({ unsigned, name }: ClaimName): string {
  return `${unsigned ? 'unsigned' : 'signed'} ${name}`;
}

export const claimChanges = ['added', 'removed', 'moved', 'narrowed', 'widened', 'changed'] as const;
export type ClaimChange = (typeof claimChanges)[number];

/** What became of a claim. */
export interface ChangedClaim {
  change: ClaimChange;
  claim: ClaimName;
  /** What it is called in the new schema, of one that was moved into `unsigned` or out of it. */
  now?: ClaimName;
  /** As the rest of a sentence after the claim. */
  why: string;
}

/** Every claim that differs, in the order of the old schema, then of the new one. */
export function changedClaims(before: ClaimSet, after: ClaimSet): ChangedClaim[] {
  const changes = before.all().flatMap((old) => {
    const { unsigned, name } = old;
    const claim = { unsigned, name };
    const now = after.get(old);
    if (now !== undefined) return changeOf(claim, old, now);
    const elsewhere = { unsigned: !unsigned, name };
    const isMoved = after.has(elsewhere) && !before.has(elsewhere);
    if (!isMoved) return [{ change: 'removed' as const, claim, why: 'is removed' }];
    return [{ change: 'moved' as const, claim, now: elsewhere, why: `becomes ${claimText(elsewhere)}` }];
  });
  const moved = new Set(changes.flatMap(({ now }) => (now === undefined ? [] : [keyOf(now)])));
  const added = after.all().filter((claim) => !before.has(claim) && !moved.has(keyOf(claim)));
  return [
    ...changes,
    ...added.map(({ unsigned, name }): ChangedClaim => {
      return { change: 'added', claim: { unsigned, name }, why: 'is added' };
    }),
  ];
}

function changeOf(claim: ClaimName, old: Claim, now: Claim): ChangedClaim[] {
  const [was, is] = [limitsOf(old.schema), limitsOf(now.schema)];
  const [isWithin, covers] = [within(is.allowed, was.allowed), within(was.allowed, is.allowed)];
  const change = (kind: ClaimChange, why: string): ChangedClaim[] => [{ change: kind, claim, why }];
  if (!covers) {
    const words = `allowed ${wordsOf(was.allowed)} and now allows ${wordsOf(is.allowed)}`;
    return change('narrowed', words);
  }
  if (now.isRequired && !old.isRequired) return change('narrowed', 'becomes required');
  const other = [...new Set([...was.other.keys(), ...is.other.keys()])].filter(
    (keyword) => !isDeepStrictEqual(was.other.get(keyword), is.other.get(keyword)),
  );
  if (other.length > 0)
    return change('changed', `differs in ${other.map((one) => JSON.stringify(one)).join(', ')}`);
  if (!isWithin)
    return change('widened', `allowed ${wordsOf(was.allowed)} and now allows ${wordsOf(is.allowed)}`);
  if (old.isRequired && !now.isRequired) return change('widened', 'is no longer required');
  return [];
}

/** Keywords that limit nothing. */
const annotations: ReadonlySet<string> = new Set(
  'title description $comment default examples readOnly writeOnly'.split(' '),
);
const understood: ReadonlySet<string> = new Set(['type', 'enum', 'const']);

/** The values that a schema allows, as far as `type`, `enum` and `const` tell: a list of values, or of types. */
type Allowed = { values: readonly unknown[] } | { types: readonly string[] };

interface Limits {
  allowed: Allowed;
  /** All other keywords, which nothing here understands. */
  other: ReadonlyMap<string, unknown>;
}

const allTypes: readonly string[] = ['boolean', 'null', 'string', 'number', 'object', 'array'];

function limitsOf(schema: unknown): Limits {
  // `false` allows nothing; so does what is not a schema at all.
  if (!isObject(schema))
    return { allowed: schema === true ? { types: allTypes } : { values: [] }, other: new Map() };
  const entries = Object.entries(schema).filter(([keyword]) => !annotations.has(keyword));
  const other = new Map(entries.filter(([keyword]) => !understood.has(keyword)));
  const types = schema.type === undefined ? allTypes : [schema.type].flat().map(String);
  const lists = [
    ...('const' in schema ? [[schema.const]] : []),
    ...(Array.isArray(schema.enum) ? [schema.enum as unknown[]] : []),
    ...(types.every((type) => type === 'boolean' || type === 'null') ? [finite(types)] : []),
  ];
  const [first, ...rest] = lists;
  if (first === undefined) return { allowed: { types }, other };
  const values = first.filter(
    (value) => rest.every((list) => has(list, value)) && types.some((type) => isOfType(value, type)),
  );
  return { allowed: { values }, other };
}

function finite(types: readonly string[]): unknown[] {
  return types.flatMap((type) => (type === 'null' ? [null] : [true, false]));
}

function has(list: readonly unknown[], value: unknown): boolean {
  return list.some((one) => isDeepStrictEqual(one, value));
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}

/** Whether everything that one allows is allowed by the other. */
function within(inner: Allowed, outer: Allowed): boolean {
  if ('values' in inner) {
    return inner.values.every((value) =>
      'values' in outer ? has(outer.values, value) : outer.types.some((type) => isOfType(value, type)),
    );
  }
  if ('values' in outer) return false;
  const { types } = outer;
  return inner.types.every(
    (type) => types.includes(type) || (type === 'integer' && types.includes('number')),
  );
}

function wordsOf(allowed: Allowed): string {
  const parts = 'values' in allowed ? allowed.values.map((value) => JSON.stringify(value)) : allowed.types;
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
