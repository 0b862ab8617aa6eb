import { type Static, type TSchema, Type } from '../api/type.js';
import { Via } from '../jobs/actor.js';
import type { JobChange, LockChange, LockEntry, Take } from '../jobs/change.js';
import type { State } from '../jobs/state.js';

/** The file of a plan, for `docs commands schema plan`, and with it the types of plans (plan.ts). */

/** Guards that applying a plan would break: each is a finding with this code, so that a saved plan carries it. */
export const guardCode = 'guarded';

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

/** What the journal line of an undo, or of a change that is read again, holds besides the request. */
export interface PlanLineRest
  extends Pick<
    JobChange,
    'undoes' | 'covers' | 'sealed' | 'restores' | 'confirms' | 'proves' | 'waitMs' | 'flags'
  > {
  /** The operation that it completes. */
  partOf?: string;
  /** Where former ids in `reads.state`, `lock`, `covers` and `restores` stand for what an undo makes anew. */
  takes?: readonly Take[];
}

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in hexadecimal' });
const Id = Type.String({ pattern: '^o[1-9][0-9]*$', description: 'Id of an operation of the plan: o1' });
const Values = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const List = <T extends TSchema>(items: T, description: string) =>
  Type.Unsafe<readonly Static<T>[]>(Type.Array(items, { description }));

const LockEntrySchema = Type.Unsafe<LockEntry>(
  Type.Object({
    id: Type.Unknown({
      description: 'The id on the platform; {"$from", "path"} where an operation makes it',
    }),
    applied: Type.Record(Type.String(), Type.String(), {
      description: 'By field: the hash of the value applied last',
    }),
  }),
);

const LockChangeSchema = Type.Unsafe<LockChange>(
  Type.Object({
    item: Type.String({ description: 'Key of the entry: teams/writers' }),
    to: Type.Union([LockEntrySchema, Type.Null()], { description: 'The entry afterwards; null removes it' }),
    from: Type.Optional(
      Type.Union([LockEntrySchema, Type.Null()], { description: 'The entry before, which undo brings back' }),
    ),
  }),
);

const Reads = Type.Object(
  {
    paths: List(Type.String(), 'Where it is read'),
    item: Type.Optional(Type.String({ description: 'The item of a list' })),
    fields: List(Type.String(), 'The fields that must be as they were'),
    hash: Hash,
    state: Type.Optional(
      Type.Unsafe<State>(
        Type.Union([Values('The values of the fields'), Type.Null()], {
          description: 'null if nothing must be there; values of the environment as sha256:…',
        }),
      ),
    ),
    order: Type.Optional(
      List(
        Type.Object({
          of: Type.String({ description: 'The id that is meant' }),
          ids: List(Type.String(), 'Siblings in the required order'),
        }),
        'For a move: the required order of siblings',
      ),
    ),
  },
  {
    description:
      'State that the operation is based on; the operation is stale if a read shows something else',
  },
);

const Request = Type.Object({
  operation: Type.String({ description: 'Id of the operation of the platform: teams.update' }),
  method: Type.String(),
  path: Type.String({ description: '{o3.id} is the item that operation o3 creates' }),
  parameters: Values('Parameters of the path, by name'),
  query: Type.Optional(Values('Parameters of the query')),
  body: Type.Optional(
    Type.Unknown({
      description:
        '{"$from", "path"} is an id that an operation creates, {"$env", "fingerprint", "salt"} for the value of an environment variable, {"$body"} for a file beside the plan',
    }),
  ),
});

const Rest = Type.Unsafe<PlanLineRest>(
  Type.Object({
    undoes: Type.Optional(Type.Number({ description: 'Index of the item that it undoes, in its job' })),
    covers: Type.Optional(Type.Unknown({ description: 'Further items of that job that it undoes, too' })),
    sealed: Type.Optional(List(Type.String(), 'Fields whose values came from the environment')),
    partOf: Type.Optional(Id),
    restores: Type.Optional(Type.Unknown({ description: 'State that a read must show afterwards' })),
    confirms: Type.Optional(
      Type.Literal(true, { description: 'It is done only once a read shows the state that it asks for' }),
    ),
    proves: Type.Optional(
      Type.Array(Type.Unknown(), {
        description: 'For a read: the state it must show before later requests are sent',
      }),
    ),
    waitMs: Type.Optional(
      Type.Number({
        description: 'Maximum time to wait until the platform shows the changes, in milliseconds',
      }),
    ),
    flags: Type.Optional(List(Type.String(), 'Flags of its command that decide whether it may be sent')),
    takes: Type.Optional(
      List(
        Type.Object({
          from: Id,
          into: List(Type.String(), 'The keys of its place'),
          path: Type.Optional(Type.String()),
        }),
        'Values it takes from earlier operations, beside its request',
      ),
    ),
  }),
);

const Operation = Type.Object({
  id: Id,
  kind: Type.String({ description: 'Kind: teams' }),
  key: Type.String({ description: 'Title or name' }),
  action: Type.Unsafe<Action>(Type.Union(actions.map((action) => Type.Literal(action)))),
  fields: Type.Record(
    Type.String(),
    Type.Object({ before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) }),
    { description: 'Each field that changes' },
  ),
  request: Type.Optional(Request),
  after: Type.Optional(List(Id, 'Operations that must succeed first')),
  undo: Type.Union([Type.Literal('exact'), Type.Literal('best-effort'), Type.Literal('none')]),
  why: Type.Optional(Type.String({ description: 'Why undo is not exact, or its conditions' })),
  risk: Type.Optional(Type.String()),
  reads: Type.Optional(Reads),
  finding: Type.Optional(
    Type.Object({ code: Type.String(), message: Type.String(), hint: Type.Optional(Type.String()) }),
  ),
  job: Type.Optional(Rest),
  lock: Type.Optional(LockChangeSchema),
});

const Note = Type.Object({
  code: Type.String(),
  item: Type.String({ description: 'Item: memberships/writers/ada@acme.example' }),
  message: Type.String(),
  hint: Type.Optional(Type.String()),
  count: Type.Optional(Type.Number({ description: 'Number of items, if counted' })),
});

const Impact = Type.Object(
  {
    links: Type.Number({ description: 'Links from other spaces' }),
    urls: Type.Number({ description: 'Published addresses that stop working or become others' }),
    people: Type.Number({ description: 'People whose role in a space changes, or may change' }),
    dependents: Type.Record(Type.String(), Type.Number(), {
      description: 'Items that depend on it, by kind',
    }),
    unknown: Type.Number({ description: 'Items that could not be read' }),
  },
  { description: 'Effects of the whole plan elsewhere, if looked up' },
);

export const PlanSchema = Type.Object(
  {
    plan: Type.Literal(planVersion, { description: 'Version of the format' }),
    id: Type.String({ pattern: '^p-[0-9a-f]+$' }),
    hash: Hash,
    madeAt: Type.String({ description: 'ISO 8601' }),
    version: Type.String({ description: 'Version of docs' }),
    origin: Type.String({ description: 'Base URL of the platform' }),
    profile: Type.String(),
    organization: Type.Optional(Type.String()),
    title: Type.Optional(Type.String({ description: 'Title of the organization' })),
    folder: Type.Optional(
      Type.String({ description: 'Folder of the organization as code, as it was typed' }),
    ),
    command: Type.String(),
    line: List(Type.String(), 'The command line, without secrets'),
    by: Type.Union([
      Type.Object({
        id: Type.String(),
        email: Type.Optional(Type.String()),
        kind: Type.Optional(
          Type.Union([Type.Literal('agent'), Type.Literal('ci')], {
            description: 'Program that acted for the account; absent for a person',
          }),
        ),
        client: Type.Optional(Type.String({ description: 'The agent, with its version if it says so' })),
        via: Type.Optional(Via),
      }),
      Type.Literal('unknown'),
    ]),
    counts: Type.Unsafe<Partial<Record<Action, number>>>(
      Type.Partial(Type.Object(Object.fromEntries(actions.map((action) => [action, Type.Number()])))),
    ),
    risks: List(Type.String(), 'Sentences about the whole'),
    impact: Type.Optional(Impact),
    notes: Type.Optional(List(Note, 'Unchanged items, although the files may suggest a change')),
    lock: Type.Optional(List(LockChangeSchema, 'Further changes of the lock file')),
    evidence: Type.Optional(Type.String({ description: 'Absolute path of an evidence file' })),
    undoes: Type.Optional(Type.String({ description: 'The job that it undoes' })),
    operations: List(Operation, 'In the order of sending; operations without requests come last'),
  },
  { $id: 'docs-plan', title: 'A plan of docs, version 1' },
);

/** What `docs plan show --json` tells of approvals. */
export const ShownApprovals = Type.Object(
  {
    approved: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether it is approved under every policy in force that requires it; null if none does',
    }),
    by: List(Type.String(), 'Valid approvals: emails, or git:<commit>'),
    given: List(
      Type.Object({
        email: Type.String(),
        when: Type.String({ description: 'ISO 8601' }),
        host: Type.String(),
        key: Type.String({ description: 'Fingerprint: SHA256:…' }),
        holds: Type.Union([Type.Boolean(), Type.Null()], { description: 'null if no policy requires one' }),
        why: Type.Optional(Type.String({ description: 'Why it is not valid' })),
      }),
      'Every approval in <plan>.approvals',
    ),
    missing: List(Type.String(), 'Missing approvals, as sentences'),
  },
  { description: 'Present if a policy requires an approval, or someone gave one' },
);
