import { formatJson } from '../../api/transport/json-text.js';
import { grouped } from '../../output/counted.js';
import { safeLine } from '../../output/safe-text.js';
import type { Plan } from '../plan.js';
import { sends } from './summary.js';

/** How many requests are shown unless all are asked for. */
const most = 20;
/** Longer bodies are cut unless all is asked for, in characters. */
const longest = 300;

/**
 * What a plan sends, one request a line. The changes that a plan tells are what its maker says of it; this is what
 * the platform gets. Sanitised.
 */
export function requestLines({ operations }: Plan, { full }: { full: boolean }): string[] {
  const sent = operations.filter(sends);
  const shown = full ? sent : sent.slice(0, most);
  const lines = shown.map(({ id, request }) => {
    const { method = '', path = '', query, body } = request ?? {};
    const parts = [query && `?${formatJson(query)}`, body !== undefined && formatJson(body)];
    const rest = parts.filter((part) => typeof part === 'string').join(' ');
    const cut = full || rest.length <= longest ? rest : `${rest.slice(0, longest)}… (--full shows all)`;
    return safeLine(`${id} ${method} ${path} ${cut}`).trimEnd();
  });
  const left = sent.length - shown.length;
  return left === 0 ? lines : [...lines, `… and ${grouped(left)} more; --full shows all`];
}
