import type { Argument } from '../cli/declare/command.js';
import type { OptionOutline } from '../cli/declare/outline.js';
import type { Walk } from '../cli/parse/walk.js';
import { catalogue, type Kind, kinds } from '../cli/resolve/catalogue.js';
import { type Completion, files, nothing, startingWith } from './candidate.js';
import type { IdSource } from './ids.js';

/** Values that the declarations do not contain; each source is loaded on first use. */
export interface ValueSources {
  ids: IdSource;
  profiles(): Promise<readonly string[]>;
  /** The dotted paths that `--fields` knows for a command. */
  fields(place: Walk): Promise<readonly string[]>;
}

/** Completes the value of a flag. */
export async function optionValues(
  option: OptionOutline,
  typed: string,
  place: Walk,
  sources: ValueSources,
): Promise<Completion> {
  const { name, choices, nullable, closed, value = '', kind } = option;
  const fromFile = fileAfterAt(typed);
  if (fromFile !== undefined) return fromFile;
  if (name === 'fields') return listedFields(typed, await sources.fields(place));
  if (name === 'profile') return words(typed, await sources.profiles());
  if (choices !== undefined) return words(typed, nullable && closed ? [...choices, 'none'] : choices);
  if (['<file>', '<file|->'].includes(value) || name === 'download') return files('');
  if (value === '<folder>') return files('', true);
  return kind === undefined ? nothing : startingWith(typed, await sources.ids(catalogue[kind], place));
}

/** Positionals that are paths. */
const pathArguments: readonly string[] = ['file', 'folder', 'plan'];

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
  if (argument.field === undefined && pathArguments.includes(argument.name))
    return files('', argument.name === 'folder');
  const kind = argument.kind === undefined ? kindNamed(argument, place) : catalogue[argument.kind];
  if (kind === undefined) return nothing;
  const ids = await sources.ids(kind, place);
  const open = ids.filter(({ word }) => !place.args.includes(word));
  return startingWith(typed, open);
}

/** The kind of an `<id>` after the name of its kind: `docs open space <id>`. */
function kindNamed({ kindIn, kindsOf, variadic }: Argument, { args }: Walk): Kind | undefined {
  if (kindIn === undefined) return undefined;
  const word = variadic ? args[0] : args.at(-1);
  const named = kindsOf?.[word ?? ''];
  if (kindsOf !== undefined) return named === undefined ? undefined : catalogue[named];
  return kinds.find(({ opens }) => opens === word);
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

/** Completes the last item of a comma-separated list. */
function listedFields(typed: string, known: readonly string[]): Completion {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const taken = new Set(before.split(','));
  const fitting = known.filter((field) => !taken.has(field)).map((field) => ({ word: before + field }));
  return { ...startingWith(typed, fitting), goesOn: true };
}
