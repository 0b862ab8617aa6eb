import { meant } from '../api/shapes.js';
import { type TProperties, type TSchema, Type } from '../api/type.js';

/** Shapes that several commands print: failures, results of items, and what they are made of. */

export const text = Type.String();
export const flag = Type.Boolean();
export const maybe = Type.Optional(text);
export const oneOf = <const T extends readonly string[]>(...values: T) =>
  Type.Unsafe<T[number]>({ enum: values });
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One of some states. */
export const stateOf = <const T extends readonly string[]>(...values: T) => meant('state', oneOf(...values));
/** A role, as text. */
export const roleText = meant('role', text);

/** A closed object: no field is printed that is not named here. */
export const closed = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

/** `{"id": …, "status": …}` and more. */
export const done = <T extends TProperties>(status: TSchema, more?: T) =>
  closed({ id: text, status, ...(more ?? {}) });

/** What `error.next` holds. */
export const nextCommands = Type.Array(
  closed({
    command: Type.String({ description: 'Complete, to be run as printed' }),
    when: Type.String({ description: 'What it is for' }),
  }),
  { description: 'Commands to run next, the likeliest first; never the one that failed' },
);

/** The error object, on stderr with `--json` (DESIGN.md, "What a person meets"). */
export const Failure = closed({
  code: Type.String({ description: 'Stable name of what happened, such as unknown_flag' }),
  exitCode: Type.Integer({ minimum: 1, maximum: 255 }),
  message: text,
  status: Type.Optional(Type.Integer({ description: 'HTTP status, where an answer came' })),
  method: maybe,
  path: Type.Optional(Type.String({ description: 'Path and query of the request' })),
  requestId: maybe,
  attempts: Type.Optional(Type.Integer({ minimum: 0 })),
  retryable: Type.Boolean({ description: 'Whether the same command may succeed when run again' }),
  outcome: Type.Optional(
    Type.Unsafe<string>({
      enum: ['not-sent', 'refused', 'unknown', 'done'],
      description: "What is known of the request's effect",
    }),
  ),
  hint: Type.Optional(Type.String({ description: 'One command to run next' })),
  next: Type.Optional(nextCommands),
  details: Type.Optional(Type.Object({})),
});

/** What came of one item of many (RELIABILITY.md, "Many items"). */
export const ItemResult = closed({
  index: Type.Integer({ minimum: 0, description: 'Place in the input' }),
  id: text,
  status: stateOf('ok', 'failed', 'unknown', 'skipped'),
  error: Type.Optional(Failure),
});

/** What came of one operation of a plan. */
export const AppliedItem = closed({
  ...ItemResult.properties,
  operation: Type.String({ description: 'Id of the operation in the plan' }),
  item: Type.String({
    description: 'Kind and key, with those of what it is in: memberships/writers/ada@acme.example',
  }),
  kind: text,
  key: Type.String({ description: 'What people call it' }),
  request: Type.Optional(
    closed({
      method: text,
      path: text,
      query: Type.Optional(Type.Unknown()),
      body: Type.Optional(Type.Unknown()),
    }),
  ),
});

/** What a read after an undo shows. */
export const restoring = {
  restored: Type.Optional(
    Type.Unsafe<'whole' | 'part' | 'unknown'>({
      enum: ['whole', 'part', 'unknown'],
      description: 'How much of the state before a read shows after the undo',
    }),
  ),
  notRestored: Type.Optional(Type.String({ description: 'What is not restored, or was not read' })),
};

/** Of a job of the organization as code: what a request is about. */
export const lockedItem = Type.Optional(
  Type.String({ description: 'Item of docs.lock.json, where the job changes one: site-spaces/guides/start' }),
);

/** What came of one item of an undo. */
export const UndoneItem = closed({ ...ItemResult.properties, ...restoring, item: lockedItem });

/** What undo can do about a change, and why not more. */
export const forecast = { undo: oneOf('exact', 'best-effort', 'none'), why: maybe };

/** A request as `--dry-run` shows it; of many requests each with what undo can do. */
export const PreviewedRequest = closed({
  method: text,
  path: Type.String({ description: 'Path and query, encoded' }),
  body: Type.Optional(Type.Unknown()),
  undo: Type.Optional(forecast.undo),
  why: maybe,
});
