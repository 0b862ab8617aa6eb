import { isObject } from '../is-object.js';
import type { ItemRecord, Job } from './journal.js';

/** What a job changed, in a few words for a list: `Legal +11`. From its journal alone. */

/** Fields that name a resource, the first that is there. */
const nameFields = ['title', 'displayName', 'label', 'name', 'subject', 'slug', 'hostname'] as const;

/** The name of what an item changes: as it was before, else as the request or its answer has it. */
export function titleOfItem({ plan, before, answer }: ItemRecord): string | undefined {
  return nameIn(before) ?? nameIn(answer) ?? nameIn(plan.input.body);
}

function nameIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const named: readonly unknown[] = [
    ...nameFields.map((field) => value[field]),
    isObject(value.user) ? nameIn(value.user) : undefined,
  ];
  return named.find((name): name is string => typeof name === 'string' && name.trim() !== '');
}

/** The words of its command with what it changed: `spaces delete Legal +11`. */
export function commandWords(job: Job): string {
  return [job.header.command, subjectOf(job)].filter((part) => part !== undefined).join(' ');
}

/** The first thing that a job changed, by its name or else its id, and how many more. */
export function subjectOf({ items }: Pick<Job, 'items'>): string | undefined {
  const changing = items.filter(({ plan }) => plan.proves === undefined && plan.partOf === undefined);
  const [first] = changing;
  if (first === undefined) return undefined;
  const name = titleOfItem(first) ?? first.plan.id;
  const others = new Set(changing.map(({ plan }) => plan.id)).size - 1;
  return others > 0 ? `${name} +${others}` : name;
}
