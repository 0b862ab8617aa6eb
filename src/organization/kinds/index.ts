import type { Kind } from '../kind.js';

/** In the order of `kindNames`. */
export const kinds: readonly Kind[] = [];
