import type { SeenRequest } from './server.js';
import type { Step } from './step.js';

/** A list of so many items in pages of 1,000; each item about so many bytes. */
export function longList(total: number, bytes = 0): (request: SeenRequest) => Step {
  return ({ target }) => {
    const from = Number(new URL(target, 'http://x').searchParams.get('page') ?? 0);
    const title = 'x'.repeat(bytes);
    const items = Array.from({ length: Math.min(1000, total - from) }, (_, index) => ({
      id: `t${from + index}`,
      title,
    }));
    const next = from + 1000 < total ? { next: { page: String(from + 1000) } } : {};
    return { json: { items, count: total, ...next } };
  };
}
