import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../../src/api/operation.js';
import { pathParameters } from '../../../src/api/operation-facts.js';
import type { Argument, Command, Option } from '../../../src/cli/declare/command.js';
import { contextFlags } from '../../../src/cli/declare/global-flags.js';
import { commandTree, type TreeEntry } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import { fits } from '../../api/fields.js';
import { sample } from '../../api/sample-value.js';
import { special } from './request-values.js';

/** Command lines made from the declarations, and the request that each has to come to. */

export interface RequestCase {
  op: AnyOperation;
  words: string[];
  /** The same as a row of a file: what each positional and flag is given. */
  cells: [name: string, typed: string][];
  expected: SentRequest;
}

export interface SentRequest {
  method: string;
  path: string;
  /** Query in the order of its keys. */
  query: [string, string][];
  body: unknown;
}

/** What is typed: only what must be; everything; everything with booleans turned off. */
export type Extent = 'least' | 'most' | 'negated';

/** What a flag or positional is given, and what the platform is to get. */
interface Sample {
  name: string;
  field: string;
  words: string[];
  value: unknown;
}

/** A case for each operation of each command that is declared over operations. */
export async function operationCases(
  extent: Extent = 'least',
): Promise<(RequestCase & TreeEntry & { name: string })[]> {
  const declared = (await commandTree(groups)).filter(({ command }) => command.spec !== undefined);
  return declared.flatMap(({ path, command }) =>
    command.operations.map((op) => ({
      ...{ path, command, name: `docs ${path}: ${op.id}` },
      ...requestCase(path, command, op, extent),
    })),
  );
}

/** The smallest answer that fits the declaration. */
export function leastAnswer({ returns, success }: AnyOperation): { status: number; body?: unknown } {
  const status = [success].flat()[0] ?? 200;
  if (returns.kind === 'none') return { status };
  if (returns.kind === 'page') return { status, body: { items: [] } };
  return { status, body: returns.schema.type === 'array' ? [] : {} };
}

/** @param cleared a flag that is given the word null */
export function requestCase(
  path: string,
  command: Command,
  op: AnyOperation,
  extent: Extent,
  cleared?: Option,
): RequestCase {
  const parameters = pathParameters(op.path);
  const samples = [
    ...command.args
      .filter((arg) => takes(op, arg.field))
      .map((arg) => argumentSample(path, arg, parameters, op)),
    ...contextSamples(command, parameters),
    ...chosen(command, op, extent, cleared).map((option) =>
      option === cleared ? nullSample(option) : optionSample(path, option, extent),
    ),
  ];
  const isPage = op.returns.kind === 'page';
  const paging: Sample[] = !isPage
    ? []
    : extent === 'least'
      ? [{ name: 'page-size', field: 'limit', words: [], value: 1000 }]
      : [
          { name: 'page-size', field: 'limit', words: ['--page-size', '7'], value: 7 },
          { name: 'page', field: 'page', words: ['--page', 'cursor/1'], value: 'cursor/1' },
        ];
  const all = [...samples, ...paging];
  return {
    op,
    words: [
      ...path.split(' '),
      ...all.flatMap((sample) => sample.words),
      ...(op.method === 'GET' ? [] : ['--yes']),
    ],
    cells: all.map(({ name, words }) => [name, words.at(-1) ?? '']),
    expected: expectedRequest(op, all, new Set(Object.keys((op.body?.properties ?? {}) as object))),
  };
}

/** Whether an operation has the field at all; twins differ. */
function takes(op: AnyOperation, field: string | undefined): boolean {
  const top = field?.split('.')[0] ?? '';
  const known = [...pathParameters(op.path), ...Object.keys(op.query.properties)];
  return known.includes(top) || Object.hasOwn((op.body?.properties ?? {}) as object, top);
}

function argumentSample(path: string, arg: Argument, parameters: string[], op: AnyOperation): Sample {
  const { name, field = '' } = arg;
  const given = special(path, `<${name}>`);
  if (given !== undefined) return { name, field, words: given.typed, value: given.sent };
  // A blank and a slash show whether the value is encoded.
  const schema = op.body?.properties?.[field] ?? op.query.properties[field];
  const value = parameters.includes(field) ? `${name} /1` : String(ofSchema(schema, name));
  return { name, field, words: [value], value };
}

function contextSamples(command: Command, parameters: string[]): Sample[] {
  const taken = command.args.map((arg) => arg.field);
  return Object.entries(contextFlags)
    .filter(([field]) => parameters.includes(field) && !taken.includes(field))
    .map(([field, flag]) => ({ name: flag, field, words: [`--${flag}`, `${flag}-1`], value: `${flag}-1` }));
}

/** The flags of one input; of flags that fill the same field the first. */
function chosen(command: Command, op: AnyOperation, extent: Extent, cleared: Option | undefined): Option[] {
  const own = command.options.filter(
    ({ field }) => field !== undefined && takes(op, field) && !pathParameters(op.path).includes(field),
  );
  const first = own.filter((option) => own.find(({ field }) => field === option.field) === option);
  if (extent !== 'least') return first;
  const required = (op.body as { required?: string[] } | undefined)?.required ?? [];
  const least = first.filter(
    (option) => option === cleared || option.required || required.includes(option.field?.split('.')[0] ?? ''),
  );
  const changes = op.method === 'PATCH' || ['update', 'move'].includes(command.name);
  const parts = least.filter((option) => !option.field?.includes('.') || option === least[0]);
  return parts.length === 0 && changes ? first.slice(0, 1) : parts;
}

function nullSample({ name, field = '' }: Option): Sample {
  return { name, field, words: [`--${name}`, 'null'], value: null };
}

function optionSample(path: string, option: Option, extent: Extent): Sample {
  const { field = '', name, boolean } = option;
  const flag = `--${name}`;
  if (boolean !== undefined) {
    const off = boolean === 'no' ? `--no-${name}` : `--${boolean}`;
    const negated = extent === 'negated' && boolean !== true;
    return { name, field, words: [negated ? off : flag], value: !negated };
  }
  const given = special(path, flag);
  if (given !== undefined)
    return { name, field, words: given.typed.flatMap((text) => [flag, text]), value: given.sent };
  const value = ofSchema(option.schema, name);
  if (!option.variadic) return { name, field, words: [flag, String(value)], value };
  const second = secondOf(option.schema, name);
  return { name, field, words: [flag, String(value), flag, String(second)], value: [value, second] };
}

/** A value that fits a schema, different for each name. */
function ofSchema(schema: TSchema | undefined, name: string): string | number {
  return sample(schema ?? { type: 'string' }, name) as string | number;
}

/** Another for a flag that is repeated. Where it may, it has a comma: values are never split there. */
function secondOf(schema: TSchema | undefined, name: string): string | number {
  const known = ((schema?.enum ?? schema?.['x-known']) as string[] | undefined)?.[1];
  if (known !== undefined) return known;
  const withComma = `${ofSchema(schema, name)}, 2`;
  if (schema === undefined || fits(schema, withComma)) return withComma;
  return ofSchema(schema, `${name} 2`);
}

function expectedRequest(op: AnyOperation, samples: readonly Sample[], inBody: Set<string>): SentRequest {
  const values = new Map(samples.map(({ field, value }) => [field, value]));
  const query: [string, string][] = [];
  const body: Record<string, unknown> = {};
  for (const [field, value] of values) {
    const [top = '', part] = field.split('.');
    if (op.path.includes(`{${field}}`)) continue;
    if (!inBody.has(top)) for (const item of [value].flat()) query.push([field, String(item)]);
    else if (part === undefined) body[field] = value;
    else body[top] = { ...(body[top] as object), [part]: value };
  }
  return {
    method: op.method,
    path: op.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name)))),
    query: inKeyOrder(query),
    body: op.body === undefined ? undefined : body,
  };
}

export function inKeyOrder(query: Iterable<[string, string]>): [string, string][] {
  return [...query].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
