import type { Static, TSchema } from '@sinclair/typebox';
import type { Client, LooseInput } from '../../api/client.js';
import type { AnyOperation, Operation, PathParameters, Result } from '../../api/operation.js';
import type { DocsError } from '../../base/errors.js';
import type { ExitName } from '../../base/exit-codes.js';
import type { Column, View } from '../../output/printer.js';
import type { LocalEffects } from './local-effects.js';
import type { RunLine, Session } from './session.js';
import type { Argument, FlagChange, Option, ReadPages, TypedWords } from './takers.js';

export type { Argument, FlagChange, Option, Parse, TakesIds } from './takers.js';

/** What a person types: the declarations of groups, commands, positionals and flags. */

/**
 * How much a command can harm. `read` changes nothing; `change` can be set back with the same command;
 * `confirm` cannot be undone, or not easily, and asks first; `type-title` asks for the title or id.
 */
export type Danger = 'read' | 'change' | 'confirm' | 'type-title';

export interface Example {
  /** The arguments after `docs`. */
  run: string;
  does: string;
}

/** Examples as they are declared: what each does, by the arguments after `docs`. */
export type Examples = Readonly<Record<string, string>>;

interface AnySpec {
  name: string;
  /** Default: `ls` for list, `rm` for delete. */
  aliases?: readonly string[];
  /** A sentence or two of why and when. */
  why?: string;
  /** The page of the guide that its help names, and the section of it: `bulk jobs`. Default: that of its group. */
  guide?: string;
  examples: Examples;
  /** Default: from the method; `read` for a hand-written command. */
  danger?: Danger;
  /** What moves in what it reads; gives it `--watch`. */
  watch?: Watched;
}

/**
 * A command over one operation, or over several of which the given path parameters choose.
 * `L` is the key of `listIn`.
 */
export interface OperationSpec<Ops extends OneOrMore<AnyOperation>, L extends string = never>
  extends AnySpec {
  /** The operation. Several: the first whose path parameters are all given is called. */
  operation: Ops;
  /** One line; default: the operation's own. */
  summary?: string;
  /** Positionals in order, each naming the field it fills: `{ userId: '<user...>' }`. */
  args?: { [F in FieldName<EachOf<Ops>>]?: `<${string}>` | `[${string}]` };
  /** Flags that differ from their field; `false` leaves the field to `--input`. Dotted for parts. */
  flags?: Readonly<Record<string, FlagChange | false>>;
  columns?: readonly (ShownPath<Ops, L> | (Column & { path: ShownPath<Ops, L> }))[];
  /** Dotted path of the id that `-o id` prints; default `id`. */
  id?: ShownPath<Ops, L>;
  /** Reads the resource whose title is typed to confirm. */
  titleFrom?: AnyOperation;
  /** What goes with the resource; loaded, and shown, before its title is typed. */
  consequences?: () => Promise<readonly Consequence[]>;
  /** What stands against a change, of one or many; loaded, and asked, before any is sent. */
  guard?: () => Promise<Guard>;
  /** Flags that the guard looks at; kept in plans and journals. The guard is asked again right before a change. */
  guardFlags?: readonly Option[];
  /** What the guard reads; help lists it. */
  guardReads?: readonly AnyOperation[];
  /** The command that lists what its ids name; default: the group's `list`. */
  listedBy?: string;
  /** Reads the list where the platform's own leaves something out: by a flag that takes a value. */
  pages?: { by: string; load(): Promise<ReadPages> };
  /** What somebody who writes its text in an editor should know; English sentences. */
  textNotes?: readonly string[];
  /** What a success is called after many items, and where nothing comes back; default from the operation. */
  done?: string;
  /** What is said after a change on a terminal, where the sentence that follows from all this reads wrong. */
  says?: Says;
  /** Where the items are within a single answer that is a list at heart, such as `organizations`. */
  listIn?: L;
  /**
   * Key under which an item of `listIn` holds items of its own. All are listed, depth first, with their
   * `depth` (0 at the top) as a further field; JSON and YAML keep the tree.
   */
  children?: Keys<Shown<Result<EachOf<Ops>>, L>>;
}

type ShownPath<Ops extends OneOrMore<AnyOperation>, L extends string> = FieldPath<
  EachOf<Shown<Result<EachOf<Ops>>, L>>
>;

/** Dotted paths of what a hand-written command prints; any where its declaration leaves that open. */
type PrintedPath<R extends TSchema> =
  FieldPath<EachOf<Static<R>>> extends never ? string : FieldPath<EachOf<Static<R>>>;

/** A command written by hand. */
export interface ManualSpec<R extends TSchema = TSchema> extends AnySpec {
  summary: string;
  /** Positionals in order: `<profile>`, `[key]`, `<id...>`, each with its description. */
  args?: Readonly<
    Record<`<${string}>` | `[${string}]`, string | Omit<Argument, 'name' | 'required' | 'variadic' | 'field'>>
  >;
  options?: readonly Partial<Option>[];
  /** What `--json` prints: an object, or an array for a list. None where only the platform knows. */
  returns?: R;
  /** Columns of a list, or lines of an object; `run` gets the view that is made of them. */
  columns?: readonly (PrintedPath<R> | (Column & { path: PrintedPath<R> }))[];
  /** Dotted path of the id that `-o id` prints; default `id`. */
  id?: PrintedPath<R>;
  /** What to say on a terminal where a list has no items. */
  empty?: string;
  /** Exit codes beyond those that follow from operations and flags. */
  exits?: readonly ExitName[];
  /** Operations it may call, for the reference. */
  operations?: readonly AnyOperation[];
  passThrough?: boolean;
  /** Needs neither settings nor the platform: works with a broken settings file, too. */
  local?: boolean;
  /** Sends whatever request is typed. */
  anyRequest?: boolean;
  /** Whether its changes can become a plan; default: whether an operation of it changes something. */
  plannable?: boolean;
  /** The flag without which what was typed becomes no plan. */
  plansWith?: string;
  /** What applying a plan of it takes beside sending its requests. */
  applies?: () => Promise<Applies>;
  /** Asks on a terminal, or reads a secret from standard input, so a program cannot run it as it is. */
  asks?: true;
  /** Looks at broken settings itself instead of failing on them. */
  tolerant?: boolean;
  /** Prints as it goes, for as long as that takes, or asks after it printed: no pager is started for it. */
  unpaged?: true;
  /** Values of `-o` that it prints itself. */
  formats?: readonly string[];
  /**
   * It writes on this machine (settings, journals, files and folders of its own), or runs programs there, so that the
   * rule `read` does not allow it. To print into a file that a flag names (`--save-plan`, `--download`) is not meant.
   */
  effect?: 'local';
  /** What that is, and what else it does here, as far as its flags do not tell. */
  here?: LocalEffects;
  /** The flag, or one of the flags, without which it only reads. */
  changesWith?: readonly string[];
  /** Its requests are what counts for a policy, and not its name: it sends those of other commands. */
  carrier?: true;
  /** Needed to find out what is wrong with a policy: runs also while one is invalid. */
  repairs?: true;
  /**
   * No read for an agent, though a policy takes it for one: it seeds a database, serves, starts a browser or shows secrets.
   * That is more than `here` can say, and less than `effect` forbids. A text: the flag without which it does.
   */
  actsHere?: true | (string & {});
  run: Run;
}

/** What a command is given beside what was typed. */
interface Around {
  /** The whole command tree, for commands about commands. */
  groups: readonly GroupEntry[];
  /** The columns and fields that its declaration names. */
  view: View;
  /** Runs another command line. */
  runLine: RunLine;
}

export type Run = (session: Session, input: ManualInput, around: Around) => Promise<unknown>;

/** What was typed, and where. */
export interface ManualInput extends TypedWords {
  /** Texts are what they say, as in the rows of a file: `@file` and `-` read nothing. */
  literal?: boolean;
  /** Whether the many ids of a positional came from a file or standard input. */
  fromList?: true;
  /** Titles by id, of what was named by its title or chosen from a list; sanitised. */
  titles?: Readonly<Record<string, string>>;
  /** The positionals whose values were chosen from a list: a person saw them, and may have pressed Enter too soon. */
  chosen?: readonly string[];
  /** The group it stands in, whole or in outline, and the group's words after `docs`. */
  group?: Pick<LazyGroup, 'noun'> & {
    commands: readonly (Pick<Command, 'name' | 'args' | 'options'> | { name: string })[];
  };
  groupPath?: string;
}

/** What a command is as it was declared by hand; one over operations has none of it but its words. */
type Declared = Omit<
  ManualSpec,
  'args' | 'options' | 'examples' | 'plannable' | 'columns' | 'id' | 'empty' | 'run'
>;

export interface Command extends Declared {
  aliases: readonly string[];
  args: readonly Argument[];
  options: readonly Option[];
  operations: readonly AnyOperation[];
  /** What its guard reads. */
  reads?: readonly AnyOperation[];
  examples: readonly Example[];
  danger: Danger;
  /** What it prints beside the answer of its operations; of a hand-written command, all. */
  returns?: TSchema;
  view?: View;
  exits: readonly ExitName[];
  /** How the answers of its operations are shown, where it comes from a record. */
  views?: readonly View[];
  /** The declaration, for the runner; absent for hand-written commands. */
  spec?: OperationSpec<OneOrMore<AnyOperation>, string>;
  /** Absent where the one pipeline runs it (cli/run). */
  run?: Run;
}

export interface Group {
  name: string;
  aliases?: readonly string[];
  summary: string;
  why?: string;
  /** The page of the guide that the help of its commands names. */
  guide?: string;
  /** What one item is called: `member`. */
  noun?: string;
  /** The command that the name of the group alone runs: `docs plan`, beside `docs plan show`. */
  own?: Command;
  commands: readonly (Command | Group)[];
}

/**
 * A command or group that is loaded when it is named, or with all of its group: its declaration needs what the others of
 * its group do not. It takes nothing, as far as hints name it.
 */
export interface LazyCommand extends Pick<Command, 'name' | 'args' | 'options'> {
  load(): Promise<Command | Group>;
}

/** A group of which some is loaded when it is named. */
export interface LazyGroup extends Omit<Group, 'commands'> {
  commands: readonly (Command | Group | LazyCommand)[];
}

/** A group in the root help: what is needed before it is loaded. */
export interface GroupEntry extends Pick<Group, 'name' | 'aliases' | 'summary'> {
  /** Heading in the root help. */
  topic: Topic;
  /**
   * Other words that lead to it or into it, and the path they stand for. They are shown nowhere, and stay for ever:
   * `trash` for `spaces trash`. Words that begin with another group place it there: `sites sections` for `sections`,
   * whose commands keep their names.
   */
  ways?: Readonly<Record<string, string>> | undefined;
  load(): Promise<Group | Command>;
  /** The same, without what is loaded when it is named. */
  loadPart?(): Promise<LazyGroup | Command>;
  /** What sends the first reads of a command, by its words and what was typed, before it is loaded. */
  ahead?: ((path: string, input: ManualInput) => Promise<Ahead> | undefined) | undefined;
}

/** Sends the reads that a command certainly begins with, where nothing is left to refuse. Never fails. */
export type Ahead = (session: Session, input: ManualInput) => Promise<void>;

export const topics = ['Start', 'People', 'Content', 'Publishing', 'Safe change', 'Automation'] as const;
export type Topic = (typeof topics)[number];

/** Tells a group from a command, whole or in outline. */
export function isGroup<Node extends object>(entry: Node): entry is Extract<Node, { commands: unknown }> {
  return 'commands' in entry;
}

/** The key under which the parser keeps a flag: `--email-domain` is `emailDomain`. */
export function camel(name: string): string {
  if (!name.includes('-')) return name;
  const [first = '', ...others] = name.split('-');
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Names of fields, inferred from the shapes of operations: a declaration cannot name one that does not exist. */

type Keys<T> = T extends object ? Extract<keyof T, string> : never;
type BodyKeys<B> = B extends { static: infer S } ? Keys<S> : never;

/** The names of everything an operation takes. */
type FieldName<Op> =
  Op extends Operation<infer P, infer Q, infer B> ? PathParameters<P> | Keys<Q> | BodyKeys<B> : never;

/** Dotted paths into a result, three names long at most; an array is seen through. */
type FieldPath<T> = T extends object
  ? { [K in Keys<T>]: K | `${K}.${Keys<Inside<T[K]>>}` | DeepPath<K, Inside<T[K]>> }[Keys<T>]
  : never;
type DeepPath<K extends string, T> = { [L in Keys<T>]: `${K}.${L}.${Keys<Inside<T[L & keyof T]>>}` }[Keys<T>];
type Inside<T> = NonNullable<T> extends readonly (infer E)[] ? E : NonNullable<T>;

type OneOrMore<T> = T | readonly [T, ...T[]];
type EachOf<T> = T extends readonly (infer E)[] ? E : T;

/** What is shown: the answer, or an item of the list that stands in it under the key `L`. */
type Shown<T, L extends string> = [L] extends [never] ? T : L extends keyof T ? EachOf<T[L]> : never;

/** What moves in what a command reads, for `--watch`. */
export interface Watched {
  /** Dotted path of the field that moves: of the resource, or of each item of a list. */
  field: string;
  /** Values that still change by themselves, and those that do not. Any other value counts as one that may change. */
  moving: readonly string[];
  /** None: it is watched until Ctrl-C. */
  final?: readonly string[];
  /** The field with the reason of a failure. An item that has it rests, unless its value is a moving one. */
  error?: string;
  /** The list holds what rested long before: only what moved while it was watched can make the command fail. */
  history?: true;
  /** Loads what tells the failure that resting items are, if any of them is one. */
  failure?: () => Promise<FailureOf>;
  /** The kinds of that failure. */
  exits?: readonly ExitName[];
}

/** @param items all that rest, and count */
export type FailureOf = (session: Session, items: readonly unknown[]) => DocsError | undefined;

/** A plan of a command that is about to be applied. */
export interface Application {
  session: Session;
  client: Client;
  /** Its requests, in order. */
  calls: Changes['calls'];
  /** Requests under way at once. */
  concurrency: number;
  /** Absolute path of the evidence that it completes. */
  evidence?: string;
}

/** What happens beside its requests. */
export interface Applying {
  /** Called with the name of the job before the first request is sent. */
  begin?(job: string): Promise<void>;
  /**
   * Called once nothing more is sent.
   * @param isDone whether all requests succeeded
   * @throws DocsError where the effect of requests that all succeeded does not show
   */
  end?(job: string, isDone: boolean): Promise<void>;
}

/**
 * Looks again before a plan of a command is applied: it may have been made long ago, with another token.
 * @throws DocsError why it is refused: nothing was sent
 */
export interface Applies {
  (application: Application): Promise<Applying>;
  /** Whether resuming a job of the command takes the same. */
  resumes?: true;
}

/** All changes of a run, before any is sent. */
export interface Changes {
  session: Session;
  client: Client;
  /** Each with the flags of `guardFlags` that were given for it. */
  calls: readonly {
    op: AnyOperation;
    input: LooseInput;
    id: string;
    flags?: readonly string[] | undefined;
  }[];
}

/** What is confirmed before a change beside what its danger says. */
export interface Caution {
  /** Sentences, shown before the question; none: there is nothing to confirm. */
  risks: readonly string[];
  /** Whether scripts need --yes; otherwise only a terminal asks. */
  needsYes: boolean;
  /** The question, where the usual one says too little; without a question mark. */
  question?: string;
  /** Whether its risks tell what the changes expose, which is then not told again. */
  exposes?: true;
}

/**
 * Looks at changes as a whole: at one, at many and at the rows of a file, and in a dry run, too.
 * @throws DocsError why they are refused, whatever is confirmed; as `Client.call`
 */
export type Guard = (changes: Changes) => Promise<Caution>;

/** A deletion that waits for its confirmation. */
export interface Deletion {
  session: Session;
  client: Client;
  id: string;
  /** The resource as it is now. */
  resource: Readonly<Record<string, unknown>>;
}

/** One thing that goes with a deletion. */
export interface Consequence {
  /** What of an impact it tells, which then is not told again (access/impact): a kind of dependents. */
  tells?: 'site-space' | 'change-request' | 'moved' | 'irreversible';
  /** What it reads, in the plural, for the line that names what was not read in time. */
  reads?: string;
  /** Looks it up: a sentence, or undefined if there is nothing to say. */
  look(deletion: Deletion): Promise<string | undefined>;
}

/** What is said after a change, where the sentence that follows from the declaration would read wrong (VOICE.md, 7). */

/** A change that was made, for the command that says it in its own words. */
export interface DoneChange {
  /** What would be said, without the check mark and a full stop: `Updated team Writers (t1): title`. */
  readonly sentence: string;
  /** What the command is about: `team Writers (t1)`; of many items, `3 teams`. */
  readonly what: string;
  /** How many items were changed at once, where they came as many. */
  readonly count: number | undefined;
  /** A path parameter: `teamId`. */
  path(name: string): string;
  /** What the body that was sent has at a dotted path. Of many items: the first. */
  sent(path: string): unknown;
  /** What the answer has at a dotted path; undefined for many items, and where it has nothing there. */
  answered(path: string): unknown;
  /** The text that the answer has there, cleaned. */
  textOf(path: string): string | undefined;
  /** A resource with its title, where that is known: `space Handbook (s1)`. */
  named(noun: string, id: unknown, title?: unknown): string;
}

/** With a capital letter, as a sentence begins. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The sentence; further lines say what to do next. */
export type Says = (change: DoneChange) => string | readonly (string | undefined)[];
