import { pathParameters } from '../../api/operation.js';
import { type DocsError, usageError } from '../../errors.js';
import { signedOut } from '../../settings/settings.js';
import {
  type Argument,
  type Command,
  camel,
  type ManualInput,
  type Option,
  type TakesIds,
} from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { contextFlags } from '../declare/standing-flags.js';
import { catalogue, type Kind } from './catalogue.js';

/** The places of a command line where ids of resources stand: what was typed there, and what is missing. */

export interface IdPlace {
  kind: Kind;
  /** How its declaration says that ids are taken. */
  taker: TakesIds;
  /** As errors and questions name it: `<space>`, `--space`. */
  place: string;
  /** Where its value is in the input. */
  from: 'args' | 'options';
  key: string;
  /** The field that it fills; none in hand-written commands. */
  field: string | undefined;
  /** The path parameter that it fills, if it does. */
  parameter: string | undefined;
  typed: readonly string[];
  variadic: boolean;
  /** Whether the command cannot go on without it. */
  needed: boolean;
}

/** A command line in which every resource is named by its id. */
export interface Filled {
  session: Session;
  input: ManualInput;
}

/** Parents first, since the lists of the rest need them; then positionals and flags, in their order. */
export function placesOf(session: Session, command: Command, input: ManualInput): IdPlace[] {
  if (command.local) return [];
  const options = command.options.map((option) => ofOption(session, command, input, option));
  return [
    ...options.filter((_, at) => isContext(command.options[at])),
    ...command.args.map((arg) => ofArgument(session, command, input, arg)),
    ...options.filter((_, at) => !isContext(command.options[at])),
  ].filter((place) => place !== undefined);
}

function isContext(option: Option | undefined): boolean {
  return option?.field !== undefined && option.field in contextFlags;
}

function ofArgument(
  session: Session,
  command: Command,
  input: ManualInput,
  arg: Argument,
): IdPlace | undefined {
  const kind = arg.kind && catalogue[arg.kind];
  if (kind === undefined || arg.asTyped) return undefined;
  const { name, field, variadic } = arg;
  const typed = texts(input.args[name]);
  const needed = arg.required || isMissingParent(session, command, field);
  const rest = { field, parameter: parameterOf(command, field, kind), typed, variadic, needed };
  return { kind, taker: arg, place: `<${name}>`, from: 'args', key: name, ...rest };
}

function ofOption(
  session: Session,
  command: Command,
  input: ManualInput,
  option: Option,
): IdPlace | undefined {
  const kind = option.kind && catalogue[option.kind];
  if (kind === undefined || option.asTyped) return undefined;
  const { name, field, variadic, required } = option;
  const typed = texts(input.options[camel(name)]);
  const inBody = required && input.options.input === undefined;
  const needed = isContext(option) ? isMissingParent(session, command, field) : inBody;
  const parameter = isContext(option) ? field : undefined;
  const rest = { field, parameter, typed, variadic, needed };
  return { kind, taker: option, place: `--${name}`, from: 'options', key: camel(name), ...rest };
}

/** Whether every request of the command needs this parent, and nothing else names it. */
function isMissingParent({ settings }: Session, command: Command, field: string | undefined): boolean {
  if (field === undefined || command.spec === undefined || !(field in contextFlags)) return false;
  const flag = contextFlags[field as keyof typeof contextFlags];
  const known = flag !== 'change-request' && settings[flag] !== undefined;
  return !known && command.operations.every((op) => pathParameters(op.path).includes(field));
}

function parameterOf(command: Command, field: string | undefined, kind: Kind): string | undefined {
  if (command.spec === undefined) return kind.parameter;
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
 */
export function mayBeTitle(
  { interactive, globals }: Session,
  kind: Kind,
  text: string,
  { emails }: TakesIds = {},
): boolean {
  if (isAddress(text)) return true;
  if (emails && text.includes('@')) return false;
  if (kind.selfNamed && canBeId(text)) return false;
  if (globals.byTitle === true) return true;
  return interactive && !isSource(text) && !isSurelyId(text);
}

/** Parents that settings may name. */
export type ContextName = 'org' | 'space' | 'site';

const words = { org: 'an organization', space: 'a space', site: 'a site' } as const;

/** The error for a parent that nothing names: the ways to name it, or to sign in, which comes first. */
export function missingContext({ settings }: Session, name: ContextName | 'change-request'): DocsError {
  if (settings.baseUrl === undefined) return signedOut(settings);
  if (name === 'change-request') {
    const message = 'This command needs a change request. Pass --change-request.';
    return usageError('missing_change_request', message, { hint: 'docs change-requests list' });
  }
  const ways = `Pass --${name}, set DOCS_${name.toUpperCase()}, or save a default.`;
  const hint = `docs config set ${name} <id>`;
  return usageError(`missing_${name}`, `This command needs ${words[name]}. ${ways}`, { hint });
}
