import type jsep from 'jsep';
import type { ClaimSet } from './claim-schema.js';
import { type ClaimName, claimText, type Expression, isClaims, type Node, nameOf } from './expression.js';

/**
 * Evaluates conditions with the meaning that JavaScript gives them. Only what is listed here is evaluated, over plain
 * values: no code of a condition runs, and no property but a claim, `length`, and an item of a list is looked up.
 */

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
export interface Visitor {
  /** What a claim has as value; undefined for one that the visitor lacks. */
  valueOf(claim: ClaimName): unknown;
  /** Claims whose value the schema does not allow. */
  isWrong(claim: ClaimName): boolean;
}

export type Evaluation = { shown: boolean } | { why: string };

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
