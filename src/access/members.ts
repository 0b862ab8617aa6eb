import type { RoleFilter } from '../api/resources/members.js';
import { roles, timestamp } from '../api/shapes.js';
import { type Static, Type } from '../api/type.js';
import { asText, defined } from '../base/values.js';
import type { JobItem } from '../jobs/journal.js';
import {
  closed,
  Failure,
  flag,
  forecast,
  maybe,
  oneOf,
  orNull,
  roleText,
  stateOf,
  text,
} from '../output/printed-shapes.js';
import type { Shard } from '../shards/shard.js';

export const reviewFlags = [
  ...(['admin', 'guest', 'disabled', 'inactive', 'never-seen'] as const),
  ...(['no-sso', 'outside', 'only-owner', 'not-read'] as const),
];
export type ReviewFlag = (typeof reviewFlags)[number];

/** What each flag says of a member, as a sentence. */
export const flagMeanings: Readonly<Record<ReviewFlag, string>> = {
  admin: 'Has the organization role admin.',
  guest: 'Has no organization role.',
  disabled: 'Is disabled and cannot sign in.',
  inactive: 'Was not seen for the time above.',
  'never-seen': 'Was never seen.',
  'no-sso': 'Does not sign in with SSO.',
  outside: 'Has an address outside the email domains of the organization.',
  'only-owner': 'Is the only owner of a team.',
  'not-read': 'Has access that could not be read.',
};

const ReviewTeam = closed({
  id: text,
  title: text,
  role: text,
  onlyOwner: Type.Boolean({ description: 'The team has no other owner' }),
});

/** A member in an access review: their access, and flags for what needs attention. */
export const ReviewRow = closed({
  id: text,
  user: closed({ displayName: text, email: maybe }),
  role: orNull(text),
  lastSeenAt: Type.Optional(timestamp),
  joinedAt: timestamp,
  sso: flag,
  disabled: flag,
  flags: Type.Array(oneOf(...reviewFlags)),
  teams: Type.Array(ReviewTeam),
  spaces: Type.Array(closed({ id: text, title: text, role: text })),
  notRead: Type.Array(text, { description: 'Failed reads' }),
  decision: Type.String({ description: 'Empty: for the reviewer to fill in' }),
});
export type ReviewRow = Static<typeof ReviewRow>;

export const reportFormat = 'docs-offboarding/1';

const Person = closed({ id: text, displayName: text, email: maybe });

const Named = closed({ id: text, title: text });

const onlyOwner = Type.Boolean({ description: 'No remaining member owns the team' });
const ChangeRequest = closed({ id: text, number: Type.Number(), subject: text, status: text, space: Named });

export const Held = closed({
  role: orNull(roleText),
  sso: flag,
  disabled: flag,
  joinedAt: timestamp,
  lastSeenAt: Type.Optional(timestamp),
  teams: Type.Array(closed({ id: text, title: text, role: text, onlyOwner })),
  spaces: Type.Array(closed({ id: text, title: text, role: text })),
  changeRequests: Type.Array(ChangeRequest),
});
export type Held = Static<typeof Held>;

export const Unseen = closed({
  what: Type.String({
    description: 'Items that could not be read: `spaces`, `change requests of space Handbook`',
  }),
  id: maybe,
  error: Failure,
});

export interface Unseen {
  what: string;
  id?: string;
  error: Record<string, unknown>;
}

const doings = ['hand over team', 'remove from team', 'remove from organization'] as const;

export const Action = closed({
  item: Type.Integer({ minimum: 0, description: 'Index in the job' }),
  does: oneOf(...doings),
  team: Type.Optional(Named),
  to: Type.Optional(Person),
  method: text,
  path: text,
  body: Type.Optional(Type.Unknown()),
  ...forecast,
  status: stateOf('planned', 'ok', 'failed', 'unknown'),
  at: Type.Optional(timestamp),
  requestId: Type.Optional(Type.String({ description: 'Request id; absent if the answer was lost' })),
  error: Type.Optional(Failure),
});
export type Action = Omit<Static<typeof Action>, 'error'> & { error?: Record<string, unknown> };

export const After = closed({
  at: timestamp,
  member: orNull(Type.Boolean({ description: 'Whether they are still a member; null: not read' })),
  teams: Type.Array(closed({ id: text, title: text, member: orNull(flag), owners: Type.Array(Person) })),
});
export type After = Static<typeof After>;

export const Leaver = closed({
  user: Person,
  before: Held,
  unseen: Type.Array(Unseen),
  warnings: Type.Array(text, { description: 'Ways back in that the offboarding leaves open' }),
  actions: Type.Array(Action),
  after: Type.Optional(After),
});
export type Leaver = Omit<Static<typeof Leaver>, 'actions' | 'unseen'> & {
  actions: Action[];
  unseen: Unseen[];
};

export const Ran = closed({
  profile: text,
  user: Type.Optional(Person),
  why: Type.Optional(Type.String({ description: 'Why the owner of the token is unknown' })),
  account: Type.Optional(Type.String({ description: 'Account on the machine that ran it' })),
});
export type Ran = Static<typeof Ran>;

/** What each member held, what was done, and what was read afterwards: for `--json` and the evidence file. */
export const Offboarding = closed({
  format: Type.Literal(reportFormat),
  state: Type.Unsafe<'planned' | 'begun' | 'incomplete' | 'complete'>({
    enum: ['planned', 'begun', 'incomplete', 'complete'],
    description:
      'planned: a dry run; begun: changes may be under way; incomplete: some failed or are not confirmed; complete',
  }),
  job: Type.Optional(Type.String({ description: 'The job that carries it out' })),
  version: Type.String({ description: 'Version of docs' }),
  platform: Type.String({ description: 'Address of the platform' }),
  organization: Named,
  by: Ran,
  startedAt: timestamp,
  finishedAt: Type.Optional(timestamp),
  people: Type.Array(Leaver),
  files: Type.Optional(closed({ json: text, csv: text })),
});
export type Offboarding = Omit<Static<typeof Offboarding>, 'people'> & { people: Leaver[] };

/** The report with the outcome of each action in the journal. */
export function withOutcomes(report: Offboarding, items: readonly JobItem[], job: string): Offboarding {
  const records = new Map(items.map((record) => [record.change.item, record]));
  const people = report.people.map((leaver) => ({
    ...leaver,
    actions: leaver.actions.map((action) => withOutcome(action, records.get(action.item))),
  }));
  return { ...report, job, people };
}

function withOutcome(action: Action, record: JobItem | undefined): Action {
  if (record === undefined) return action;
  const { state, at, requestId, error } = record;
  const refused = (error as { requestId?: unknown } | undefined)?.requestId;
  const id = requestId ?? asText(refused);
  const { error: _, ...rest } = action;
  const status = state === 'started' ? 'unknown' : state;
  const news = defined({ at, requestId: id, error: state === 'ok' ? undefined : error });
  return { ...rest, status, ...news };
}

/** `admin 2`, `read 57`: how many spaces with each role, from the highest. */
export function countsByRole(spaces: ReviewRow['spaces']): string[] {
  const names = [...new Set<string>([...roles, ...spaces.map(({ role }) => role)])];
  return names.flatMap((name) => {
    const count = spaces.filter(({ role }) => role === name).length;
    return count === 0 ? [] : [`${name} ${count}`];
  });
}

/** `Writers (only owner)`, and without more where they do not own it. */
export function ownedWords({ title, role, onlyOwner }: ReviewRow['teams'][number]): string {
  return role === 'owner' ? `${title} (${onlyOwner ? 'only owner' : 'owner'})` : title;
}

export interface Filter {
  inactive: boolean;
  /** Only members with one of these roles; all where there are none. */
  roles: readonly RoleFilter[];
  noSso: boolean;
  /** Only members of this part. */
  shard?: Shard;
}
