import type { TSchema } from '@sinclair/typebox';

/** Made-up answers of a declared shape: what is optional is there, and lists have several items. */

const longList = 40;
const deepest = 6;

/**
 * An answer of a shape. The variant decides which of several shapes and values it has; the same variant gives
 * the same answer.
 */
export function madeUp(shape: TSchema, variant: number): unknown {
  return new Maker(variant).make(shape, 0);
}

/** What stands for a value of which the declaration says nothing. */
const anything = [{}, [], 'text', 1, null];

class Maker {
  readonly #variant: number;
  #count = 0;

  constructor(variant: number) {
    this.#variant = variant;
  }

  make(shape: TSchema, depth: number): unknown {
    if (shape.const !== undefined) return shape.const;
    const values = (shape.enum ?? shape['x-known']) as readonly unknown[] | undefined;
    if (values !== undefined) return this.#oneOf(values);
    if (shape.anyOf !== undefined) return this.make(this.#oneOf(shape.anyOf as TSchema[]), depth);
    if (shape.type === 'array') return this.#list(shape.items as TSchema | undefined, depth);
    if (shape.properties !== undefined) return this.#object(shape.properties, depth);
    if (shape.type === 'object') return {};
    if (shape.type === 'string') return shape.format === 'date-time' ? '2025-06-15T12:00:00.000Z' : 'text';
    if (shape.type === 'number' || shape.type === 'integer') return 1;
    if (shape.type === 'boolean') return this.#oneOf([true, false]);
    return shape.type === 'null' ? null : this.#oneOf(anything);
  }

  #object(properties: Record<string, TSchema>, depth: number): unknown {
    const members = depth > deepest ? [] : Object.entries(properties);
    return Object.fromEntries(members.map(([key, part]) => [key, this.make(part, depth + 1)]));
  }

  #list(item: TSchema | undefined, depth: number): unknown[] {
    const length = depth === 0 ? longList : depth > deepest ? 0 : 2;
    return item === undefined ? [] : Array.from({ length }, () => this.make(item, depth + 1));
  }

  /** Each choice goes its own way through the variants, so that all combinations come. */
  #oneOf<T>(values: readonly T[]): T {
    this.#count += 1;
    const at = this.#variant + Math.imul(this.#variant * this.#count, 0x9e3779b1);
    return values[(at >>> 4) % values.length] as T;
  }
}
