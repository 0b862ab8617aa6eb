import { isDeepStrictEqual } from 'node:util';
import jsep from 'jsep';
import { isObject } from '../../base/values.js';

/** Conditions of adaptive sites, the claims that they use, and what a new schema breaks. */

export type Expression = jsep.Expression;
export type Node = jsep.CoreExpression;

/** A claim: its name, and whether it is one of `unsigned`. */
export interface ClaimName {
  unsigned: boolean;
  name: string;
}

/** `beta`, `unsigned.beta`; the platform's text. */
export function claimText({ unsigned, name }: ClaimName): string {
  return unsigned ? `unsigned.${name}` : name;
}

/** The platform takes 1,024 characters; what a later one may take has an end, too. */
const longest = 20_000;

/** @returns the reason, as the rest of a sentence, where it cannot be parsed */
export function parseCondition(condition: string): { node: Expression } | { why: string } {
  if (condition.length > longest) return { why: `it is longer than ${longest} characters` };
  jsep.addBinaryOp('in', 7);
  try {
    return { node: jsep(condition) };
  } catch (error) {
    // The parser throws errors of its own; of a deep one the stack ends.
    const { description, index } = error as { description?: string; index?: number };
    if (description === undefined) return { why: 'it is nested too deeply' };
    const end = index !== undefined && index >= condition.length;
    const what = end ? 'Unexpected end' : description.replace(/\.$/, '');
    return { why: `${what} at character ${(index ?? 0) + 1}` };
  }
}

/** Whether it is `visitor.claims`, the one name that conditions know. */
export function isClaims(node: Expression): boolean {
  const { type, object, property, computed } = node as jsep.MemberExpression;
  if (type !== 'MemberExpression' || object.type !== 'Identifier' || object.name !== 'visitor') return false;
  return computed
    ? property.type === 'Literal' && property.value === 'claims'
    : property.type === 'Identifier' && property.name === 'claims';
}

/** The name of a member that the text itself gives; undefined where it is computed. */
export function nameOf({ property, computed }: jsep.MemberExpression): string | undefined {
  if (!computed) return property.type === 'Identifier' ? String(property.name) : undefined;
  const { value } = property as jsep.Literal;
  return property.type === 'Literal' && (typeof value === 'string' || typeof value === 'number')
    ? String(value)
    : undefined;
}

interface Uses {
  claims: ClaimName[];
  /** Whether it may use any claim: one whose name is computed, or all of them. */
  any: boolean;
}

/** The claims that an expression names, once each, in the order of the text. */
export function usesOf(node: Expression): Uses {
  const found = new Map<string, ClaimName>();
  let any = false;
  const use = (path: readonly (string | undefined)[]): void => {
    const [first, second] = path;
    const claim =
      first === 'unsigned'
        ? second !== undefined && { unsigned: true, name: second }
        : first !== undefined && { unsigned: false, name: first };
    if (claim) found.set(`${claim.unsigned} ${claim.name}`, claim);
    else any = true;
  };
  const rest: Expression[] = [node];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const path = claimPath(next);
    if (path !== undefined) {
      use(path.names);
      // What is computed may use claims, too.
      rest.push(...path.computed.reverse());
    } else rest.push(...partsOf(next as Node).reverse());
  }
  return { claims: [...found.values()], any };
}

/** The names after `visitor.claims`, of a member of it or of `"x" in visitor.claims`. */
function claimPath(node: Expression): { names: (string | undefined)[]; computed: Expression[] } | undefined {
  const { type, left, right, operator } = node as jsep.BinaryExpression;
  if (type === 'BinaryExpression' && operator === 'in') {
    const base = memberPath(right);
    if (base === undefined) return undefined;
    const { value } = left as jsep.Literal;
    const isText = left.type === 'Literal' && typeof value === 'string';
    return {
      names: [...base.names, isText ? value : undefined],
      computed: isText ? base.computed : [left, ...base.computed],
    };
  }
  return memberPath(node);
}

function memberPath(node: Expression): { names: (string | undefined)[]; computed: Expression[] } | undefined {
  const names: (string | undefined)[] = [];
  const computed: Expression[] = [];
  let at = node;
  while (!isClaims(at)) {
    if (at.type !== 'MemberExpression') return undefined;
    const member = at as jsep.MemberExpression;
    const name = nameOf(member);
    names.unshift(name);
    if (name === undefined) computed.unshift(member.property);
    at = member.object;
  }
  return { names, computed };
}

/** The expressions inside one that names no claim by itself. */
function partsOf(node: Node): Expression[] {
  switch (node.type) {
    case 'UnaryExpression':
      return [node.argument];
    case 'BinaryExpression':
      return [node.left, node.right];
    case 'ConditionalExpression':
      return [node.test, node.consequent, node.alternate];
    case 'ArrayExpression':
      return node.elements.filter((element) => element !== null);
    case 'MemberExpression':
      return [node.object, ...(node.computed ? [node.property] : [])];
    case 'CallExpression':
      return [node.callee, ...node.arguments];
    case 'Compound':
      return node.body;
    case 'SequenceExpression':
      return node.expressions;
    default:
      return [];
  }
}

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
type ClaimChange = (typeof claimChanges)[number];

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
function changedClaims(before: ClaimSet, after: ClaimSet): ChangedClaim[] {
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

export interface BrokenCondition extends Conditioned {
  /** `broken`: it uses a claim that neither schema has. */
  state: 'breaks' | 'unknown' | 'broken';
  /** The claims on account of which, as conditions call them. */
  claims: string[];
  /** A sentence without a full stop. */
  why: string;
}

/** What a new schema does to the claims of conditions. */
interface ClaimsDiff {
  before: ClaimSet;
  after: ClaimSet;
  claims: ChangedClaim[];
  /** Whether the new schema forbids claims that the old one let through without naming them. */
  closes: boolean;
}

export function claimsDiff(before: ClaimSet, after: ClaimSet): ClaimsDiff {
  const closes = before.isOpen && !after.isOpen;
  return { before, after, claims: changedClaims(before, after), closes };
}

/** Whether a condition may break at all: not where claims are only added or widened. */
export function mayBreak({ claims, closes }: ClaimsDiff): boolean {
  return closes || claims.some((one) => isGone(one) || one.change === 'changed');
}

function isGone({ change }: ChangedClaim): boolean {
  return change === 'removed' || change === 'moved' || change === 'narrowed';
}

/** The conditions that break, or may, in the order of the parts. */
export function brokenConditions(diff: ClaimsDiff, parts: readonly Conditioned[]): BrokenCondition[] {
  return mayBreak(diff) ? parts.flatMap((part) => broken(part, diff)) : [];
}

/** The conditions that the old schema broke already, and that the new one does not mend. */
export function brokenBefore(
  { before, after }: ClaimsDiff,
  parts: readonly Conditioned[],
): BrokenCondition[] {
  if (before.isOpen || after.isOpen) return [];
  return parts.flatMap((part): BrokenCondition[] => {
    const parsed = parseCondition(part.condition);
    if ('why' in parsed) return [];
    const lacking = usesOf(parsed.node).claims.filter((claim) => !before.has(claim) && !after.has(claim));
    if (lacking.length === 0) return [];
    const claims = lacking.map(claimText);
    const verb = claims.length === 1 ? 'is' : 'are';
    return [{ ...part, state: 'broken', claims, why: `${claims.join(', ')} ${verb} in neither schema` }];
  });
}

function broken(part: Conditioned, { before, after, claims, closes }: ClaimsDiff): BrokenCondition[] {
  const gone = claims.filter(isGone);
  const unsure = claims.filter(({ change }) => change === 'changed');
  const tell = (state: BrokenCondition['state'], of: readonly ClaimName[], why: string) => [
    { ...part, state, claims: of.map(claimText), why },
  ];
  const parsed = parseCondition(part.condition);
  if ('why' in parsed) return tell('unknown', [], `docs cannot parse the condition: ${parsed.why}`);
  const uses = usesOf(parsed.node);
  const used = (some: readonly ChangedClaim[]) =>
    some.filter(({ claim }) => uses.claims.some((one) => isSame(one, claim)));
  const [lost, open] = [used(gone), used(unsure)];
  if (lost.length > 0)
    return tell(
      'breaks',
      lost.map(({ claim }) => claim),
      whyOf(lost),
    );
  const undeclared = closes ? uses.claims.filter((claim) => !before.has(claim) && !after.has(claim)) : [];
  if (undeclared.length > 0)
    return tell('breaks', undeclared, 'the new schema allows only claims that it names');
  if (open.length > 0)
    return tell(
      'unknown',
      open.map(({ claim }) => claim),
      whyOf(open),
    );
  if (!uses.any) return [];
  const all = [...gone, ...unsure].map(({ claim }) => claim);
  return tell('unknown', all, 'the condition computes the name of a claim');
}

function isSame(a: ClaimName, b: ClaimName): boolean {
  return a.unsigned === b.unsigned && a.name === b.name;
}

function whyOf(changes: readonly ChangedClaim[]): string {
  return changes.map(({ claim, why }) => `${claimText(claim)} ${why}`).join('; ');
}

/** Something of a site with a condition. Titles, paths and conditions are the platform's text. */
export interface Conditioned {
  kind: 'section' | 'site-space';
  id: string;
  title: string;
  path: string;
  condition: string;
}
