import { closed, flag, maybe, oneOf, text, timestamp } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import { Actor } from '../../jobs/actor.js';
import type { TrailRequest } from '../../jobs/trail.js';

/** The lines of the audit chain and what is found in it, as they are printed; the types of both follow. */

export const chainEvents = [
  'chain-begun',
  'journal-found',
  'job-begun',
  'job-resumed',
  'settled',
  'job-ended',
  'journal-pruned',
  'discarded',
  'denied',
  'approved',
  'refused',
  'torn',
] as const;

/** Why a plan was not applied, or not approved. */
export interface Refused {
  code: string;
  message: string;
}

const counts = closed({
  ok: Type.Integer(),
  failed: Type.Integer(),
  unknown: Type.Integer(),
  left: Type.Integer(),
});
const cause = closed({ file: text, line: Type.Integer(), rule: text });

export const AuditEvent = closed({
  seq: Type.Integer({ minimum: 1, description: 'Place in the chain' }),
  at: timestamp,
  event: oneOf(...chainEvents),
  actor: Type.Optional(Actor),
  detail: Type.String({ description: 'Result, in words' }),
  job: maybe,
  command: maybe,
  org: maybe,
  plan: maybe,
  requests: Type.Optional(
    Type.Unsafe<readonly TrailRequest[]>(
      Type.Array(closed({ method: text, path: text, body: Type.Optional(Type.Unknown()) }), {
        description: 'Requests of the plan',
      }),
    ),
  ),
  undoes: Type.Optional(Type.String({ description: 'The job that it undoes' })),
  item: Type.Optional(Type.Integer({ description: 'Index of the item that was settled by hand' })),
  counts: Type.Optional(counts),
  sha256: Type.Optional(
    Type.String({ description: 'SHA-256 of the journal, or of the part that a crash left' }),
  ),
  interrupted: Type.Optional(flag),
  missing: Type.Optional(flag),
  request: maybe,
  cause: Type.Optional(cause),
  hash: Type.Optional(Type.String({ description: 'Hash of the plan that was approved or refused' })),
  approver: Type.Optional(Type.String({ description: 'Who approved the plan' })),
  key: Type.Optional(Type.String({ description: 'Fingerprint of the key that signed' })),
  reasons: Type.Optional(
    Type.Unsafe<readonly Refused[]>(
      Type.Array(closed({ code: text, message: text }), { description: 'Why the plan was refused' }),
    ),
  ),
  uid: Type.Optional(Type.Integer({ description: 'User id of the account that wrote the line' })),
  journals: Type.Optional(Type.String({ description: 'Directory of the journal' })),
  bytes: Type.Optional(Type.Integer()),
  place: Type.Optional(
    Type.String({ description: 'Directory of its chain, if several were read; not in the chain itself' }),
  ),
  prev: Type.String({ description: 'SHA-256 of the line before' }),
});

export const AuditFinding = closed({
  is: oneOf(
    'line-removed',
    'line-changed',
    'line-added',
    'journal-changed',
    'journal-removed',
    'journal-unrecorded',
    'chain-removed',
    'head-unknown',
    'plan-applied-twice',
    'claim-changed',
    'chain-missing',
  ),
  line: Type.Optional(
    Type.Integer({ minimum: 1, description: 'In the file; for a removed line, its former place' }),
  ),
  seq: Type.Optional(Type.Integer({ minimum: 0, description: 'Place in the chain' })),
  job: maybe,
  place: Type.Optional(Type.String({ description: 'Directory of its chain, if several were read' })),
  message: text,
});
