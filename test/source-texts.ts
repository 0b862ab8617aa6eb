import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst } from 'vitest/node';
import { isObject } from '../src/base/values.js';

/** The texts of the sources, read from their syntax: every text, and the messages of errors. */

/** A value in a text: it stands for one word. */
export const value = '…';

interface Node {
  type: string;
  [key: string]: unknown;
}

const isNode = (part: unknown): part is Node => isObject(part) && typeof part.type === 'string';

export function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

/** The text of an expression of strings that are joined; undefined for any other. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') return quasisOf(node).join(value);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? value) + (right ?? value);
}

function quasisOf({ quasis }: Node): string[] {
  return (quasis as { value: { cooked: string } }[]).map(({ value: { cooked } }) => cooked);
}

function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (!isNode(node) || node.type === 'ImportDeclaration') return [];
  const text = textOf(node);
  const below = text === undefined || node.type !== 'Literal' ? Object.values(node).flatMap(textsIn) : [];
  // The parts of what is joined are no texts of their own.
  const own =
    node.type === 'BinaryExpression' && text !== undefined
      ? below.filter((one) => !text.includes(one))
      : below;
  return text === undefined ? own : [text, ...own];
}

function parsed(file: string): unknown {
  return parseAst(readFileSync(file, 'utf8'), { lang: 'ts' });
}

/** Every text of a file. */
export const textsOf = (file: string): string[] => textsIn(parsed(file));

/** A function, where it stands, and what its parameters are called. */
interface Declared {
  file: string;
  name: string;
  params: readonly (string | undefined)[];
  /** What it may return. */
  returned: unknown[];
}

/** A call, in the functions that are around it, the innermost first. */
interface Call {
  file: string;
  callee: unknown;
  args: readonly unknown[];
  around: readonly Declared[];
}

interface Source {
  file: string;
  calls: Call[];
  functions: Map<string, Declared>;
  /** Names that are imported, with the file that has them. */
  imported: Map<string, { file: string; name: string }>;
  /** Constants by their name, each with the function that has it. */
  constants: Map<string, { owner: Declared | undefined; init: unknown }[]>;
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined;
}

function paramsOf({ params }: Node): (string | undefined)[] {
  return (params as Node[]).map((param) => nameOf(param.type === 'AssignmentPattern' ? param.left : param));
}

function readSource(file: string): Source {
  const source: Source = { file, calls: [], functions: new Map(), imported: new Map(), constants: new Map() };
  visit(parsed(file), source, [], undefined);
  return source;
}

const failure: Node = { type: 'Failure' };

const functionTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

function visit(node: unknown, source: Source, around: readonly Declared[], called: string | undefined): void {
  if (Array.isArray(node)) for (const one of node) visit(one, source, around, undefined);
  if (!isNode(node)) return;
  const { file } = source;
  let inner = around;
  if (functionTypes.includes(node.type)) {
    const name = nameOf(node.id) ?? called ?? '';
    // An arrow without braces returns its body.
    const returned = node.expression === true ? [node.body] : [];
    const declared = { file, name, params: paramsOf(node), returned };
    if (name !== '') source.functions.set(name, declared);
    inner = [declared, ...around];
  }
  note(node, source, inner);
  const isNamed = node.type === 'VariableDeclarator' || node.type === 'Property';
  const own = isNamed ? nameOf(node.id ?? node.key) : undefined;
  for (const [key, part] of Object.entries(node))
    visit(part, source, inner, key === 'init' ? own : undefined);
}

function note(node: Node, source: Source, around: readonly Declared[]): void {
  const { file } = source;
  if (node.type === 'ReturnStatement') around[0]?.returned.push(node.argument);
  if (node.type === 'CallExpression' || node.type === 'NewExpression')
    source.calls.push({ file, callee: node.callee, args: node.arguments as unknown[], around });
  const name = node.type === 'VariableDeclarator' ? nameOf(node.id) : undefined;
  if (name !== undefined) {
    const known = source.constants.get(name) ?? [];
    source.constants.set(name, [...known, { owner: around[0], init: node.init }]);
  }
  // The failures of requests are objects until all attempts are over.
  if (node.type === 'ObjectExpression' && file.includes('api/transport')) {
    const property = (key: string) => (node.properties as Node[]).find((one) => nameOf(one.key) === key);
    const message = property('code') && property('message');
    if (message !== undefined) source.calls.push({ file, callee: failure, args: [message.value], around });
  }
  noteImport(node, source);
}

/** Names from another file, whether it is imported at the start or where it is needed. */
function noteImport(node: Node, { file, imported }: Source): void {
  const lazy = isNode(node.init) && node.init.type === 'AwaitExpression' ? node.init.argument : undefined;
  const from = node.type === 'ImportDeclaration' ? node : lazy;
  if (!isNode(from) || !/^Import(?:Declaration|Expression)$/.test(from.type)) return;
  const path = String((from.source as Node).value).replace(/\.js$/, '.ts');
  const names = from === node ? node.specifiers : (node.id as Node).properties;
  for (const one of (names ?? []) as Node[]) {
    const local = nameOf(one.local ?? one.value) ?? '';
    imported.set(local, { file: join(dirname(file), path), name: nameOf(one.imported ?? one.key) ?? local });
  }
}

/** Where an expression of a message is. */
interface Place {
  source: Source;
  around: readonly Declared[];
  depth: number;
  /** Whether the message begins with it: a parameter there is a message of whoever calls. */
  begins: boolean;
  /** Whether it is in a function of texts that the message calls. */
  isCalled: boolean;
}

/** Reads messages: those of `DocsError`, and those of the functions that hand one of their parameters to it. */
class Messages {
  readonly #sources: Map<string, Source>;
  /** Which parameter of a function is a message, by file and name. */
  readonly #builders = new Map<string, Set<number>>();
  readonly found = new Map<string, string>();

  constructor(files: readonly string[]) {
    this.#sources = new Map(files.map((file) => [file, readSource(file)]));
  }

  read(): void {
    let known = -1;
    // Until no further function is found that hands on a message.
    while (known !== this.#count()) {
      known = this.#count();
      this.found.clear();
      for (const source of this.#sources.values()) for (const call of source.calls) this.#call(source, call);
    }
  }

  #count(): number {
    return [...this.#builders.values()].reduce((sum, { size }) => sum + size, 0);
  }

  #call(source: Source, call: Call): void {
    for (const at of this.#positions(source, call.callee)) {
      const message = call.args[at];
      if (message === undefined) continue;
      const place = { source, around: call.around, depth: 0, begins: true, isCalled: false };
      for (const text of this.#texts(message, place))
        if (/[^…]/.test(text)) this.found.set(text, source.file);
    }
  }

  #positions(source: Source, callee: unknown): readonly number[] {
    if (!isNode(callee)) return [];
    if (callee === failure) return [0];
    if (nameOf(callee) === 'DocsError') return [2];
    if (callee.type === 'Super') return source.file.endsWith('errors.ts') ? [2] : [];
    if (callee.type === 'MemberExpression') return nameOf(callee.property) === 'changed' ? [1] : [];
    const declared = this.#function(source, nameOf(callee));
    return declared === undefined ? [] : [...(this.#builders.get(keyOf(declared)) ?? [])];
  }

  #function(source: Source, name: string | undefined): Declared | undefined {
    if (name === undefined) return undefined;
    const own = source.functions.get(name);
    const from = source.imported.get(name);
    return own ?? (from && this.#sources.get(from.file)?.functions.get(from.name));
  }

  /** All that a message may say; `…` for values. Follows conditions, constants and functions of texts. */
  #texts(node: unknown, at: Place): string[] {
    if (!isNode(node) || at.depth > 8) return [value];
    const here = { ...at, depth: at.depth + 1 };
    const later = { ...here, begins: false };
    const texts = (part: unknown, first = true) => this.#texts(part, first ? here : later);
    if (node.type === 'Literal') return [String(node.value)];
    if (node.type === 'ConditionalExpression') return [...texts(node.consequent), ...texts(node.alternate)];
    if (node.type === 'LogicalExpression')
      return [...(node.operator === '&&' ? [''] : texts(node.left).filter(Boolean)), ...texts(node.right)];
    if (node.type === 'BinaryExpression') return joined([texts(node.left), texts(node.right, false)]);
    if (node.type === 'CallExpression') return this.#returned(node, here);
    if (node.type === 'Identifier') return this.#named(String(node.name), at);
    if (node.type !== 'TemplateLiteral') return [value];
    const [before = '', ...quasis] = quasisOf(node);
    const parts = (node.expressions as unknown[]).flatMap((part, index) => [
      texts(part, index === 0 && before === ''),
      [quasis[index] ?? ''],
    ]);
    return joined([[before], ...parts]);
  }

  /** What a function of texts returns. `sentences` gives each of its own a stop. */
  #returned({ callee, arguments: given }: Node, at: Place): string[] {
    if (nameOf(callee) === 'sentences') {
      const stopped = (text: string) => (/[.?!]$/.test(text) ? text : `${text}.`);
      const texts = (given as unknown[]).map((one, index) =>
        this.#texts(one, index === 0 ? at : { ...at, begins: false }).map(stopped),
      );
      return joined(texts.flatMap((one, index) => (index === 0 ? [one] : [[' '], one])));
    }
    const declared = this.#function(at.source, nameOf(callee));
    const source = declared && this.#sources.get(declared.file);
    if (declared === undefined || source === undefined || declared.returned.length === 0) return [value];
    const inside = { ...at, source, around: [declared], isCalled: true };
    return declared.returned.flatMap((one) => this.#texts(one, inside));
  }

  #named(name: string, at: Place): string[] {
    const { source, around, depth } = at;
    const owner = around.find(({ params }) => params.includes(name));
    if (owner !== undefined) {
      if (at.begins && !at.isCalled) {
        const positions = this.#builders.get(keyOf(owner)) ?? new Set();
        this.#builders.set(keyOf(owner), positions.add(owner.params.indexOf(name)));
      }
      return [value];
    }
    const found = constantsOf(source, name, around);
    return found.length === 0
      ? [value]
      : found.flatMap((init) => this.#texts(init, { ...at, depth: depth + 1 }));
  }
}

/** What a name may be there: the constants of the innermost function that has one so called, else those of the file. */
function constantsOf({ constants }: Source, name: string, around: readonly Declared[]): unknown[] {
  const all = constants.get(name) ?? [];
  for (const owner of [...around, undefined]) {
    const own = all.filter((one) => one.owner === owner);
    if (own.length > 0) return own.map(({ init }) => init);
  }
  return [];
}

const keyOf = ({ file, name }: Declared): string => `${file} ${name}`;

function joined(parts: readonly (readonly string[])[]): string[] {
  return parts.reduce<string[]>(
    (texts, part) => texts.flatMap((text) => part.map((more) => text + more)).slice(0, 64),
    [''],
  );
}

/** The messages of all errors that the sources of some folders make, with the file of each. */
export function errorMessages(folders: readonly string[]): ReadonlyMap<string, string> {
  const messages = new Messages(folders.flatMap((folder) => filesIn(folder, '.ts')));
  messages.read();
  return messages.found;
}
