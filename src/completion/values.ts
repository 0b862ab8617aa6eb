import type { Argument } from '../cli/declare/command.js';
import { globalOptions } from '../cli/declare/global-options.js';
import type { OptionOutline } from '../cli/declare/outline.js';
import type { CompletedHere, Completes } from '../cli/declare/takers.js';
import type { Walk } from '../cli/parse/walk.js';
import { namedResources, type Resource, resources } from '../model/resources.js';
import { type Candidate, type Completion, files, namedBy, nothing, startingWith } from './candidate.js';
import type { IdSource } from './ids.js';

/** Values that the declarations do not contain; each source is loaded on first use. */
export interface ValueSources {
  ids: IdSource;
  profiles(): Promise<readonly string[]>;
  /** The dotted paths that `--fields` knows for a command. */
  fields(place: Walk): Promise<readonly string[]>;
  /** Aliases of the settings file that can be typed, and what they stand for. */
  aliases(): Promise<ReadonlyMap<string, string>>;
  /** What this machine knows: jobs and their items. */
  offered(offer: CompletedHere, place: Walk): Promise<readonly Candidate[]>;
}

/** Completes the value of a flag. */
export async function optionValues(
  option: OptionOutline,
  typed: string,
  place: Walk,
  sources: ValueSources,
): Promise<Completion> {
  const { name, choices, nullable, closed, value = '', kind, completes } = option;
  const fromFile = fileAfterAt(typed);
  if (fromFile !== undefined) return fromFile;
  if (name === 'sort-by') return sortKeys(typed, await sources.fields(place));
  if (name === 'fields') return listedFields(typed, await sources.fields(place));
  if (name === 'profile') return words(typed, await sources.profiles());
  if (isLocal(completes)) return startingWith(typed, await sources.offered(completes, place));
  const path = pathOf(option, value.replace(/^[<[]|[>\]]$/g, ''));
  if (choices !== undefined) {
    const listed = words(typed, nullable && closed ? [...choices, 'none'] : choices);
    return { ...path, ...listed };
  }
  if (path !== undefined) return path;
  return kind === undefined ? nothing : namedBy(typed, await sources.ids(resources[kind], place));
}

/** What is offered from elsewhere than this machine. */
const elsewhere: readonly Completes[] = ['commands', 'bulk-commands', 'setting-value'];

/** Whether this machine knows what is offered. */
function isLocal(completes: Completes | undefined): completes is CompletedHere {
  return completes !== undefined && !elsewhere.includes(completes);
}

/** Placeholders of paths whose declaration does not say more. */
const pathNames: readonly string[] = ['file', 'file|-', 'path', 'plan'];

/** Files or folders, where the value is a path: by its declaration, else by its placeholder. */
function pathOf({ path, reads, field }: Pick<OptionOutline, 'path' | 'reads' | 'field'>, name: string) {
  const isFolder = name === 'folder' || name === 'backup';
  const declared =
    path !== undefined || reads === 'path' || reads === 'unless-url' || reads === 'unless-json';
  if (declared || (field === undefined && (isFolder || pathNames.includes(name)))) return files('', isFolder);
  return undefined;
}

/** Completes a positional. */
export async function argumentValues(
  argument: Argument,
  typed: string,
  place: Walk,
  sources: ValueSources,
): Promise<Completion> {
  const fromFile = fileAfterAt(typed);
  if (fromFile !== undefined) return fromFile;
  if (argument.choices !== undefined) return words(typed, argument.choices);
  if (argument.name === 'profile') return words(typed, await sources.profiles());
  if (argument.completes === 'setting-value') return settingValue(typed, place, sources);
  if (isLocal(argument.completes))
    return startingWith(typed, await sources.offered(argument.completes, place));
  const path = pathOf(argument, argument.name);
  if (path !== undefined) return path;
  const kind = kindOf(argument, place);
  if (kind === undefined) return nothing;
  const ids = await sources.ids(kind, place);
  const open = ids.filter(({ word }) => !place.args.includes(word));
  return namedBy(typed, open);
}

/** The value of a setting, as the flag of its name takes it: `docs config set output json`. */
async function settingValue(typed: string, place: Walk, sources: ValueSources): Promise<Completion> {
  const [key = ''] = place.args;
  const flag = globalOptions.find(({ name }) => name === key);
  if (flag !== undefined) return optionValues(flag, typed, place, sources);
  const kind = namedResources.find(({ printed }) => printed.argument === key);
  if (kind !== undefined) return namedBy(typed, await sources.ids(kind, place));
  return key === 'journal' ? words(typed, ['on', 'off']) : nothing;
}

/** The kind of an `<id>`; it may be named before: `docs open space <id>`. */
function kindOf(argument: Argument, { args }: Walk): Resource | undefined {
  const { kind, kindIn, kindsOf, variadic } = argument;
  if (kind === undefined && kindIn === undefined) return undefined;
  if (kind !== undefined) return resources[kind];
  const word = variadic ? args[0] : args.at(-1);
  const named = kindsOf?.[word ?? ''];
  if (kindsOf !== undefined) return named === undefined ? undefined : resources[named];
  return namedResources.find(({ opens }) => opens === word);
}

/** Completes `@path`, also as the value of a pair: `owner=@path`. */
function fileAfterAt(typed: string): Completion | undefined {
  const [before] = /^(?:[^=@]+=)?@/.exec(typed) ?? [];
  return before === undefined ? undefined : files(before);
}

function words(typed: string, all: readonly string[]): Completion {
  const candidates = all.map((word) => ({ word }));
  return startingWith(typed, candidates);
}

/** Completes the last key of a sorting, then its direction: `role,id:desc`. */
function sortKeys(typed: string, known: readonly string[]): Completion {
  const [field] = /^(?:.*,)?[^,:]+:/s.exec(typed) ?? [];
  if (field !== undefined && !typed.slice(field.length).includes(','))
    return words(typed, [`${field}asc`, `${field}desc`]);
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const names = known.map((name) => before + name);
  return { ...words(typed, names), goesOn: true };
}

/** Completes the last item of a comma-separated list. */
function listedFields(typed: string, known: readonly string[]): Completion {
  // A field may be added or dropped: `+email,-joined`.
  const [before = ''] = /^(?:.*,)?[+-]?/s.exec(typed) ?? [];
  const taken = new Set(before.split(',').map((field) => field.replace(/^[+-]/, '')));
  const fitting = known.filter((field) => !taken.has(field)).map((field) => ({ word: before + field }));
  return { ...startingWith(typed, fitting), goesOn: true };
}
