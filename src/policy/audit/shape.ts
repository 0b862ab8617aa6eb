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
  'torn',
] as const;

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
  detail: Type.String({ description: 'What came of it, in words' }),
  job: maybe,
  command: maybe,
  org: maybe,
  plan: maybe,
  requests: Type.Optional(
    Type.Unsafe<readonly TrailRequest[]>(
      Type.Array(closed({ method: text, path: text, body: Type.Optional(Type.Unknown()) }), {
        description: 'What the plan sends',
      }),
    ),
  ),
  undoes: Type.Optional(Type.String({ description: 'The job that it undoes' })),
  item: Type.Optional(Type.Integer({ description: 'Index of the item that was settled by hand' })),
  counts: Type.Optional(counts),
  sha256: Type.Optional(Type.String({ description: 'SHA-256 of the journal, or of what a crash left' })),
  interrupted: Type.Optional(flag),
  missing: Type.Optional(flag),
  request: maybe,
  cause: Type.Optional(cause),
  bytes: Type.Optional(Type.Integer()),
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
  ),
  line: Type.Optional(
    Type.Integer({ minimum: 1, description: 'In the file; of a removed line, where it was' }),
  ),
  seq: Type.Optional(Type.Integer({ minimum: 0, description: 'Place in the chain' })),
  job: maybe,
  message: text,
});
