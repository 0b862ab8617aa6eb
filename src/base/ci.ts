import type { Io } from './io.js';

type World = Pick<Io, 'env'>;

/** Whether the run is in CI: `CI` is set, and neither empty, `0` nor `false`. */
export function isCi({ env }: World): boolean {
  return isSet(env.CI);
}

/** Whether a variable says yes. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', 'false', '0'].includes(value);
}
