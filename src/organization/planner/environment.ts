import { randomBytes } from 'node:crypto';
import { usageError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import { type FromEnvironment, fingerprintOf, fromEnvironment } from '../../jobs/environment.js';
import type { EnvironmentReference } from '../model.js';
import { valueHash } from '../value.js';

/** Values of `!env NAME`: compared as they are, never kept but as salted fingerprints. */

export type Variables = Readonly<Record<string, string | undefined>>;

/** How entries of the lock for such values begin; the rest is `<salt>:<fingerprint>`. */
const salted = 'env:';

export class Environment {
  readonly #variables: Variables;
  readonly #sealed = new Map<string, FromEnvironment>();

  /** @throws DocsError usage `env_unset`, with all variables of the values that are not set */
  constructor(variables: Variables, values: Iterable<unknown>) {
    this.#variables = variables;
    const missing = new Set<string>();
    for (const value of values)
      for (const name of namesIn(value)) if (variables[name] === undefined) missing.add(name);
    if (missing.size > 0) throw unset([...missing].sort());
  }

  /** The value with those of its variables in place. */
  resolved(value: unknown): unknown {
    return replaced(value, ({ $env }) => this.#variables[$env]);
  }

  /** The value as plans and requests hold it: a reference with a fingerprint, the same all through a plan. */
  sealed(value: unknown): unknown {
    return replaced(value, ({ $env }) => this.#seal($env));
  }

  #seal(name: string): FromEnvironment {
    const known = this.#sealed.get(name);
    if (known !== undefined) return known;
    const sealed = fromEnvironment(this.#variables, name);
    this.#sealed.set(name, sealed);
    return sealed;
  }
}

/** Whether a value holds one of a variable. */
export function isSecret(value: unknown): boolean {
  return typeof value === 'object' && value !== null && namesIn(value).length > 0;
}

/** The entry of the lock for a value. @param secret it comes from a variable, so it must not be guessed from the entry */
export function lockHash(value: unknown, secret: boolean): string {
  if (!secret) return valueHash(value);
  const salt = newSalt();
  return `${salted}${salt}:${fingerprintOf(valueHash(value), salt)}`;
}

/** Whether an entry of the lock is that of a value. */
export function isHashOf(entry: string | undefined, value: unknown): boolean {
  if (entry === undefined || !entry.startsWith(salted)) return entry === valueHash(value);
  const [salt = '', fingerprint] = entry.slice(salted.length).split(':');
  return fingerprintOf(valueHash(value), salt) === fingerprint;
}

function newSalt(): string {
  return randomBytes(16).toString('hex');
}

function isReference(value: unknown): value is EnvironmentReference {
  return isObject(value) && typeof value.$env === 'string';
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return isReference(value) ? [value.$env] : Object.values(value).flatMap(namesIn);
}

function replaced(value: unknown, by: (reference: EnvironmentReference) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isReference(value)) return by(value);
  if (Array.isArray(value)) return value.map((part) => replaced(part, by));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaced(part, by)]));
}

function unset(names: readonly string[]) {
  const what =
    names.length === 1
      ? `variable ${names[0]} is not set, but the files name it`
      : `variables ${names.join(', ')} are not set, but the files name them`;
  const message = `Environment ${what}; nothing was changed.`;
  return usageError('env_unset', message, {
    hint: `export ${names[0]}=…`,
    details: { variables: [...names] },
  });
}
