import type { Operation, PathParameters } from '../../api/operation.js';

/** Names of fields, inferred from the shapes of operations: a declaration cannot name one that does not exist. */

export type Keys<T> = T extends object ? Extract<keyof T, string> : never;
type BodyKeys<B> = B extends { static: infer S } ? Keys<S> : never;

/** The names of everything an operation takes. */
export type FieldName<Op> =
  Op extends Operation<infer P, infer Q, infer B> ? PathParameters<P> | Keys<Q> | BodyKeys<B> : never;

/** Dotted paths into a result, three names long at most; an array is seen through. */
export type FieldPath<T> = T extends object
  ? { [K in Keys<T>]: K | `${K}.${Keys<Inside<T[K]>>}` | DeepPath<K, Inside<T[K]>> }[Keys<T>]
  : never;
type DeepPath<K extends string, T> = { [L in Keys<T>]: `${K}.${L}.${Keys<Inside<T[L & keyof T]>>}` }[Keys<T>];
type Inside<T> = NonNullable<T> extends readonly (infer E)[] ? E : NonNullable<T>;

export type OneOrMore<T> = T | readonly [T, ...T[]];
export type EachOf<T> = T extends readonly (infer E)[] ? E : T;

/** What is shown: the answer, or an item of the list that stands in it under the key `L`. */
export type Shown<T, L extends string> = [L] extends [never] ? T : L extends keyof T ? EachOf<T[L]> : never;
