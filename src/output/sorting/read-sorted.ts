import { isObject } from '../../is-object.js';
import { resolveColumns } from '../columns.js';
import { grouped } from '../counted.js';
import { picker } from '../fields.js';
import type { Format, Page, View } from '../printer.js';
import { keyed, type Shown } from '../shown.js';
import { treeOrder } from './sort-keys.js';
import { SortedList } from './sorted-list.js';
import { sortedTree } from './tree-order.js';

/** `--sort-by`: a list that is read as a whole before any of it is printed. */
interface Sorted {
  /** As typed. */
  by: string;
  view: View;
  shown: Shown;
  format: Format | 'jq';
  signal: AbortSignal;
  /** Says on a terminal that all is read. */
  tell(text: string): void;
}

/**
 * Reads a list to its end. To be closed once it is printed.
 * @param walk visits all pages
 * @throws DocsError usage `too_many_to_sort`, as soon as that is known; what the pages throw
 */
export async function readSorted(
  { by, view, shown, format, signal, tell }: Sorted,
  walk: (visit: (page: Page) => void) => Promise<unknown>,
): Promise<SortedList> {
  const list = new SortedList({ by, view, keep: keeper(format, shown), signal });
  try {
    await walk((page) => {
      const isFirst = list.length === 0;
      list.add(page);
      if (isFirst && page.next !== undefined) tell(readingWords(page, view.noun));
    });
    return list;
  } catch (cause) {
    list.close();
    throw cause;
  }
}

function readingWords({ count }: Page, noun = 'items'): string {
  return `Reading all ${count === undefined ? '' : `${grouped(count)} `}${noun} to sort them.`;
}

/** Keeps what the format prints of an item. */
function keeper(format: Format | 'jq', { view, fields, pick }: Shown): (item: unknown) => unknown {
  if (format === 'jq' || keyed.includes(format)) return pick;
  if (format === 'id') return picker([view.id ?? 'id']);
  const columns = resolveColumns(view, fields);
  return picker(columns.flatMap(({ path, indent }) => (indent === undefined ? [path] : [path, indent])));
}

/** A single answer that holds a tree, with the siblings of every level in order. */
export function treeInOrder(answer: unknown, by: string, view: View): unknown {
  const { list, children } = view.tree ?? {};
  if (children === undefined) return answer;
  const ordered = (roots: unknown) =>
    Array.isArray(roots) ? sortedTree(roots, children, treeOrder(by, view)) : roots;
  if (list === undefined) return ordered(answer);
  return isObject(answer) ? { ...answer, [list]: ordered(answer[list]) } : answer;
}
