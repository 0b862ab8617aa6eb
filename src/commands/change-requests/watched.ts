import type { Watched } from '../../cli/declare/watched.js';

const moves = { field: 'status', moving: ['draft', 'open'] };

/** `--watch` of a change request: until it is merged or archived. */
export const watchedRequest: Watched = { ...moves, final: ['archived', 'merged'] };

/** Of a list, which is never final: until Ctrl-C. */
export const watchedRequests: Watched = moves;
