import {
  closed,
  flag,
  type Meaning,
  maybe,
  meaning,
  meant,
  oneOf,
  type Referred,
  referred,
  text,
} from '../api/shapes.js';
import { type TProperties, type TSchema, Type } from '../api/type.js';

type Meant = TSchema & { [meaning]?: Meaning; [referred]?: Referred };

/** What a view knows of a shape. */
export interface Paths {
  /** All dotted paths, parents before parts. */
  fields: string[];
  /** Prefixes under which any key may come. */
  open: string[];
  /** By path, what its values mean, where the shape says it. */
  kinds: Record<string, Meaning>;
  /** By path, the kind of resource whose id it holds, where the shape says it. */
  refs: Record<string, Referred>;
}

/** The paths of a shape. Arrays are seen through; recursive shapes are followed once. */
export function fieldPaths(schema: TSchema, prefix = ''): Paths {
  const fields: string[] = [];
  const open: string[] = [];
  const kinds: Record<string, Meaning> = {};
  const refs: Record<string, Referred> = {};
  for (const [key, part] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>)) {
    const path = prefix + key;
    fields.push(path);
    const core = inside(part);
    const kind = (part as Meant)[meaning] ?? (core as Meant)[meaning];
    if (kind !== undefined) kinds[path] = kind;
    const refersTo = (part as Meant)[referred] ?? (core as Meant)[referred];
    if (refersTo !== undefined) refs[path] = refersTo;
    if (core.properties !== undefined && path.split('.').length < 5) {
      const inner = fieldPaths(core, `${path}.`);
      fields.push(...inner.fields);
      open.push(...inner.open);
      Object.assign(kinds, inner.kinds);
      Object.assign(refs, inner.refs);
    } else if (holdsAnyKey(core)) {
      open.push(path);
    }
  }
  return { fields, open, kinds, refs };
}

/** The shape itself: without null as a second branch, and of an array, that of its elements. */
function inside(schema: TSchema): TSchema {
  const branches = (schema.anyOf as TSchema[] | undefined)?.filter((branch) => branch.type !== 'null');
  const core = branches?.length === 1 ? (branches[0] as TSchema) : schema;
  return core.type === 'array' ? inside(core.items as TSchema) : core;
}

/** Whether a value may have keys that the declaration does not name: a map, any value, one of several shapes. */
function holdsAnyKey({ anyOf, type, enum: values, $ref }: TSchema): boolean {
  if (anyOf !== undefined) return (anyOf as TSchema[]).some(holdsAnyKey);
  return type === 'object' || (type === undefined && values === undefined && $ref === undefined);
}

/** Shapes that several commands print: failures, results of items, and what they are made of. */

export { closed, flag, maybe, oneOf, text };

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One of some states. */
export const stateOf = <const T extends readonly string[]>(...values: T) => meant('state', oneOf(...values));
/** A role, as text. */
export const roleText = meant('role', text);

/** `{"id": …, "status": …}` and more. */
export const done = <T extends TProperties>(status: TSchema, more?: T) =>
  closed({ id: text, status, ...(more ?? {}) });

/** What `error.next` holds. */
export const nextCommands = Type.Array(
  closed({
    command: Type.String({ description: 'Complete, to be run as printed' }),
    when: Type.String({ description: 'Purpose' }),
  }),
  { description: 'Commands to run next, the likeliest first; never the one that failed' },
);

/** The error object, on stderr with `--json` (DESIGN.md, "What a person meets"). */
export const Failure = closed({
  code: Type.String({ description: 'Stable name of the error, such as unknown_flag' }),
  exitCode: Type.Integer({ minimum: 1, maximum: 255 }),
  message: text,
  status: Type.Optional(Type.Integer({ description: 'HTTP status, if there was a response' })),
  method: maybe,
  path: Type.Optional(Type.String({ description: 'Path and query of the request' })),
  requestId: maybe,
  attempts: Type.Optional(Type.Integer({ minimum: 0 })),
  retryable: Type.Boolean({ description: 'Whether the same command may succeed when run again' }),
  outcome: Type.Optional(
    Type.Unsafe<string>({
      enum: ['not-sent', 'refused', 'unknown', 'done'],
      description: 'Known effect of the request',
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
    description: 'Kind and key, after those of its parents: memberships/writers/ada@acme.example',
  }),
  kind: text,
  key: Type.String({ description: 'Title or name' }),
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
  notRestored: Type.Optional(Type.String({ description: 'Items that are not restored, or were not read' })),
};

/** Of a job of the organization as code: what a request is about. */
export const lockedItem = Type.Optional(
  Type.String({ description: 'Item of docs.lock.json, if the job changes one: site-spaces/guides/start' }),
);

/** What came of one item of an undo. */
export const UndoneItem = closed({ ...ItemResult.properties, ...restoring, item: lockedItem });

/** What undo can do about a change, and why not more. */
export const forecast = { undo: oneOf('exact', 'best-effort', 'none'), why: maybe };

/**
 * Why a change request waits for a member. The most urgent first: others wait for an answer, then what stands in the
 * way, then what can be done any time.
 */
export const inboxReasons = ['unanswered', 'outdated', 'ready', 'to-review', 'draft'] as const;

/** A request as `--dry-run` shows it; of many requests each with what undo can do. */
export const PreviewedRequest = closed({
  method: text,
  path: Type.String({ description: 'Path and query, encoded' }),
  body: Type.Optional(Type.Unknown()),
  undo: Type.Optional(forecast.undo),
  why: maybe,
});
