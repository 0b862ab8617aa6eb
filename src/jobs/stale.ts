import { DocsError } from '../base/errors.js';
import { isLongValue } from './held.js';
import type { PlanLine } from './journal.js';
import { type State, same, shownValue } from './state.js';

/** Items of a plan that rest on something that somebody else changed after the plan was made. */

/** One field that is not as the plan found it. */
export interface StaleField {
  /** '' where the whole object is meant. */
  field: string;
  was: unknown;
  is: unknown;
}

/** @param now the state that a read shows @param then the one that the plan rests on */
export function staleBy(plan: PlanLine, now: State, then: State): DocsError {
  const { id, item, operation, op } = plan;
  const fields = differingFields(now, then);
  const told = fields.map(sentence).join('; ');
  const message = `${nameOf(id, op)} has changed since the plan was made: ${told}; nothing was sent for it.`;
  return new DocsError('conflict', 'stale', message, {
    outcome: 'not-sent',
    hint: newPlan(plan),
    details: { object: id, item, operation, changed: fields },
  });
}

export function staleUnread(plan: PlanLine): DocsError {
  const { id, item, operation, op } = plan;
  const message = `${nameOf(id, op)} cannot be read, so nothing shows whether it is still as the plan found it; nothing was sent for it.`;
  return new DocsError('conflict', 'stale', message, {
    outcome: 'not-sent',
    hint: newPlan(plan),
    details: { object: id, item, operation, changed: [] },
  });
}

/** The command that makes a new plan: from the files, or from what is left of this one. */
function newPlan({ lock }: PlanLine): string {
  return lock === undefined ? 'docs apply <plan> --replan <file>' : 'docs plan';
}

function nameOf(id: string, op: string): string {
  return id === '' ? op : id;
}

function differingFields(now: State, then: State): StaleField[] {
  if (now === null || then === null) return [{ field: '', was: then && 'exists', is: now && 'exists' }];
  return Object.entries(then).flatMap(([field, value]) =>
    same(now[field], value) ? [] : [{ field, was: value ?? null, is: now[field] ?? null }],
  );
}

function sentence({ field, was, is }: StaleField): string {
  if (field === '') return is === null ? 'it no longer exists' : 'it exists now';
  // Hashes of long values, and of values from the environment, mean nothing to a reader.
  if ([was, is].some((value) => isLongValue(value) || /^sha256:/.test(String(value))))
    return `${field} is not what it was`;
  return `${field} was ${shownValue(was)} and is ${shownValue(is)}`;
}
