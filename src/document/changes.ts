import { groupBy } from '../base/values.js';
import type { ChangedItem } from './document.js';

/** How changes are marked, ordered and folded: the same on a page, on a terminal and in a plan. */

interface ActionLook {
  /** The character before a change. */
  mark: string;
  tone: 'add' | 'del' | 'mod';
}

const looks: Readonly<Record<string, ActionLook>> = {
  create: { mark: '+', tone: 'add' },
  add: { mark: '+', tone: 'add' },
  delete: { mark: '-', tone: 'del' },
  remove: { mark: '-', tone: 'del' },
  move: { mark: '⇅', tone: 'mod' },
  link: { mark: '&', tone: 'mod' },
  verify: { mark: '?', tone: 'mod' },
  drift: { mark: '≠', tone: 'mod' },
  revert: { mark: '≠', tone: 'mod' },
  withheld: { mark: '·', tone: 'mod' },
  finding: { mark: '!', tone: 'del' },
  conflict: { mark: '!', tone: 'del' },
};
const usual: ActionLook = { mark: '~', tone: 'mod' };

/** Of an action that is not known, that of a change. */
export function lookOf(action: string): ActionLook {
  return looks[action] ?? usual;
}

/** What is done, and how often, in the order of the first of each. */
export function actionCounts(items: readonly ChangedItem[]): { action: string; count: number }[] {
  return [...groupBy(items, ({ action }) => action)].map(([action, { length: count }]) => ({
    action,
    count,
  }));
}

/** So many equal changes are one line. */
export const leastFolded = 3;

/** Equal changes as one; what is grave is never folded. It stands first, then what is removed. */
export function foldsOf(items: readonly ChangedItem[]): ChangedItem[][] {
  const keyOf = ({ action, fields, severity }: ChangedItem, at: number) =>
    severity !== undefined || fields.length === 0 ? `${at}` : JSON.stringify([action, fields]);
  const keyed = items.map((item, at) => ({ item, key: keyOf(item, at) }));
  const folds = [...groupBy(keyed, ({ key }) => key).values()].flatMap((fold) => {
    const own = fold.map(({ item }) => item);
    return own.length >= leastFolded ? [own] : own.map((item) => [item]);
  });
  return folds.sort(([one], [other]) => rankOf(one) - rankOf(other));
}

/** What tells equal changes apart: their titles, or where they are if it is the same thing in many places. */
export function namesOf(fold: readonly ChangedItem[]): string[] {
  const isOne = new Set(fold.map(({ title }) => title)).size === 1;
  return fold.map(({ title, place }, at) => {
    if (!isOne || place === undefined) return title;
    return at === 0 ? `${title} in ${place}` : place;
  });
}

function rankOf(item: ChangedItem | undefined): number {
  if (item === undefined) return 2;
  return item.severity === undefined ? (lookOf(item.action).tone === 'del' ? 1 : 2) : 0;
}
