import type { Argument } from '../cli/declare/command.js';
import type { OptionOutline } from '../cli/declare/outline.js';
import type { Walk } from '../cli/parse/walk.js';
import { type ResourceKind, resourceKindOf, resourceKinds } from '../cli/resolve/resource-kinds.js';
import { type Completion, nothing, startingWith } from './candidate.js';
import type { IdSource } from './ids.js';

/** What may stand as the value of a flag or as a positional. */

/** Gives what needs more than the declarations; each is loaded only when it is asked for. */
export interface ValueSources {
  ids: IdSource;
  profiles(): Promise<readonly string[]>;
  /** The dotted paths that `--fields` knows for a command. */
  fields(place: Walk): Promise<readonly string[]>;
}

const filePlaceholders: readonly string[] = ['<file>', '<file|->'];

/** The value of a flag. */
export async function optionValues(
  option: OptionOutline,
  typed: string,
  place: Walk,
  sources: ValueSources,
): Promise<Completion> {
  const fromFile = fileAfterAt(typed);
  if (fromFile !== undefined) return fromFile;
  if (option.name === 'fields') return listedFields(typed, await sources.fields(place));
  if (option.name === 'profile') return words(typed, await sources.profiles());
  if (option.choices !== undefined) {
    return words(typed, option.nullable && option.closed ? [...option.choices, 'none'] : option.choices);
  }
  if (filePlaceholders.includes(option.value ?? '')) return anyFile(false);
  if (option.value === '<folder>') return anyFile(true);
  if (option.name === 'download') return anyFile(false);
  const kind = resourceKindOf(option, place.command);
  return kind === undefined ? nothing : startingWith(typed, await sources.ids(kind, place));
}

/** A positional. */
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
  const kind = resourceKindOf(argument) ?? kindNamed(argument, place);
  if (kind === undefined) return nothing;
  const given = new Set(place.args);
  const ids = await sources.ids(kind, place);
  // Of many ids none is wanted twice.
  return startingWith(
    typed,
    ids.filter(({ word }) => !given.has(word)),
  );
}

/** An `<id>` behind the name of its kind: `docs open space <id>`. */
function kindNamed(argument: Argument, { args }: Walk): ResourceKind | undefined {
  return argument.name === 'id' ? resourceKinds.find(({ name }) => name === args.at(-1)) : undefined;
}

/** `@path`, also as the value of a pair: `owner=@path`. */
function fileAfterAt(typed: string): Completion | undefined {
  const [before] = /^(?:[^=@]+=)?@/.exec(typed) ?? [];
  return before === undefined ? undefined : { candidates: [], files: { before, foldersOnly: false } };
}

function anyFile(foldersOnly: boolean): Completion {
  return { candidates: [], files: { before: '', foldersOnly } };
}

function words(typed: string, all: readonly string[]): Completion {
  return startingWith(
    typed,
    all.map((word) => ({ word })),
  );
}

/** The last of a list with commas. */
function listedFields(typed: string, known: readonly string[]): Completion {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const taken = new Set(before.split(','));
  const fitting = known.filter((field) => !taken.has(field)).map((field) => ({ word: before + field }));
  return { ...startingWith(typed, fitting), goesOn: true };
}
