import { certificateStates } from '../../access/certificate.js';
import { type Static, Type } from '../../api/type.js';
import {
  closed,
  Failure,
  flag,
  maybe,
  oneOf,
  orNull,
  roleText,
  stateOf,
  text,
} from '../../output/printed-shapes.js';

/** What `docs sso readiness` says: for programs as one object, else its rows. */

/**
 * - `email-mismatch`: in the identity provider under another email, by another address or by the name
 * - `not-in-idp`: nobody there is
 * - `unknown`: the platform does not tell the email
 * - `to-link`: can be linked
 * - `disabled`: on the platform or in the identity provider, and not linked
 * - `not-in-organization`: in the identity provider, and not a member
 */
export const rowStatuses = [
  ...(['email-mismatch', 'not-in-idp', 'unknown', 'to-link', 'disabled', 'linked'] as const),
  'not-in-organization',
] as const;
export type RowStatus = (typeof rowStatuses)[number];

export const rowFlags = [
  ...(['admin', 'guest', 'break-glass', 'disabled', 'disabled-in-idp', 'not-in-idp'] as const),
  ...(['email-mismatch', 'case-differs', 'outside-domains'] as const),
] as const;
export type RowFlag = (typeof rowFlags)[number];

const count = Type.Integer({ minimum: 0 });
const Match = closed({
  email: text,
  name: maybe,
  line: Type.Integer({ description: 'Line of the file' }),
  why: Type.Array(oneOf('alias', 'name')),
});
export type Match = Static<typeof Match>;

export const ReadinessRow = closed({
  status: stateOf(...rowStatuses),
  id: Type.Optional(Type.String({ description: 'Of the member; absent for people who are not members' })),
  email: maybe,
  name: maybe,
  role: Type.Optional(orNull(roleText)),
  sso: Type.Optional(flag),
  flags: Type.Array(oneOf(...rowFlags)),
  line: Type.Optional(Type.Integer({ description: 'Line of the file with this email' })),
  matches: Type.Array(Match, { description: 'Who has this email as another address, or this name' }),
});
export type ReadinessRow = Static<typeof ReadinessRow>;

const Certificate = closed({
  state: stateOf(...certificateStates),
  validFrom: maybe,
  expiresAt: maybe,
  days: Type.Optional(Type.Integer({ description: 'Days until it expires; negative once it did' })),
});

const Provider = closed({
  id: text,
  label: text,
  startURL: text,
  ssoURL: orNull(text),
  entityID: orNull(text),
  certificate: Certificate,
  broken: Type.Array(text, { description: 'Why sign-in through it fails' }),
  warnings: Type.Array(text),
});

const Issue = closed({
  code: text,
  message: text,
  members: Type.Optional(
    Type.Array(closed({ id: text, email: maybe }), {
      description: 'Of a blocker; of a warning, see the rows',
    }),
  ),
});
export type Issue = Static<typeof Issue>;

export const Readiness = closed({
  organization: closed({ id: text, title: text }),
  enforced: Type.Union([flag, Type.Null()], { description: 'Whether SSO is enforced; null if unknown' }),
  ready: Type.Boolean({ description: 'Nothing blocks enforcement, and everything was read' }),
  counts: closed({
    members: count,
    admins: count,
    guests: count,
    linked: count,
    toLink: count,
    emailMismatch: count,
    notInIdp: count,
    disabled: count,
    unknown: count,
    notInOrganization: count,
    breakGlass: count,
    outsideDomains: count,
  }),
  providers: Type.Union([Type.Array(Provider), Type.Null()], { description: 'null if not read' }),
  idp: Type.Union([
    closed({
      column: Type.String({ description: 'The column with the email' }),
      people: count,
      duplicates: Type.Array(closed({ email: text, lines: Type.Array(Type.Integer()) })),
      withoutEmail: Type.Array(Type.Integer(), { description: 'Lines without an email' }),
      unknownStates: Type.Array(closed({ value: text, lines: count })),
    }),
    Type.Null(),
  ]),
  blockers: Type.Array(Issue),
  warnings: Type.Array(Issue),
  unread: Type.Array(closed({ what: text, error: Failure })),
  rows: Type.Array(ReadinessRow),
});
export type Readiness = Omit<Static<typeof Readiness>, 'unread'> & {
  unread: { what: string; error: Record<string, unknown> }[];
};

/** Members of a batch of `docs sso link`. */
export const usualBatch = 20;
