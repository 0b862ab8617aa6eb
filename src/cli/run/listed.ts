import type { Command } from '../declare/command.js';
import type { Session } from '../declare/session.js';

/** Lists that the platform answers inside a single answer, flat or as a tree. */

/**
 * The items of an answer that is a list at heart (`listIn`), trees flattened (`children`).
 * @returns undefined where the answer is to be shown as it is: a resource, or a tree in a format that
 *   can hold one
 */
export function itemsOf(session: Session, command: Command, answer: unknown): unknown[] | undefined {
  const { listIn, children } = command.spec ?? {};
  const list = listIn === undefined ? answer : (answer as Record<string, unknown>)[listIn];
  if (!Array.isArray(list)) return undefined;
  if (children === undefined) return list;
  return keepsTrees(session) ? undefined : [...flattened(list, children)];
}

/** JSON, YAML and jq get the tree; `--fields` picks from items, whatever the format. */
function keepsTrees({ settings, globals }: Session): boolean {
  if (settings.fields !== undefined) return false;
  const format = settings.output?.value;
  return globals.jq !== undefined || format === 'json' || format === 'yaml';
}

/** Items depth first, each with its depth instead of its children. A stack, for no depth is too much. */
function* flattened(roots: readonly unknown[], children: string): Generator<unknown> {
  const waiting = roots.map((item) => ({ item, depth: 0 })).reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { item, depth } = next;
    if (typeof item !== 'object' || item === null) continue;
    const { [children]: below, ...own } = item as Record<string, unknown>;
    yield { ...own, depth };
    if (!Array.isArray(below)) continue;
    for (const child of below.toReversed()) waiting.push({ item: child, depth: depth + 1 });
  }
}
