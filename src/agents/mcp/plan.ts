import fs from 'node:fs';
import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { readPlan } from '../../plans/file.js';
import type { Plan, PlanOperation } from '../../plans/plan.js';
import { changeText, fieldChanges } from '../../plans/show/values.js';
import { type Answer, failed } from './answer.js';
import { type Calls, errorOf } from './calls.js';
import { isPlannable, refuseUnsafe } from './guard.js';
import { type Plans, plansLastMs } from './plans.js';
import type { Caller, McpWorld } from './world.js';

/** `docs_plan`: what a change would send, kept under a handle. Sends nothing but GET. */

/** Findings that an answer shows. */
const shownLeft = 20;

/** A plan that was made, or the answer that tells why not. */
export type Made = { handle: string; file: string; plan: Plan } | { answer: Answer };

/** @throws DocsError usage: nothing was sent */
export async function plan(
  world: McpWorld,
  calls: Calls,
  plans: Plans,
  argv: readonly string[],
  caller: Caller,
): Promise<Answer> {
  const made = await makePlan(world, calls, plans, argv, caller);
  return 'answer' in made ? made.answer : { value: planValue(made), long: 'requests', foreign: foreignKeys };
}

/** Makes the plan of a change. @throws DocsError usage: nothing was sent */
export async function makePlan(
  world: McpWorld,
  calls: Calls,
  plans: Plans,
  argv: readonly string[],
  caller: Caller,
): Promise<Made> {
  const line = await world.parse(argv);
  refuseUnsafe(world, line, 'plan');
  if (!isPlannable(line.command)) throw notPlannable(line.path, line.command.danger === 'read');
  const { handle, file } = plans.create();
  const flags = [`--save-plan=${file}`];
  const ran = await calls.run(argv, line, flags, caller, { readOnly: true, stops: false });
  if (!fs.existsSync(file)) {
    if (ran.code !== 0) return { answer: failed(errorOf(ran), {}, ['error']) };
    const notes = ran.notes.slice(0, 20);
    return { answer: { value: { counts: {}, notes }, foreign: ['notes'] } };
  }
  if (ran.code !== 0) plans.remove(handle);
  if (ran.code !== 0) return { answer: failed(errorOf(ran), {}, ['error']) };
  return { handle, file, plan: await readPlan(world.io, file) };
}

function notPlannable(path: string, isRead: boolean) {
  const way = isRead
    ? 'use docs_read'
    : 'it changes nothing on the platform, or applies what is planned already';
  return usageError('not_plannable', `docs ${path} cannot be planned: ${way}. Nothing was sent.`);
}

/** Keys whose texts quote the platform: bodies, titles, sentences that name them. */
export const foreignKeys = ['title', 'risks', 'requests', 'left'];

/** A plan as an answer tells it. */
export function planValue({ handle, file, plan: made }: { handle: string; file: string; plan: Plan }) {
  const sent = made.operations.filter(({ request }) => request !== undefined);
  const left = made.operations.filter(({ request }) => request === undefined);
  const undo = { exact: 0, 'best-effort': 0, none: 0 };
  for (const operation of sent) undo[operation.undo] += 1;
  return {
    plan: handle,
    expires: new Date(Date.parse(made.madeAt) + plansLastMs).toISOString(),
    file,
    counts: made.counts,
    undo,
    ...defined({ organization: made.organization, title: made.title }),
    ...(made.risks.length > 0 && { risks: made.risks }),
    requests: sent.map(requestOf),
    total: sent.length,
    ...(left.length > 0 && {
      left: left.slice(0, shownLeft).map(({ finding }) => finding?.message ?? ''),
    }),
  };
}

/** What is sent, with what the plan says of it. */
function requestOf(operation: PlanOperation): Record<string, unknown> {
  const { request, kind, key, action, undo, why, risk } = operation;
  const { method, path, query, body } = request ?? {};
  const change = fieldChanges(operation).map(changeText).join(', ') || undefined;
  return defined({ method, path, query, body, kind, key, action, change, undo, why, risk });
}
