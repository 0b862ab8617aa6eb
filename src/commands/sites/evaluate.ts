import type jsep from 'jsep';
import {
  type ClaimName,
  type ClaimSet,
  claimText,
  type Expression,
  isClaims,
  type Node,
  nameOf,
  parseCondition,
} from '../../access/adaptive/claims.js';
import type { WholeSite } from '../../access/adaptive/read.js';
import type { SectionGroup, SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import { defined, isObject } from '../../base/values.js';

/** What a visitor with certain claims sees of a site. */

export const seenResults = ['shown', 'hidden', 'unknown'] as const;
type Result = (typeof seenResults)[number];

/** A group, section or site space. Texts are the platform's. */
export interface Seen {
  result: Result;
  kind: 'section-group' | 'section' | 'site-space';
  title: string;
  /** None for groups. */
  path?: string;
  condition?: string;
  /** A sentence without a full stop, where the condition itself does not tell. */
  why?: string;
  /** Whether it is what the site, or its section, shows first. */
  default?: boolean;
  id: string;
  /** 0 at the top. */
  depth: number;
}

interface EvaluatedSite {
  schema: ClaimSet;
  visitor: Visitor;
  site: Pick<WholeSite, 'sections' | 'siteSpaces' | 'groups'>;
}

/** Everything of the site in the order of its navigation, each followed by what is in it. */
export function seenBy(place: EvaluatedSite): Seen[] {
  const { sections, siteSpaces, groups } = place.site;
  const rows: Seen[] = [];
  const told = new Set<string>();
  const byId = new Map(groups.map((group) => [group.id, group]));
  for (const section of sections) {
    const { sectionGroup } = section;
    const group = sectionGroup === undefined ? undefined : byId.get(sectionGroup);
    if (group === undefined) rows.push(...seenSection(place, section, 0));
    else if (!told.has(group.id)) rows.push(...seenGroup(place, group));
    if (group !== undefined) told.add(group.id);
  }
  for (const group of groups) if (!told.has(group.id)) rows.push(...seenGroup(place, group));
  const known = new Set(sections.map(({ id }) => id));
  const rest = siteSpaces.filter(({ section }) => section === undefined || !known.has(section));
  return [
    ...rows,
    ...rest.map((space) => seenSpace(place, space, 0, space.section === undefined ? 'shown' : 'unknown')),
  ];
}

function seenGroup(place: EvaluatedSite, { id, title }: SectionGroup): Seen[] {
  const own = place.site.sections.filter(({ sectionGroup }) => sectionGroup === id);
  const inside = own.flatMap((section) => seenSection(place, section, 1));
  const results = inside.filter(({ kind }) => kind === 'section').map(({ result }) => result);
  const head = { kind: 'section-group' as const, title, id, depth: 0 };
  if (results.length === 0) return [{ ...head, result: 'hidden', why: 'it has no section' }];
  if (results.includes('shown')) return [{ ...head, result: 'shown' }, ...inside];
  if (results.includes('unknown'))
    return [{ ...head, result: 'unknown', why: 'whether a section of it is shown is unknown' }, ...inside];
  return [{ ...head, result: 'hidden', why: 'all its sections are hidden' }, ...inside];
}

function seenSection(place: EvaluatedSite, section: SiteSection, depth: number): Seen[] {
  const { id, title, path, condition, default: isDefault } = section;
  const own = resultOf(place, condition);
  const row = defined({ ...own, kind: 'section' as const, title, path, condition, default: isDefault });
  const spaces = place.site.siteSpaces.filter((one) => one.section === id);
  return [{ ...row, id, depth }, ...spaces.map((space) => seenSpace(place, space, depth + 1, own.result))];
}

/** @param within what is known of its section */
function seenSpace(place: EvaluatedSite, space: SiteSpace, depth: number, within: Result = 'shown'): Seen {
  const { id, title, path, condition, default: isDefault } = space;
  const row = defined({ kind: 'site-space' as const, title, path, condition, default: isDefault });
  const own = resultOf(place, condition);
  return { ...row, ...inSection(own, within), id, depth };
}

interface Own {
  result: Result;
  why?: string;
}

const hiddenWithin = 'its section is hidden';

/** A section that is hidden hides its spaces. */
function inSection(own: Own, within: Result): Own {
  if (within === 'hidden') return { result: 'hidden', why: hiddenWithin };
  if (within === 'unknown' && own.result === 'shown')
    return { result: 'unknown', why: 'whether its section is shown is unknown' };
  return own;
}

function resultOf({ schema, visitor }: EvaluatedSite, condition: string | undefined): Own {
  if (condition === undefined) return { result: 'shown' };
  const parsed = parseCondition(condition);
  if ('why' in parsed) return { result: 'unknown', why: `docs cannot parse the condition: ${parsed.why}` };
  const found = evaluate(parsed.node, schema, visitor);
  return 'why' in found
    ? { result: 'unknown', why: found.why }
    : { result: found.shown ? 'shown' : 'hidden' };
}

/** What is shown first although this visitor does not see it, as sentences. */
export function hiddenDefaults(rows: readonly Seen[]): string[] {
  const hidden = rows.filter(
    ({ default: isDefault, result, why }) => isDefault === true && result !== 'shown' && why !== hiddenWithin,
  );
  return hidden.map(({ kind, title, id, result }) => {
    const what = `default ${kind.replace('-', ' ')} ${title} (${id})`;
    return result === 'hidden' ? `The ${what} is hidden.` : `Whether the ${what} is shown is unknown.`;
  });
}

/** Why a result is not known, as a sentence without a full stop. */
class Unknown extends Error {}

type Value = string | number | boolean | null | undefined | readonly Value[] | Claims;

/** `visitor.claims`, or its `unsigned`. */
class Claims {
  readonly isUnsigned: boolean;

  constructor(isUnsigned: boolean) {
    this.isUnsigned = isUnsigned;
  }
}

/** The claims of a visitor. */
interface Visitor {
  /** What a claim has as value; undefined for one that the visitor lacks. */
  valueOf(claim: ClaimName): unknown;
  /** Claims whose value the schema does not allow. */
  isWrong(claim: ClaimName): boolean;
}

type Evaluation = { shown: boolean } | { why: string };

/** @returns whether a visitor sees what has the condition, or why that is not known */
export function evaluate(node: Expression, schema: ClaimSet, visitor: Visitor): Evaluation {
  try {
    return { shown: Boolean(new Evaluator(schema, visitor).of(node)) };
  } catch (cause) {
    if (cause instanceof Unknown) return { why: cause.message };
    if (cause instanceof RangeError) return { why: 'it is nested too deeply' };
    throw cause;
  }
}

class Evaluator {
  readonly #schema: ClaimSet;
  readonly #visitor: Visitor;

  constructor(schema: ClaimSet, visitor: Visitor) {
    this.#schema = schema;
    this.#visitor = visitor;
  }

  of(expression: Expression): Value {
    const node = expression as Node;
    switch (node.type) {
      case 'Literal':
        return literal(node.value);
      case 'UnaryExpression':
        return unary(node.operator, this.of(node.argument));
      case 'BinaryExpression':
        return this.#binary(node);
      case 'ConditionalExpression':
        return this.of(this.of(node.test) ? node.consequent : node.alternate);
      case 'ArrayExpression':
        return node.elements.map((element) => (element === null ? undefined : this.of(element)));
      case 'MemberExpression':
        return isClaims(node) ? new Claims(false) : this.#member(node);
      case 'CallExpression':
        return this.#call(node);
      case 'Identifier':
        throw new Unknown(`unknown name ${JSON.stringify(node.name)}`);
      default:
        throw new Unknown('it is not a single expression');
    }
  }

  #binary({ operator, left, right }: jsep.BinaryExpression): Value {
    const a = this.of(left);
    // These read their right side only where it decides.
    if (operator === '&&') return a ? this.of(right) : a;
    if (operator === '||') return a ? a : this.of(right);
    if (operator === '??') return a === null || a === undefined ? this.of(right) : a;
    const b = this.of(right);
    if (operator === 'in') return this.#has(a, b);
    const operation = Object.hasOwn(binary, operator) ? binary[operator] : undefined;
    if (operation === undefined) throw new Unknown(`docs does not evaluate the operator ${operator}`);
    return operation(plain(a, operator), plain(b, operator));
  }

  #has(name: Value, object: Value): boolean {
    if (!(object instanceof Claims) || typeof name !== 'string')
      throw new Unknown('"in" is for the name of a claim and an object of claims');
    if (!object.isUnsigned && name === 'unsigned' && this.#schema.hasUnsigned) return true;
    return this.#claim({ unsigned: object.isUnsigned, name }) !== undefined;
  }

  #claim(claim: ClaimName): Value {
    const text = claimText(claim);
    if (!this.#schema.has(claim) && !this.#schema.isOpen)
      throw new Unknown(`the schema has no claim ${text}`);
    if (this.#visitor.isWrong(claim))
      throw new Unknown(`the claim ${text} has a value that the schema forbids`);
    return given(this.#visitor.valueOf(claim), text);
  }

  #member(node: jsep.MemberExpression): Value {
    const object = this.of(node.object);
    const key = nameOf(node) ?? this.of(node.property);
    if (typeof key !== 'string' && typeof key !== 'number')
      throw new Unknown(`${typeName(key)} is not the name of a property`);
    if (object instanceof Claims) {
      const name = String(key);
      const isGroup = !object.isUnsigned && name === 'unsigned' && this.#schema.hasUnsigned;
      return isGroup ? new Claims(true) : this.#claim({ unsigned: object.isUnsigned, name });
    }
    if (object === null || object === undefined) {
      if (node.optional) return undefined;
      throw new Unknown(`${String(object)} has no property ${JSON.stringify(String(key))}`);
    }
    if (typeof object === 'string' || isList(object)) {
      if (key === 'length') return object.length;
      if (/^(?:0|[1-9]\d*)$/.test(String(key))) return object[Number(key)];
    }
    throw new Unknown(`docs does not look up ${JSON.stringify(String(key))} of ${typeName(object)}`);
  }

  #call({ callee, arguments: given }: jsep.CallExpression): Value {
    const member = callee as jsep.MemberExpression;
    const name = callee.type === 'MemberExpression' ? nameOf(member) : undefined;
    if (name === undefined) throw new Unknown('only methods can be called, by their names');
    const object = this.of(member.object);
    const args = given.map((argument) => this.of(argument));
    const takes = needsArgument.has(name) ? 1 : 0;
    const method = methodOf(object, name, args[0]);
    if (method === undefined) throw new Unknown(`docs does not evaluate ${name}() of ${typeName(object)}`);
    if (args.length !== takes)
      throw new Unknown(`${name}() takes ${takes === 1 ? 'one argument' : 'no arguments'}`);
    return method();
  }
}

type Plain = string | number | boolean | null | undefined;

/** Methods of texts and lists, as JavaScript has them; the words of the documentation and of the tests. */
const textMethods: Readonly<Record<string, (text: string, argument: string) => Value>> = {
  includes: (text, part) => text.includes(part),
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
  indexOf: (text, part) => text.indexOf(part),
  toLowerCase: (text) => text.toLowerCase(),
  toUpperCase: (text) => text.toUpperCase(),
  trim: (text) => text.trim(),
};
const listMethods: Readonly<Record<string, (list: readonly Value[], item: Plain) => Value>> = {
  includes: (list, item) => list.includes(item),
  indexOf: (list, item) => list.indexOf(item),
};
const needsArgument: ReadonlySet<string> = new Set(['includes', 'startsWith', 'endsWith', 'indexOf']);

/** A method with its object and its argument; undefined for one that is not evaluated. */
function methodOf(object: Value, name: string, argument: Value): (() => Value) | undefined {
  if (typeof object === 'string') {
    const method = Object.hasOwn(textMethods, name) ? textMethods[name] : undefined;
    if (method !== undefined && needsArgument.has(name) && typeof argument !== 'string')
      throw new Unknown(`${name}() of a text takes a text, not ${typeName(argument)}`);
    return method && (() => method(object, typeof argument === 'string' ? argument : ''));
  }
  if (!isList(object)) return undefined;
  const method = Object.hasOwn(listMethods, name) ? listMethods[name] : undefined;
  return method && (() => method(object, plain(argument, `${name}()`)));
}

const binary: Readonly<Record<string, (a: Plain, b: Plain) => Value>> = {
  // biome-ignore lint/suspicious/noDoubleEquals: the condition says so
  '==': (a, b) => a == b,
  // biome-ignore lint/suspicious/noDoubleEquals: the condition says so
  '!=': (a, b) => a != b,
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '<': (a, b) => ordered(a) < ordered(b),
  '<=': (a, b) => ordered(a) <= ordered(b),
  '>': (a, b) => ordered(a) > ordered(b),
  '>=': (a, b) => ordered(a) >= ordered(b),
  '+': (a, b) => (typeof a === 'string' || typeof b === 'string' ? `${a}${b}` : Number(a) + Number(b)),
  '-': (a, b) => Number(a) - Number(b),
  '*': (a, b) => Number(a) * Number(b),
  '/': (a, b) => Number(a) / Number(b),
  '%': (a, b) => Number(a) % Number(b),
};

/** What `<` compares: JavaScript takes two texts as they are, and anything else as numbers. */
function ordered(value: Plain): string | number {
  return typeof value === 'string' ? value : Number(value);
}

function unary(operator: string, value: Value): Value {
  if (operator === '!') return !value;
  const number = Number(plain(value, operator));
  if (operator === '-') return -number;
  if (operator === '+') return number;
  throw new Unknown(`docs does not evaluate the operator ${operator}`);
}

/** A value that operators take; JavaScript would turn others into texts first. */
function plain(value: Value, operator: string): Plain {
  if (typeof value !== 'object' || value === null) return value;
  throw new Unknown(`docs does not evaluate ${operator} of ${typeName(value)}`);
}

function literal(value: unknown): Value {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Plain;
  throw new Unknown('it has a literal of another kind than texts, numbers, true, false and null');
}

/** The value of a claim: plain, or a list of plain values. */
function given(value: unknown, claim: string): Value {
  const isPlain = (one: unknown): one is Plain =>
    one === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof one);
  if (isPlain(value)) return value;
  if (Array.isArray(value) && value.every(isPlain)) return value;
  throw new Unknown(`docs does not evaluate the value of the claim ${claim}`);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function typeName(value: Value): string {
  if (value === null || value === undefined) return String(value);
  if (isList(value)) return 'a list';
  if (value instanceof Claims) return 'an object of claims';
  return { string: 'a text', number: 'a number' }[typeof value as string] ?? 'true or false';
}

interface CheckedVisitor {
  visitor: Visitor;
  /** What the schema forbids, as sentences. Claims in them are the person's text. */
  faults: string[];
}

/** @param claims as a token has them: by name, those of `unsigned` in an object of that name */
export async function visitorOf(
  claims: Readonly<Record<string, unknown>>,
  schema: ClaimSet,
): Promise<CheckedVisitor> {
  const { unsigned, ...signed } = claims;
  const isGroup = schema.hasUnsigned && isObject(unsigned);
  const values = new Map<string, unknown>();
  const given: ClaimName[] = [];
  const add = (claim: ClaimName, value: unknown) => {
    given.push(claim);
    values.set(claimText(claim), value);
  };
  const atRoot = isGroup || unsigned === undefined ? signed : { ...signed, unsigned };
  for (const [name, value] of Object.entries(atRoot)) add({ unsigned: false, name }, value);
  if (isGroup) for (const [name, value] of Object.entries(unsigned)) add({ unsigned: true, name }, value);
  const fits = await checkerOf();
  const wrong = new Map<string, string>();
  for (const claim of given) {
    const text = claimText(claim);
    const declared = schema.get(claim);
    if (declared === undefined && !schema.isOpen) wrong.set(text, `The schema has no claim ${text}.`);
    else if (declared !== undefined && !fits(declared.schema, values.get(text)))
      wrong.set(text, `The schema does not allow ${JSON.stringify(values.get(text))} for the claim ${text}.`);
  }
  const missing = schema.all().filter((claim) => claim.isRequired && !values.has(claimText(claim)));
  return {
    visitor: {
      valueOf: (claim) => values.get(claimText(claim)),
      isWrong: (claim) => wrong.has(claimText(claim)),
    },
    faults: [
      ...wrong.values(),
      ...missing.map((claim) => `The schema requires the claim ${claimText(claim)}, which is missing.`),
    ],
  };
}

/** Whether a value fits a schema; one that cannot be understood allows nothing. */
async function checkerOf(): Promise<(schema: unknown, value: unknown) => boolean> {
  const { Ajv } = await import('ajv');
  const ajv = new Ajv({ strict: false, logger: false });
  return (schema, value) => {
    try {
      return (isObject(schema) || typeof schema === 'boolean') && ajv.validate(schema, value) === true;
    } catch {
      return false;
    }
  };
}
