import type { AnyOperation } from '../../../src/api/operation.js';

/** Which declared fields of answers were ever seen: filled by walking answers along their schemas. */

interface Schema {
  $id?: string;
  type?: string;
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
}

interface Shape {
  label: string;
  fields: ReadonlySet<string>;
  seen: Set<string>;
}

/**
 * A shape is known by its properties, which every place that embeds it shares; so a field counts as seen for
 * all of them at once.
 */
export class DeclaredFields {
  readonly #shapes = new Map<object, Shape>();
  readonly #byLabel = new Map<string, Shape>();

  declare(op: AnyOperation): void {
    const { returns } = op;
    if (returns.kind === 'one') this.#declare(returns.schema as Schema, op.id);
    if (returns.kind !== 'page') return;
    this.#declare(returns.item as Schema, op.id);
    if (returns.extra !== undefined) this.#declare(returns.extra as Schema, op.id);
  }

  note(op: AnyOperation, answer: unknown): void {
    const { returns } = op;
    if (returns.kind === 'one') this.#note(returns.schema as Schema, answer);
    if (returns.kind !== 'page') return;
    for (const item of (answer as { items: unknown[] }).items) this.#note(returns.item as Schema, item);
    if (returns.extra !== undefined) this.#note(returns.extra as Schema, answer);
  }

  /** The fields that no answer had, each by the first operation that declares it. */
  unseen(): string[] {
    const all = [...new Set(this.#shapes.values())];
    return all.flatMap(({ label, fields, seen }) =>
      [...fields].filter((field) => !seen.has(field)).map((field) => `${label}.${field}`),
    );
  }

  /** The operations that declare the fields that no answer had. */
  operationsUnseen(): Set<string> {
    return new Set(this.unseen().map((field) => field.replace(/^(\w[\w-]*\.[\w-]+).*$/, '$1')));
  }

  /** @param within the shape that this one is inside of, which a recursive one repeats */
  #declare(schema: Schema, label: string, within?: Shape): void {
    const branches = schema.anyOf ?? [];
    for (const [index, branch] of branches.entries()) this.#declare(branch, `${label}#${index}`, within);
    if (schema.items !== undefined) this.#declare(schema.items, label, within);
    const { properties } = schema;
    if (properties === undefined || this.#shapes.has(properties)) return;
    const name = schema.$id === undefined || within === undefined ? label : within.label;
    const shape = this.#byLabel.get(name) ?? {
      label,
      fields: new Set(Object.keys(properties)),
      seen: new Set(),
    };
    this.#shapes.set(properties, shape);
    this.#byLabel.set(name, shape);
    for (const [field, below] of Object.entries(properties)) this.#declare(below, `${name}.${field}`, shape);
  }

  #note(schema: Schema, value: unknown): void {
    for (const branch of schema.anyOf ?? []) if (fits(branch, value)) this.#note(branch, value);
    if (Array.isArray(value) && schema.items !== undefined) {
      for (const item of value) this.#note(schema.items, item);
    }
    const { properties } = schema;
    if (properties === undefined || !isObject(value)) return;
    const shape = this.#shapes.get(properties);
    for (const [field, below] of Object.entries(properties)) {
      if (value[field] === undefined || value[field] === null) continue;
      shape?.seen.add(field);
      this.#note(below, value[field]);
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value can be of this branch of a union. */
function fits({ type, properties = {}, required = [] }: Schema, value: unknown): boolean {
  if (type !== 'object') return type === 'array' ? Array.isArray(value) : !isObject(value);
  if (!isObject(value) || required.some((field) => !(field in value))) return false;
  return Object.entries(properties).every(
    ([field, { const: literal }]) => literal === undefined || !(field in value) || value[field] === literal,
  );
}
