import { iso } from '../store/clock.js';

/** `created_at` → `createdAt`. */
type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type Shown<Name, Value> = Name extends `${string}_at` ? string : Exclude<Value, null>;
type Fields<Row, K extends keyof Row & string> = {
  [C in K as null extends Row[C] ? never : Camel<C>]: Shown<C, Row[C]>;
} & { [C in K as null extends Row[C] ? Camel<C> : never]?: Shown<C, Row[C]> };

/** The fields of a response that columns hold under the same name: times in ISO 8601, null left out. */
export function fields<Row extends object, K extends keyof Row & string>(row: Row, ...columns: K[]) {
  const given = columns.filter((column) => row[column] !== null);
  const entries = given.map((column) => [
    column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    column.endsWith('_at') ? iso(Number(row[column])) : row[column],
  ]);
  return Object.fromEntries(entries) as Fields<Row, K>;
}

/** URLs of resources, on reserved hosts: responses must not depend on the port of the sandbox. */
export const apiUrl = (path: string): string => `https://api.sandbox.example/v1${path}`;
export const appUrl = (path: string): string => `https://app.sandbox.example${path}`;
