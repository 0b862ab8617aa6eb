import { readFileSync } from 'node:fs';
import type { AnyOperation } from '../../src/api/operation.js';
import { operations } from '../../src/api/resources/index.js';

/** The specification's list of operations. The platform grows: `operations` may declare more than these. */

export interface SpecifiedOperation {
  /** `PATCH /v1/orgs/{organizationId}` */
  request: string;
  success: number;
  returns: string;
}

export const specified: readonly SpecifiedOperation[] = readFileSync(
  new URL('../data/operations.tsv', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [method, path, success, returns = ''] = line.split('\t');
    return { request: `${method} ${path}`, success: Number(success), returns };
  });

const requests = new Set(specified.map(({ request }) => request));

/** `PATCH /v1/orgs/{organizationId}` */
export const requestOf = ({ method, path }: AnyOperation): string => `${method} ${path}`;

/** The declared operations that the specification has: what it says of them all is held against these. */
export const specifiedOperations: readonly AnyOperation[] = operations.filter((op) =>
  requests.has(requestOf(op)),
);
