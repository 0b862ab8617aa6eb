import { type Static, Type } from '../api/type.js';
import { closed, forecast, maybe, oneOf, text } from '../output/printed-shapes.js';

/** What `--json-report` writes. */

const status = Type.Integer({ description: 'HTTP status' });

export const RehearsalShape = closed({
  command: Type.Array(text, { description: 'What was rehearsed, with its words' }),
  exitCode: Type.Integer({ description: 'Of the command' }),
  organization: closed({ id: text, title: text }),
  origin: Type.String({ description: 'The platform that the copy is of' }),
  source: oneOf('platform', 'backup'),
  backup: Type.Optional(Type.String({ description: 'Folder of the backup' })),
  plan: Type.Optional(Type.String({ description: 'File of the plan, which docs apply takes' })),
  requests: Type.Array(closed({ method: text, path: text, status }), {
    description: 'All requests but reads, as the copy got them, in order; a ping among them changes nothing',
  }),
  changes: Type.Array(
    closed({
      action: oneOf('create', 'update', 'delete', 'other'),
      kind: Type.Optional(oneOf('page', 'file')),
      operation: Type.Optional(
        Type.String({ description: 'Of the request that made it, else of the last that changed it' }),
      ),
      id: text,
      title: maybe,
      in: Type.Optional(Type.String({ description: 'Title of the team, space or site that it is in' })),
      method: text,
      path: text,
      fields: Type.Optional(
        Type.Record(
          text,
          closed({ before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) }),
          { description: 'What differs; absent where the platform shows no resource for it' },
        ),
      ),
    }),
    {
      description:
        'Resources that changed, each once: as it was before the first request and as it is after the last',
    },
  ),
  failed: Type.Array(closed({ method: text, path: text, status }), {
    description: 'Requests among them that the copy refused',
  }),
  reads: Type.Array(closed({ method: text, path: text, status }), {
    description: 'What was read of the platform; empty with --from',
  }),
  watched: oneOf('all', 'copy'),
  elsewhere: Type.Array(closed({ job: text, command: text }), {
    description:
      'Jobs that docs ran on this machine in the meantime, and not on the copy: by a script, or by somebody else',
  }),
  calls: closed({
    changes: Type.Integer(),
    reads: Type.Integer({ description: 'Reads of the command itself' }),
    total: Type.Integer({ description: 'Requests that the command sends to the platform' }),
    limit: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Requests in a minute, as the platform told; null where it did not',
    }),
    seconds: Type.Union([Type.Number(), Type.Null()], {
      description: 'Least time at that limit; null where it is not known',
    }),
  }),
  undo: closed({
    exact: Type.Integer(),
    'best-effort': Type.Integer(),
    none: Type.Integer(),
    items: Type.Array(closed({ command: text, id: text, ...forecast })),
  }),
  gaps: Type.Array(text, { description: 'What the copy could not take over' }),
  next: Type.Optional(Type.String({ description: 'The command that makes these changes' })),
});

export type Rehearsed = Static<typeof RehearsalShape>;
