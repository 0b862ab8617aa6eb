import { pathParameters } from '../../api/operation-facts.js';
import { type DocsError, usageError } from '../../base/errors.js';
import { canBeId, isSurelyId } from '../../base/ids.js';
import { commandLine, withFlags } from '../../base/shell-word.js';
import { type Resource, resourceOfContext, resources } from '../../model/resources.js';
import {
  type Argument,
  type Command,
  camel,
  type ManualInput,
  type Option,
  type TakesIds,
} from '../declare/command.js';
import { contextFlags } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';

/** The places of a command line where ids of resources stand: what was typed there, and what is missing. */

export interface IdPlace {
  kind: Resource;
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

/** Whether a flag names a parent: `--space`, and not `--space-id` for a space that is added. */
function isContext(option: Option | undefined): boolean {
  const { field = '', name } = option ?? {};
  return field in contextFlags && contextFlags[field as keyof typeof contextFlags] === name;
}

function ofArgument(
  session: Session,
  command: Command,
  input: ManualInput,
  arg: Argument,
): IdPlace | undefined {
  const kind = arg.kind && resources[arg.kind];
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
  const kind = option.kind && resources[option.kind];
  if (kind === undefined || option.asTyped) return undefined;
  const { name, field, variadic, required } = option;
  const typed = texts(input.options[camel(name)]);
  const inBody = required && input.options.input === undefined;
  const isLacking = () => !isExcluded(command, input, option) && isMissingParent(session, command, field);
  const needed = isContext(option) ? isLacking() : inBody;
  const parameter = isContext(option) ? field : undefined;
  const rest = { field, parameter, typed, variadic, needed };
  return { kind, taker: option, place: `--${name}`, from: 'options', key: camel(name), ...rest };
}

/** Whether another flag was given that cannot go with this one: `--all-spaces` instead of `--space`. */
function isExcluded({ options: declared }: Command, { options }: ManualInput, { name }: Option): boolean {
  return declared.some(
    (other) => other.conflicts?.includes(name) && options[camel(other.name)] !== undefined,
  );
}

/** Whether every request of the command needs this parent, and nothing else names it. */
function isMissingParent({ settings }: Session, command: Command, field: string | undefined): boolean {
  if (field === undefined || command.spec === undefined || !(field in contextFlags)) return false;
  const flag = contextFlags[field as keyof typeof contextFlags];
  const known = flag !== 'change-request' && settings[flag] !== undefined;
  return !known && command.operations.every((op) => pathParameters(op.path).includes(field));
}

function parameterOf(command: Command, field: string | undefined, kind: Resource): string | undefined {
  if (command.spec === undefined) return kind.parameter;
  const inPath = command.operations.some((op) => pathParameters(op.path).includes(field ?? ''));
  return inPath ? field : undefined;
}

function texts(typed: unknown): string[] {
  return typed === undefined ? [] : [typed].flat().filter((text) => typeof text === 'string');
}

export function isAddress(text: string): boolean {
  return text.includes('://') && /^https?:\/\//i.test(text);
}

/** `-` or `@file` among many ids: they are read later, and taken as they are. */
export function isSource(text: string): boolean {
  return text === '-' || text.startsWith('@');
}

/** Whether a text is an email and a resource is known by its email: no id has an `@`. */
export function isEmailOf(kind: Resource, text: string): boolean {
  return kind.titles.some((path) => path.endsWith('email')) && /^[^\s@]+@[^\s@]+$/.test(text);
}

/** Whether the ids in a file or on standard input may be emails that have to be looked up. */
export function mayListEmails({ kind, taker, variadic, typed }: IdPlace): boolean {
  const isKnownByEmail = kind.titles.some((path) => path.endsWith('email'));
  return variadic && isKnownByEmail && taker.emails !== true && typed.some(isSource);
}

/**
 * Whether a typed text has to be looked at: an address is always turned into its id, an email into the id of
 * the member; a title is looked up with `--by-title`, and on a terminal where the text may be one.
 */
export function mayBeTitle(
  { attended, globals }: Session,
  kind: Resource,
  text: string,
  { emails }: TakesIds = {},
): boolean {
  if (isAddress(text)) return true;
  if (emails && text.includes('@')) return false;
  if (isEmailOf(kind, text)) return true;
  if (kind.selfNamed && canBeId(text)) return false;
  if (globals.byTitle === true) return true;
  return attended && !isSource(text) && !isSurelyId(text);
}

/** Parents that settings may name. */
export type ContextName = 'org' | 'space' | 'site';

const words = { org: 'an organization', space: 'a space', site: 'a site' } as const;

/**
 * The error for a parent that nothing names: the ways to name it, and the command that lists what it can be. Signing
 * in comes first.
 */
export function missingContext(session: Session, name: ContextName | 'change-request'): DocsError {
  const { signedOut } = session;
  if (signedOut !== undefined) return signedOut;
  const hint = `docs ${resourceOfContext(name).command.words}`;
  if (name === 'change-request') {
    const message = 'this command needs a change request. Pass --change-request.';
    return usageError('missing_change_request', message, { hint });
  }
  const ways = `Pass --${name}, set DOCS_${name.toUpperCase()}, or save a default (docs ${name}s use <${name}>).`;
  return usageError(`missing_${name}`, `this command needs ${words[name]}. ${ways}`, { hint });
}

/**
 * For hand-written commands that name resources in requests of their own: a title was not looked up where nobody is
 * at the terminal, so it is refused before anything is sent.
 * @param place as errors name it: `<space>`, `--space`
 * @param ids as they came out of `resolveIds`
 * @throws DocsError usage `invalid_input`; its hint is the same command with `--by-title`
 */
export function refuseTitles(session: Session, place: string, ids: readonly string[]): void {
  const text = ids.find((id) => !canBeId(id));
  if (text === undefined) return;
  const shown = JSON.stringify(text.slice(0, 100));
  // With the flag everything was looked up: what is left is not a title either, such as a line of a file.
  const isLookedUp = session.globals.byTitle === true;
  const message = isLookedUp
    ? `${place}: ${shown} is not an id`
    : `${place}: ${shown} is not an id; pass an id, or a title with --by-title`;
  const typed = withFlags(session.line, '--by-title');
  const hint = isLookedUp ? undefined : commandLine(typed, session.io.platform);
  throw usageError('invalid_input', message, { hint });
}
