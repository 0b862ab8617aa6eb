import type { Sureness } from '../jobs/rule.js';

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
  /** Lines of the keys that verdicts name; 1 where a key is absent. */
  lines?: { default: number; orgs: number };
}

/** One entry of `allow`, `deny` or `ask`. */
export interface Rule {
  /** As written: `members update role=admin`. */
  text: string;
  /** Line in the file, from 1. */
  line: number;
  /** `read`: every GET, and local commands that write nothing. */
  read?: true;
  /** The words of a command, each literal or `*`; a last `*` stands for one or more words. */
  words: readonly string[];
  /** `role=admin`, `danger=confirm`, `undo=none`: all must match. */
  attributes: readonly { name: string; value: string }[];
}

/** `writes: 20/run`, `deletes: 5/day`. Deletes count as writes, too. */
export interface Budget {
  what: 'writes' | 'deletes';
  most: number;
  per: 'run' | 'hour' | 'day';
  line: number;
}

/** `site:docs`: a kind of resource and its id, title or name in its path. */
export interface Protected {
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
}

/** What is asked of a policy: a command as typed, or one request of it. */
export interface Subject {
  /** Words of the command that was typed: `members offboard`, `api`, `undo`. */
  command: string;
  /** Words of the command that makes this very request: `members update`; undefined for a command as a whole. */
  operation?: string;
  /** `local` writes on this machine only: settings, journals, files of the user. */
  effect: 'read' | 'local' | 'write' | 'delete';
  danger?: 'read' | 'change' | 'confirm' | 'type-title';
  undo?: Sureness;
  /** What will be sent: fields of the body and of the query, nested ones dotted. */
  attributes?: Readonly<Record<string, unknown>>;
  /** Of the request; undefined where none is concerned, null where it cannot be told. */
  organization?: string | null;
  /** Further organizations that it concerns: the target of a transfer. */
  otherOrganizations?: readonly string[];
  /** What its path names, with every name that was found for it. */
  resources?: readonly NamedResource[];
  /** Whether a plan that was approved under every policy that asks for it holds this request. */
  approved?: true;
  /** Of a command as a whole: its requests are what counts, so its name needs no rule; one that denies it holds. */
  carrier?: boolean;
}

/** A resource in the path of a request. */
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
}

export type Verdict =
  | { is: 'allow'; by?: Cause }
  /** @param why a sentence */
  | { is: 'deny'; by: Cause; why: string }
  | { is: 'ask'; by: Cause };
