import type { TSchema } from '@sinclair/typebox';
import type { ResourceName } from '../../model/resources.js';
import type { Completes } from './completes.js';
import type { OfOwner, TakesPath } from './of-machine.js';
import type { Check, Offers } from './offers.js';
import type { ReadsText } from './reads.js';

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
interface Taker extends TakesIds, TakesPath {
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

/** A positional of a hand-written command. */
export type ArgumentSpec = Omit<Argument, 'name' | 'required' | 'variadic' | 'field'>;

export interface Option extends Taker, OfOwner {
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
}

/**
 * Turns what was typed (one text, or all of a repeated flag) into the value that is sent.
 * @param read reads a file, relative to the working folder, or `-` for standard input
 * @throws Error whose message goes on after the flag's name: `must be user=role`
 */
export type Parse = (typed: string | string[], read: (source: string) => Promise<string>) => unknown;

/** Where a flag differs from what its field says. */
export interface FlagChange extends TakesIds {
  name?: string;
  value?: string;
  description?: string;
  /** Second flag of a boolean pair, instead of `no-…`; false: there is none. */
  pair?: string | false;
  longText?: boolean;
  edited?: boolean;
  variadic?: boolean;
  parse?: Parse;
  offers?: () => Promise<Offers>;
  check?: () => Promise<Check>;
  /** Which texts `parse` reads. */
  reads?: ReadsText;
  nullName?: string;
  /** Another flag that fills the same field in another way; both together contradict each other. */
  or?: FlagChange;
}
