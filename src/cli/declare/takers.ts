import type { TSchema } from '@sinclair/typebox';
import type { CallOptions, Client, LooseInput, Page } from '../../api/client.js';
import type { ResourceName } from '../../model/resources.js';
import type { Session } from './session.js';

/** What a command takes: positionals and flags, and how a flag differs from the field that it fills. */

/** What ids of resources a positional or a flag takes. */
export interface TakesIds {
  /** The kind; default: by the field, else by the placeholder. */
  kind?: ResourceName;
  /** Taken as typed: new names, and what no list holds. */
  asTyped?: true;
  /** Whether the platform takes an email for the id of a user. */
  emails?: true;
  /** Further kinds whose ids it takes; one may be written with its kind, `collection:c1`, else it is looked up. */
  otherKinds?: readonly ResourceName[];
}

/** What a positional and a flag have in common. */
export interface Taker extends TakesIds {
  /** Of a flag, the long name without dashes: `email-domain`. */
  name: string;
  required: boolean;
  variadic: boolean;
  description: string;
  /** Values offered in help and completion. */
  choices?: readonly string[];
  /** Whether only the choices are allowed. */
  closed?: boolean;
  /** Stable code of the error for any other value; default `invalid_input`. */
  choiceError?: string;
  /** Dotted path of the operation's field that it fills; none for hand-written commands. */
  field?: string;
  /** Which texts it reads from a file or standard input; `--encoding` is for these. */
  reads?: ReadsText;
  /** A file or a folder of this machine that it names, beside the texts of `reads`. */
  path?: {
    /** What a command does with it; both is `writes`. */
    use: 'reads' | 'writes';
    /** Where it is where the flag is left out, relative to the working directory; none where nothing is used then. */
    usual?: string;
    /** The flag without which it is only read. */
    with?: string;
    /** Written by what the command runs, which is asked about itself. */
    later?: true;
  };
  /** What can be typed, to choose from on a terminal; loaded where it is asked for. */
  offers?: () => Promise<Offers>;
  /** What is wrong with an answer to the question for it, beyond its schema; loaded where it is asked for. */
  check?: () => Promise<Check>;
  /** What completion offers, where neither kind nor choices say it. */
  completes?: Completes;
}

export interface Argument extends Taker {
  /** The positional that names the kind of resource of this one. */
  kindIn?: string;
  /** The kind that each value of that positional stands for; default: what `docs open` opens by that word. */
  kindsOf?: Readonly<Record<string, ResourceName>>;
  /** The command that lists what can be typed, where no kind says so: `jobs list`. */
  listedBy?: string;
}

export interface Option extends Taker {
  /** One letter, without dash. */
  short?: string;
  /**
   * `true`: `--x`; `no`: also `--no-x`; `only-no`: `--no-x` alone; any other text: the pair's second
   * flag, such as `unresolve`.
   */
  boolean?: true | 'no' | 'only-no' | (string & {});
  /** Placeholder of the value, `<role>`; none for booleans. */
  value?: string;
  nullable: boolean;
  default?: unknown;
  /** The limits of the value, as JSON Schema. */
  schema?: TSchema;
  /** Takes `@file` and `-` for long text; `reads` is then `at`. */
  longText?: boolean;
  /** Whether `--editor` opens an editor for it; default: `longText`. */
  edited?: boolean;
  /** The value must be a number; `count`: a whole number of at least 1. */
  number?: true | 'count';
  /** The value is a span of time that something may take: `30s`, `none`. */
  duration?: true;
  /** Names of flags that contradict this one. */
  conflicts?: readonly string[];
  parse?: Parse;
  /** What null is called in a list to choose from; default: none. */
  nullName?: string;
  /**
   * How requests are sent: what is typed for `docs mcp serve` holds for every call. `owner`: as whom, to where, and
   * with which trust, which a caller must not choose.
   */
  sets?: 'owner' | 'anyone';
  /** Names that it had before: accepted for ever, and shown nowhere. */
  formerly?: readonly string[];
  /** Accepted for ever, and shown nowhere: another flag does it now. */
  hidden?: true;
  /** Names the file that gets what the command prints. */
  receives?: true;
  /** Many commands take it, with one meaning: help folds it, and `docs help flags` explains it. */
  standing?: true;
  /** Reads or prints a secret, which is for the person at the terminal alone. */
  secret?: true;
}

/**
 * Turns what was typed (one text, or all of a repeated flag) into the value that is sent.
 * @param read reads a file, relative to the working folder, or `-` for standard input
 * @throws Error whose message goes on after the flag's name: `must be user=role`
 */
export type Parse = (typed: string | string[], read: (source: string) => Promise<string>) => unknown;

/** What a command may say of a flag that a field declares. */
type Changeable =
  | keyof TakesIds
  | 'name'
  | 'value'
  | 'description'
  | 'longText'
  | 'edited'
  | 'variadic'
  | 'parse'
  | 'offers'
  | 'check'
  | 'reads'
  | 'nullName';

/** Where a flag differs from what its field says. */
export interface FlagChange extends Partial<Pick<Option, Changeable>> {
  /** Second flag of a boolean pair, instead of `no-…`; false: there is none. */
  pair?: string | false;
  /** Another flag that fills the same field in another way; both together contradict each other. */
  or?: FlagChange;
}

/** How declarations say what is read. */

/**
 * How a value names a text that is read: it is the path itself, or `-`; `@file` or `-` in place of the value;
 * `name=@file`; a path, unless it is a URL; or a path, `@path` or `-`, unless it is a JSON object.
 */
type ReadsText = 'path' | 'at' | 'pair' | 'unless-url' | 'unless-json';

/** Reads the pages of a list; gives undefined where these are the platform's own. */
export type ReadPages = (
  client: Client,
  input: LooseInput,
  options: CallOptions,
) => AsyncIterable<Page<unknown>> | undefined;

/** How declarations say what a person is asked with, where a positional or a flag is missing on a terminal. */

/** What was typed, by name. */
export interface TypedWords {
  args: Readonly<Record<string, string | string[] | undefined>>;
  options: Readonly<Record<string, unknown>>;
}

/** One of the values to choose from. */
export interface Offer {
  value: string;
  /** What is listed; sanitised where it is shown. */
  name: string;
  /** What tells it from another of the same name; listed behind the name, and never cut. */
  id?: string;
  /** Shown below the list while it is under the cursor. */
  description?: string;
  /** Whether it is in force now, and so under the cursor. */
  current?: boolean;
}

/**
 * Lists the values, the likeliest first.
 * @returns none where there is nothing to choose from: `none` then says so; undefined where a text is typed instead
 */
export interface Offers {
  list(session: Session, input: TypedWords): Promise<readonly Offer[] | undefined>;
  /** The sentence for an empty list: `No deleted spaces to restore.` */
  none: string;
}

/** Throws the error that the command would throw for a typed text. */
export type Check = (typed: string, session: Session, input: TypedWords) => unknown;

/** What completion offers for a positional or a flag, where neither its kind nor its choices say it. */

/** What this machine knows without the platform. */
export type CompletedHere =
  | 'aliases'
  | 'jobs'
  | 'undoable-jobs'
  | 'unfinished-jobs'
  | 'unsettled-jobs'
  | 'unsettled-items'
  | 'job-items';

/** `commands`: a whole command line of docs; `bulk-commands`: commands that can be run for many rows. */
export type Completes = CompletedHere | 'commands' | 'bulk-commands' | 'setting-value';
