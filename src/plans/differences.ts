import { operationOf } from '../jobs/request.js';
import { ruleOf } from '../jobs/undo-rules.js';
import { foldedField } from './described.js';
import { canonical } from './hash.js';
import { agrees, sureness } from './misdescribed.js';
import type { PlanOperation } from './plan.js';
import { tellingOf } from './spoken.js';

/** Where an operation says something else than the platform shows: of what was before, and of undo. */
export function differences(said: PlanOperation, read: PlanOperation | undefined): string[] {
  if (read === undefined) return [];
  const undo =
    sureness(said) > sureness(read) ? [`the plan says undo ${said.undo}, and it is ${read.undo}`] : [];
  return [...stateDifferences(said, read), ...beforeDifferences(said, read), ...undo];
}

function stateDifferences(said: PlanOperation, read: PlanOperation): string[] {
  const { reads, job, request } = said;
  // What an undo must find is what its job left.
  const isUndo = job?.undoes !== undefined || job?.partOf !== undefined;
  if (reads?.state === undefined) return [];
  if (read.reads?.state === undefined) {
    const isRead = ruleOf(operationOf(request?.operation ?? '')).read !== undefined;
    return isUndo || !isRead ? [] : ['what it rests on could not be read with this token'];
  }
  const [then, now] = [reads.state, read.reads.state];
  if (then === null || now === null)
    return then === now ? [] : [then === null ? 'it is there already' : 'it is not there'];
  return Object.entries(then).flatMap(([field, value]) => {
    const isSecret = typeof value === 'string' && value.startsWith('sha256:');
    if (isSecret || !(field in now) || canonical({ value }) === canonical({ value: now[field] ?? null }))
      return [];
    return [`${field} was ${canonical(value)} by the plan, and is ${canonical(now[field] ?? null)}`];
  });
}

function beforeDifferences({ fields, request, reads }: PlanOperation, read: PlanOperation): string[] {
  const found = Object.entries(read.fields);
  return Object.entries(fields).flatMap(([name, field]) => {
    const isTold =
      reads?.state && Object.keys(reads.state).some((one) => foldedField(one) === foldedField(name));
    if (field.before === undefined || isTold || tellingOf(request?.operation ?? '', name)?.byName) return [];
    const [, own] = found.find(([one]) => foldedField(one) === foldedField(name)) ?? [];
    if (own === undefined || !('before' in own) || agrees(field.before, own.before)) return [];
    return [`${name} was ${canonical(field.before)} by the plan, and is ${canonical(own.before ?? null)}`];
  });
}
