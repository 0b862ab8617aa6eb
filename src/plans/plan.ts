import type { FromEnvironment } from '../jobs/environment.js';
import type { LockChange, LockEntry, Order, PlanLine } from '../jobs/journal.js';
import type { Take } from '../jobs/references.js';
import type { PlannedRequest } from '../jobs/request.js';
import type { Sureness } from '../jobs/rule.js';
import type { State } from '../jobs/state.js';

/**
 * A plan: what will be sent, made once, shown, applied once (PLANS.md, 1). In memory it is as in its file, but
 * for bodies that stand beside the file.
 */

/** Version of the file format. */
export const planVersion = 1;

export const actions = [
  'create',
  'update',
  'move',
  'link',
  'delete',
  'verify',
  'drift',
  'withheld',
  'finding',
] as const;
export type Action = (typeof actions)[number];

export interface Plan extends PlanHead {
  /** In the order in which they are sent; findings and what is withheld come last. */
  operations: readonly PlanOperation[];
}

export interface PlanHead {
  plan: typeof planVersion;
  id: string;
  /** SHA-256 of all else in canonical JSON, with the hashes of the bodies beside it. */
  hash: string;
  /** ISO 8601. */
  madeAt: string;
  /** Of the program. */
  version: string;
  /** As in the header of a journal. */
  origin: string;
  profile: string;
  organization?: string;
  /** What people call the organization, where that was read. */
  title?: string;
  /** Of the organization as code: the folder as it was typed, whose lock applying the plan changes. */
  folder?: string;
  /** Words of the command without ids and flags: `members update`. */
  command: string;
  /** As it was typed, without secrets. */
  line: readonly string[];
  /** Who made it, where sign-in found that out. */
  by: Maker | 'unknown';
  /** Number of operations by action; actions without any are left out. */
  counts: Readonly<Partial<Record<Action, number>>>;
  /** Sentences about the whole plan: what a guard or a confirmation would say. */
  risks: readonly string[];
  /** How much the whole plan would break elsewhere; absent where that was not looked up. */
  impact?: PlanImpact;
  /** What readers should know although no operation is planned for it; absent if there is nothing. */
  notes?: readonly PlanNote[];
  /** Of the organization as code: what applying it does to the lock beside its operations. */
  lock?: readonly LockChange[];
  /** The evidence file of an offboarding, absolute. */
  evidence?: string;
  /** The job that it undoes. */
  undoes?: string;
}

/** What `docs impact` counts, over all deletions, moves, transfers and renames of a plan. */
export interface PlanImpact {
  /** Links from other spaces. */
  links: number;
  /** Published addresses that stop working or become others. */
  urls: number;
  /** People whose role in a space changes, or may change. */
  people: number;
  /** What else rests on it, by kind. */
  dependents: Readonly<Record<string, number>>;
  /** What could not be looked at. */
  unknown: number;
}

/** Something that a plan leaves as it is, although a reader of the files may expect a change. */
export interface PlanNote {
  code: string;
  /** What it is about: `memberships/writers/ada@acme.example`. */
  item: string;
  message: string;
  hint?: string;
  /** How many there are, where that is counted. */
  count?: number;
}

export interface Maker {
  id: string;
  email?: string;
}

export type { FromEnvironment, LockChange, LockEntry };

/**
 * An operation as its maker has it, before anything is read for it. The first of a plan is `o1`, the next `o2`; those
 * that send nothing come last.
 */
export interface Draft
  extends Partial<
    Pick<PlanOperation, 'kind' | 'key' | 'action' | 'fields' | 'after' | 'risk' | 'finding' | 'job' | 'lock'>
  > {
  /** Absent for findings and for what is withheld. Its path and body may have references. */
  request?: PlannedRequest;
  /** The state that it must find, where its maker knows that. */
  expect?: State;
}

export interface PlanOperation {
  /** Unique in the plan: `o1`, `o2`, … */
  id: string;
  /** What it is about, in the plural: `teams`, `people`; of a command the resource of its operation. */
  kind: string;
  /** What people call it: `writers`, an email, an id. */
  key: string;
  action: Action;
  /** Each field that changes, by name; `before` is absent where it is unknown or is created. */
  fields: Readonly<Record<string, { before?: unknown; after?: unknown }>>;
  /** Absent for findings and for what is withheld. */
  request?: PlanRequest;
  /** Operations that must succeed first. */
  after?: readonly string[];
  undo: Sureness;
  why?: string;
  /** A sentence, where people should look twice. */
  risk?: string;
  /** The state it depends on; the operation is stale if a read shows anything else. */
  reads?: PlanReads;
  /** For findings and withheld operations: the reason, and what to do. */
  finding?: { code: string; message: string; hint?: string };
  /** What else its journal line holds. */
  job?: PlanLineRest;
  lock?: LockChange;
}

export interface PlanRequest {
  /** Id of the declared operation: `teams.update`. */
  operation: string;
  method: string;
  /** `/v1/orgs/o/teams/t`; `{o3.id}` stands for what operation o3 makes. */
  path: string;
  /** The parameters of the path, of the query, and the body; each value may be a `Reference` or a `FromEnvironment`. */
  parameters: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** What the journal line of an undo, or of a change that is read again, holds besides the request. */
export interface PlanLineRest
  extends Pick<
    PlanLine,
    'undoes' | 'covers' | 'sealed' | 'restores' | 'confirms' | 'proves' | 'waitMs' | 'flags'
  > {
  /** The operation that it completes. */
  partOf?: string;
  /** Where former ids in `reads.state`, `lock`, `covers` and `restores` stand for what an undo makes anew. */
  takes?: readonly Take[];
}

export interface PlanReads {
  /** Where it is read: `/v1/orgs/o/teams/t`. */
  paths: readonly string[];
  /** The item of a list. */
  item?: string;
  fields: readonly string[];
  /** SHA-256 of the normalized values of the fields; absence counts as null. */
  hash: string;
  /** The values, to tell then and now; those that come from the environment as salted hashes: `sha256:…`. */
  state?: State;
  /** Of a move, in place of its neighbours: the order of siblings, as far as the move rests on it. */
  order?: readonly Order[];
}
