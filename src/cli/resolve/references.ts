import { pathParameters } from '../../api/operation.js';
import type { Command, ManualInput } from '../declare/command.js';
import { camel } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { contextFlags } from '../declare/standing-flags.js';
import { type ResourceKind, resourceKindOf } from './resource-kinds.js';

/** The places of a command line that take ids of resources: what was typed there, and what is missing. */

export interface Reference {
  kind: ResourceKind;
  /** As errors and questions name it: `<space>`, `--space`. */
  place: string;
  /** Where its value is in the input. */
  from: 'args' | 'options';
  key: string;
  /** The field that it fills; none in hand-written commands. */
  field: string | undefined;
  /** The path parameter, where it is one. */
  parameter: string | undefined;
  typed: readonly string[];
  variadic: boolean;
  /** Whether the command cannot go on without it. */
  needed: boolean;
}

/** Operations whose positionals no list holds: new names, and spaces that are deleted. */
const unlisted: ReadonlySet<string> = new Set(['openapi.create', 'openapi.set', 'spaces.restore']);

/** Fields in which the platform takes an email for the id of a user. */
const emailFields: ReadonlySet<string | undefined> = new Set<string | undefined>([
  'add',
  'remove',
  'members',
]);

/** Kinds that people name themselves: what can be an id is one. */
const selfNamed: readonly string[] = ['slug', 'custom-field'];

/** Parents first, since the lists of the rest need them; then positionals and flags, in their order. */
export function referencesOf(session: Session, command: Command, input: ManualInput): Reference[] {
  if (command.local || command.operations.some(({ id }) => unlisted.has(id))) return [];
  const contexts = command.options.filter(isContext);
  const flags = command.options.filter((option) => !isContext(option));
  return [
    ...contexts.map((option) => ofOption(session, command, input, option)),
    ...command.args.map((arg) => ofArgument(session, command, input, arg)),
    ...flags.map((option) => ofOption(session, command, input, option)),
  ].filter((reference) => reference !== undefined);
}

function isContext({ field }: Command['options'][number]): boolean {
  return field !== undefined && field in contextFlags;
}

function ofArgument(
  session: Session,
  command: Command,
  input: ManualInput,
  arg: Command['args'][number],
): Reference | undefined {
  const kind = resourceKindOf(arg, command);
  if (kind === undefined) return undefined;
  const typed = texts(input.args[arg.name]);
  const needed = arg.required || isMissingParent(session, command, arg.field);
  const { name, field, variadic } = arg;
  const rest = { field, parameter: parameterOf(command, field, kind), typed, variadic, needed };
  return { kind, place: `<${name}>`, from: 'args', key: name, ...rest };
}

function ofOption(
  session: Session,
  command: Command,
  input: ManualInput,
  option: Command['options'][number],
): Reference | undefined {
  const kind = resourceKindOf(option, command);
  if (kind === undefined) return undefined;
  const { name, field, variadic, required } = option;
  const typed = texts(input.options[camel(name)]);
  const inBody = required && input.options.input === undefined;
  const needed = isContext(option) ? isMissingParent(session, command, field) : inBody;
  const parameter = isContext(option) ? field : undefined;
  return {
    ...{
      kind,
      place: `--${name}`,
      from: 'options',
      key: camel(name),
      field,
      parameter,
      typed,
      variadic,
      needed,
    },
  };
}

/** Whether every request of the command needs this parent, and nothing else tells it. */
function isMissingParent({ settings }: Session, command: Command, field: string | undefined): boolean {
  if (field === undefined || command.spec === undefined || !(field in contextFlags)) return false;
  const flag = contextFlags[field as keyof typeof contextFlags];
  const known = flag !== 'change-request' && settings[flag] !== undefined;
  return !known && command.operations.every((op) => pathParameters(op.path).includes(field));
}

function parameterOf(command: Command, field: string | undefined, kind: ResourceKind): string | undefined {
  if (command.spec === undefined) return kind.fields[0];
  const inPath = command.operations.some((op) => pathParameters(op.path).includes(field ?? ''));
  return inPath ? field : undefined;
}

function texts(typed: unknown): string[] {
  return typed === undefined ? [] : [typed].flat().filter((text) => typeof text === 'string');
}

export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Whether a text consists of what ids consist of (platform-facts, "Shapes"). */
export function canBeId(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

/** Whether a text is an id beyond doubt: long, with digits in it, as no word of a title is; or a number. */
function isSurelyId(text: string): boolean {
  return canBeId(text) && ((text.length >= 16 && /\d/.test(text)) || /^\d+$/.test(text));
}

/** `-` or `@file` among many ids: they are read later, and taken as they are. */
export function isSource(text: string): boolean {
  return text === '-' || text.startsWith('@');
}

/**
 * Whether a typed text has to be looked at: an address is always turned into its id; a title is looked
 * up with `--by-title`, and on a terminal where the text may be one.
 * @param kind name of the kind
 */
export function mayBeTitle(
  { interactive, globals }: Session,
  kind: string,
  text: string,
  field?: string,
): boolean {
  if (isAddress(text)) return true;
  if (emailFields.has(field) && text.includes('@')) return false;
  if (selfNamed.includes(kind) && canBeId(text)) return false;
  if (globals.byTitle === true) return true;
  return interactive && !isSource(text) && !isSurelyId(text);
}
