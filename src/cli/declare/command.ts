import type { Static, TSchema } from '@sinclair/typebox';
import type { AnyOperation, Operation, PathParameters, Result } from '../../api/operation.js';
import type { ExitName } from '../../base/errors.js';
import type { Column, View } from '../../output/printer.js';
import type { Applies } from './applies.js';
import type { Consequence } from './consequence.js';
import type { Example, Examples } from './examples.js';
import type { Governed } from './governed.js';
import type { Guard } from './guard.js';
import type { ActsHere } from './of-machine.js';
import type { ReadPages } from './reads.js';
import type { RunLine } from './run-line.js';
import type { Says } from './says.js';
import type { Session } from './session.js';
import type { Argument, ArgumentSpec, FlagChange, Option } from './takers.js';
import type { Watched } from './watched.js';

export type { Argument, FlagChange, Option, Parse, TakesIds } from './takers.js';

/** What a person types: the declarations of groups, commands, positionals and flags. */

/**
 * How much a command can harm. `read` changes nothing; `change` can be set back with the same command;
 * `confirm` cannot be undone, or not easily, and asks first; `type-title` asks for the title or id.
 */
export type Danger = 'read' | 'change' | 'confirm' | 'type-title';

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
  /** Reads the list where the platform's own leaves something out. */
  pages?: () => Promise<ReadPages>;
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
export interface ManualSpec<R extends TSchema = TSchema> extends AnySpec, ActsHere, Governed {
  summary: string;
  /** Positionals in order: `<profile>`, `[key]`, `<id...>`, each with its description. */
  args?: Readonly<Record<`<${string}>` | `[${string}]`, string | ArgumentSpec>>;
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

/** What was typed, by name. */
export interface ManualInput {
  args: Readonly<Record<string, string | string[] | undefined>>;
  options: Readonly<Record<string, unknown>>;
  /** Texts are what they say, as in the rows of a file: `@file` and `-` read nothing. */
  literal?: boolean;
  /** Whether the many ids of a positional came from a file or standard input. */
  fromList?: true;
  /** Titles by id, of what was named by its title or chosen from a list; sanitised. */
  titles?: Readonly<Record<string, string>>;
  /** The positionals whose values were chosen from a list: a person saw them, and may have pressed Enter too soon. */
  chosen?: readonly string[];
  /** The group it stands in, and the group's words after `docs`. */
  group?: Group;
  groupPath?: string;
}

export interface Command extends ActsHere, Governed {
  name: string;
  aliases: readonly string[];
  summary: string;
  why?: string;
  guide?: string;
  args: readonly Argument[];
  options: readonly Option[];
  operations: readonly AnyOperation[];
  /** What its guard reads. */
  reads?: readonly AnyOperation[];
  examples: readonly Example[];
  danger: Danger;
  local?: boolean;
  tolerant?: boolean;
  anyRequest?: boolean;
  passThrough?: boolean;
  formats?: readonly string[];
  asks?: true;
  unpaged?: true;
  applies?: () => Promise<Applies>;
  /** What it prints beside the answer of its operations; of a hand-written command, all. */
  returns?: TSchema;
  view?: View;
  exits: readonly ExitName[];
  watch?: Watched;
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

/** A group in the root help: what is needed before it is loaded. */
export interface GroupEntry extends Pick<Group, 'name' | 'aliases' | 'summary'> {
  /** Heading in the root help. */
  topic: Topic;
  hidden?: boolean;
  load(): Promise<Group | Command>;
}

export const topics = ['Sign in', 'People', 'Content', 'Publishing', 'Tools'] as const;
export type Topic = (typeof topics)[number];

/** Tells a group from a command, whole or in outline. */
export function isGroup<Node extends object>(entry: Node): entry is Extract<Node, { commands: unknown }> {
  return 'commands' in entry;
}

/** The key under which the parser keeps a flag: `--email-domain` is `emailDomain`. */
export function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
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
