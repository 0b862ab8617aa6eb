import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox';
import { defined } from '../base/values.js';
import type { Exposes } from './exposes.js';
import type { Role } from './shapes.js';
import { Type } from './type.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an operation returns: one resource, a page of items in the list envelope, or nothing. */
export type Returns =
  | { kind: 'one'; schema: TSchema }
  | { kind: 'page'; item: TSchema; extra?: TObject }
  | { kind: 'none' };

export function one<S extends TSchema>(schema: S) {
  return { kind: 'one', schema } as const;
}

/**
 * Returns pages of items in the list envelope (spec A, "Conventions", 4).
 * @param extra further members of the envelope, such as the `stats` of links
 */
export function page<S extends TSchema>(item: S): { readonly kind: 'page'; readonly item: S };
export function page<S extends TSchema, E extends TObject>(
  item: S,
  extra: E,
): { readonly kind: 'page'; readonly item: S; readonly extra: E };
export function page(item: TSchema, extra?: TObject): Returns {
  return { kind: 'page', item, extra };
}

/** Returns nothing: 204 or 205, never read as JSON. */
export const nothing = { kind: 'none' } as const;

/** The names in braces in a path. */
export type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** An operation of the platform, from which client, commands, sandbox and documentation are derived. */
export interface Operation<
  P extends string = string,
  Q extends TProperties = TProperties,
  B extends TSchema | undefined = TSchema | undefined,
  R extends Returns = Returns,
> {
  /** Stable name, `resource.verb`. */
  readonly id: string;
  readonly method: Method;
  /** Path with `{name}` for each parameter; begins with `/v1`. */
  readonly path: P;
  /** One sentence for help and reference. */
  readonly summary: string;
  /** Query parameters other than `page` and `limit`, which every page operation has. */
  readonly query: TObject<Q>;
  readonly body: B;
  /** The success status; the usual one first if there are several. */
  readonly success: number | readonly [number, ...number[]];
  readonly returns: R;
  /** The lowest role that may call it (platform-facts, "Behaviour of the sandbox"). */
  readonly needs: Role;
  /** What it may widen. Absent: nothing. */
  readonly exposes?: Exposes;
}

/** The names of the fields of a body. */
type BodyField<B> = B extends TObject<infer T> ? Extract<keyof T, string> : never;

/** Any operation, where its types do not matter. */
export type AnyOperation = Operation;

/**
 * Declares an operation; its input and result types are inferred from the declaration.
 * @param declaration.success default: 204 where nothing is returned, else 200
 * @param declaration.needs default: `read` for GET, else `admin`
 */
export function operation<
  const P extends string,
  R extends Returns,
  Q extends TProperties = Record<never, never>,
  B extends TSchema | undefined = undefined,
>(
  id: string,
  method: Method,
  path: P,
  declaration: Partial<Pick<AnyOperation, 'success' | 'needs'>> & {
    summary: string;
    query?: Q;
    body?: B;
    returns: R;
    exposes?: Exposes<BodyField<B>>;
  },
): Operation<P, Q, B, R> {
  const { summary, query, returns, success, needs, exposes } = declaration;
  return {
    id,
    method,
    path,
    summary,
    success: success ?? (returns.kind === 'none' ? 204 : 200),
    returns,
    query: body(query ?? ({} as Q)),
    body: declaration.body as B,
    needs: needs ?? (method === 'GET' ? 'read' : 'admin'),
    ...(exposes && { exposes }),
  };
}

/** A closed object, such as the body of a request: an unknown key is an error, in types and at run time. */
export function body<T extends TProperties>(properties: T, description?: string): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...defined({ description }) });
}

type Empty = Record<never, never>;
type Needed<K extends string, T> = Empty extends T ? { [Key in K]?: T } : { [Key in K]: T };
type Forbidden<K extends string> = { [Key in K]?: undefined };

/** A part without fields is forbidden: an empty object type would accept any key. */
type Fields<K extends string, T> = [keyof T] extends [never] ? Forbidden<K> : Needed<K, T>;
type Paging<R> = R extends { kind: 'page' } ? { page?: string; limit?: number } : Empty;
type Path<P extends string> = string extends P
  ? Readonly<Record<string, string>>
  : { [Name in PathParameters<P>]: string };
type Body<B> = [B] extends [undefined] ? Forbidden<'body'> : Needed<'body', Static<Extract<B, TSchema>>>;

/** The input of an operation: `path`, `query` and `body`, each only if the operation has it. */
export type Input<Op> =
  Op extends Operation<infer P, infer Q, infer B, infer R>
    ? Fields<'path', Path<P>> & Fields<'query', Static<TObject<Q>> & Paging<R>> & Body<B>
    : never;

/** The item of a page, the resource of a single response, or undefined for an empty response. */
export type Result<Op> =
  Op extends Operation<string, TProperties, TSchema | undefined, infer R>
    ? R extends { kind: 'one'; schema: infer S extends TSchema }
      ? Static<S>
      : R extends { kind: 'page'; item: infer I extends TSchema }
        ? Static<I>
        : undefined
    : never;

/** The operations that files of declarations export. */
export function operationsIn(...files: readonly object[]): AnyOperation[] {
  return files.flatMap((file) => Object.values(file)).filter(isOperation);
}

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'method' in value && 'returns' in value;
}
