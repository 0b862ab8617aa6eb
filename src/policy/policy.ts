import type { Exposure } from '../api/exposes.js';
import type { Outgoing, TransportRequest, TransportResponse } from '../api/transport.js';
import type { Change } from '../jobs/change.js';
import type { Sureness } from '../jobs/rule.js';
import type { Plan } from '../plans/plan.js';
import type { Counts } from './effects.js';

/** A policy: which commands and requests may run (AGENTS-AND-POLICY.md, "Policy"). Types only. */

/** A policy file, read and valid. */
export interface Policy {
  /** Absolute path. */
  file: string;
  /** SHA-256 of its bytes, in hex. */
  hash: string;
  /** What happens to what no rule names. */
  default: 'deny' | 'allow';
  allow: readonly Rule[];
  deny: readonly Rule[];
  ask: readonly Rule[];
  budget: readonly Budget[];
  /** Ids of the organizations that may be touched; undefined: all. */
  orgs?: readonly string[];
  protect: readonly Protected[];
  approve?: Approve;
  /** The folder of its audit chain, ledgers and claims, absolute; undefined for the state folder of the user. */
  state?: string;
  /** Lines of the keys that verdicts name; 1 where a key is absent. */
  lines?: { default: number; orgs: number; state?: number };
}

/** One entry of `allow`, `deny` or `ask`. */
export interface Rule {
  /** As written: `members update role=admin`. */
  text: string;
  /** Line in the file, from 1. */
  line: number;
  /** `read`: every GET, and what writes nothing here but new files below the working folder. */
  read?: true;
  /** `files`, `programs`: an effect on this machine, of whatever command. */
  local?: LocalWord;
  /** The words of a command, each literal or `*`; a last `*` stands for one or more words. */
  words: readonly string[];
  /** `role=admin`, `danger=confirm`, `undo=none`: all must match. */
  attributes: readonly { name: string; value: string }[];
}

/**
 * Effects on this machine that a rule can name: `files` that are replaced or stand elsewhere, and directories; `programs`
 * that the caller or the environment names.
 */
export type LocalWord = (typeof localWords)[number];
export const localWords = ['files', 'programs'] as const;

/** `writes: 20/run`, `deletes: 5/day`. Deletes count as writes, too. */
export interface Budget {
  what: 'writes' | 'deletes';
  most: number;
  per: 'run' | 'hour' | 'day';
  line: number;
}

/** `site:docs`: a kind of resource and its id, title or name in its path. */
export interface Protected {
  /** As written. */
  text: string;
  kind: string;
  name: string;
  line: number;
}

/** Who may approve a plan, and how. */
export interface Approve {
  line: number;
  /** Keys in OpenSSH form: `ssh-ed25519 AAAA…`. */
  by?: readonly { email: string; key: string }[];
  /** A plan that was merged: its blob is on this branch of this remote. */
  git?: { remote: string; branch: string };
  /** Milliseconds. */
  validMs: number;
  /** Whether only an approval counts whose giver saw the plan rehearsed on a copy. */
  rehearse?: true;
  /** Whether a person may not approve what an agent made with their account. */
  fourEyes?: true;
}

/** What is asked of a policy: a command as typed, or one request of it. */
export interface Subject {
  /** Words of the command that was typed: `members offboard`, `api`, `undo`. */
  command: string;
  /** Words of the command that makes this very request: `members update`; undefined for a command as a whole. */
  operation?: string;
  /** `local` writes on this machine only: settings, journals, files of the user. */
  effect: 'read' | 'local' | 'write' | 'delete';
  /** Of a `local` one that is no more than these: they allow it as its name does. */
  local?: readonly LocalWord[];
  danger?: 'read' | 'change' | 'confirm' | 'type-title';
  undo?: Sureness;
  /** What it widens at most; of a request only. */
  exposes?: readonly Exposure[];
  /** What will be sent: fields of the body and of the query, nested ones dotted. */
  attributes?: Readonly<Record<string, unknown>>;
  /** Of the request; undefined where none is concerned, null where it cannot be told. */
  organization?: string | null;
  /** Further organizations that it concerns: the target of a transfer. */
  otherOrganizations?: readonly string[];
  /** What it writes or removes, with every name that was found for it. */
  resources?: readonly NamedResource[];
  /** Whether a plan that was approved under every policy that asks for it holds this request. */
  approved?: true;
  /** Of a command as a whole: its requests are what counts, so its name needs no rule; one that denies it holds. */
  carrier?: boolean;
}

/** A resource that a request writes or removes. */
export interface NamedResource {
  kind: string;
  /** Its id, and its titles where they were read. */
  names: readonly string[];
  /** Whether its titles could not be read, so that it may be a protected one. */
  untold?: true;
}

/** What decided. */
export interface Cause {
  file: string;
  line: number;
  /** The rule as written, or `default: deny`, `orgs`, `protect site:docs`, `budget writes: 20/run`. */
  rule: string;
}

/** A policy that wants an approval, and the first of its rules that does. */
export interface Asking {
  policy: Policy;
  by: Cause;
  /** All that it wants one for. */
  asked(): readonly Asked[];
}

/** What a policy wants an approval for: `docs spaces delete`, `DELETE /v1/spaces/x`. */
export interface Asked {
  what: string;
  by: Cause;
}

export type Verdict =
  | { is: 'allow'; by?: Cause }
  /** @param why a sentence */
  | { is: 'deny'; by: Cause; why: string }
  | { is: 'ask'; by: Cause };

/** What a policy denies of a plan. */
export interface Denied {
  /** `docs spaces delete`, `DELETE /v1/spaces/x`. */
  what: string;
  /** A sentence without its full stop. */
  why: string;
  by: Cause;
}

type Danger = NonNullable<Subject['danger']>;

/** What rules can name, made of the command tree by the shell: this room knows no commands. */
export interface CommandTable {
  /** The words of every command after `docs`: `members update`. */
  commands: readonly string[];
  /** Words of a rule as commands are called today: those of a policy from before keep their meaning. */
  present(words: readonly string[]): readonly string[];
  /** By id of the operation, the one command that is made of it. */
  operations: ReadonlyMap<string, OperationCommand>;
}

export interface OperationCommand {
  words: string;
  danger: Danger;
}

/** What stands between a command and what it does. A session without a policy has none. */
export interface Gate {
  readonly policies: readonly Policy[];
  /** The folders that they name for what they count on; sorted. */
  readonly places: readonly string[];
  /**
   * Before the first byte of a command: refuses what can be allowed for no input. The first is the one that was
   * typed; a further one is what it runs.
   * @throws DocsError forbidden `policy_denied` (exit 5)
   */
  command(command: GatedCommand): Promise<void>;
  /**
   * Before the first request of a job: refuses it where one of its requests is denied or asks for an approval,
   * and reserves the budget for all of them.
   * @param use.command words of the command whose job it is, where it is not the one that was typed
   * @param use.approved whether the requests are those of a plan that was approved under every policy that asks
   * @throws DocsError forbidden `policy_denied`
   */
  job(requests: readonly Change[], use?: { approved?: boolean; command?: string }): Promise<void>;
  /**
   * Each request, in the transport. A write that no job has reserved counts here.
   * @throws DocsError `policy_denied`
   */
  request(request: Outgoing): Promise<void>;
  /** The verdict on one request, for `docs policy test` and for plans; nothing is reserved. */
  verdict(request: Change): Promise<Verdict>;
  /** The same on the requests of one job, of which some can make it impossible to undo others. */
  verdicts(requests: readonly Change[]): Promise<readonly Verdict[]>;
  /** What requests cost, with what goes along with what they delete; reads as protected titles are read. */
  counts(requests: readonly Change[]): Promise<Counts>;
  /** The verdict on an effect on this machine of the command that runs; `new-file`: below the working folder. */
  local(effect: LocalWord | 'new-file'): Verdict;
  /** @param what that effect: `replacing out.json` @throws DocsError forbidden `policy_denied` */
  holdLocal(effect: LocalWord | 'new-file', what: string, instead?: string): Promise<void>;
  /** The policies that want an approval of a plan before it is applied; reads nothing from the platform. */
  asking(plan: Plan): Promise<readonly Asking[]>;
  /**
   * What the policies deny of the changes of a plan, with whatever approval; nothing is reserved or recorded.
   * @param command words of the command that made it
   */
  review(changes: readonly Change[], command: string): Promise<readonly Denied[]>;
  /** Gives back what was reserved and not sent. */
  close(): Promise<void>;
}

export type Send = (request: TransportRequest) => Promise<TransportResponse>;

/** What of a command matters to a policy. */
export interface GatedCommand {
  /** Its words after `docs`. */
  words: string;
  /** Whether it sends anything beside reads: false with `--dry-run` and `--save-plan`. */
  changes: boolean;
  effect: 'read' | 'local' | 'write' | 'delete';
  /** As of `Subject`. */
  local?: readonly LocalWord[];
  danger: 'read' | 'change' | 'confirm' | 'type-title';
  /** Whether its requests are what counts, and not its name: `api`, `apply`, `undo`, `jobs resume`, `bulk`. */
  carrier: boolean;
}
