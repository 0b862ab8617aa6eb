import { type AnyOperation, pathParameters } from '../../api/operation.js';
import { defined, isObject } from '../../base/values.js';
import type { PlannedRequest } from '../../jobs/request.js';
import { operationsOf } from '../../model/operations.js';
import { aboutOperation, type ObjectName, resourceOfObject } from '../../model/resources.js';
import type { Affected, ImpactAction, ImpactQuestion } from './change.js';
import { canLook } from './impact.js';

/** The impact that is asked about before a request is sent, from the declaration of its operation alone. */

type To = NonNullable<ImpactQuestion['to']>;

/** Fields that addresses are made of. A title is in none. */
const addressFields = ['path', 'basename', 'hostname', 'proxy'] as const satisfies (keyof To)[];

/** What an operation does to the resource at its path, as far as an impact can be asked about it. */
export interface Asked {
  action: ImpactAction;
  object: Affected['object'];
}

/** @returns undefined for operations that delete, move, transfer and rename nothing */
export function askedOf({ id, body }: AnyOperation): Asked | undefined {
  const { resource, verb = '' } = aboutOperation(id) ?? {};
  const action = actionOf(verb, Object.keys((body?.properties ?? {}) as object));
  const object = resource?.printed.object as ObjectName;
  return action && canLook(action, object) ? { action, object } : undefined;
}

function actionOf(verb: string, fields: readonly string[]): ImpactAction | undefined {
  if (verb === 'delete' || verb === 'transfer') return verb;
  // Others change an order, which nothing depends on.
  if (verb === 'move') return fields.includes('parent') ? verb : undefined;
  const renames = verb === 'update' && addressFields.some((field) => fields.includes(field));
  return renames ? 'rename' : undefined;
}

/** The operation that reads one; none where only the list tells. */
export function getterOf(object: ObjectName): AnyOperation | undefined {
  return operationsOf(resourceOfObject(object)?.gets ?? []).at(-1);
}

export type Request = Pick<PlannedRequest, 'op' | 'input'>;

/** What requests would do, as few questions: one for each action, and for each place that things go to. */
export interface Questions {
  questions: ImpactQuestion[];
  /** Requests whose target is only made by an earlier one, so that nothing can be asked about them. */
  open: number;
}

/** @param requests ids and values that others make are objects in place of texts */
export function questionsOf(requests: readonly Request[]): Questions {
  const groups = new Map<
    string,
    { question: Omit<ImpactQuestion, 'things'>; things: Map<string, Affected>; earlier: number }
  >();
  const freed: string[] = [];
  let open = 0;
  for (const { op, input } of requests) {
    const asked = askedOf(op);
    const to = asked && targetOf(asked.action, input.body);
    const thing = asked && thingIn(op, asked.object, input.path ?? {});
    if (asked === undefined || to === undefined || thing === undefined) continue;
    if (to === 'open') {
      open += 1;
      continue;
    }
    const { action } = asked;
    const key = JSON.stringify([action, to]);
    const group = groups.get(key) ?? {
      question: { action, ...(Object.keys(to).length > 0 && { to }) },
      things: new Map(),
      earlier: 0,
    };
    group.things.set(JSON.stringify(thing), thing);
    group.earlier = freed.length;
    groups.set(key, group);
    freed.push(...namesFreed(action, to).map((field) => `${field} ${thing.id}`));
  }
  const questions = [...groups.values()].map(({ question, things, earlier }) => ({
    ...question,
    things: [...things.values()],
    ...(question.action === 'rename' && earlier > 0 && { freed: new Set(freed.slice(0, earlier)) }),
  }));
  return { questions, open };
}

/** The fields whose values others may take once a request was sent. */
function namesFreed(action: ImpactAction, to: To): readonly string[] {
  if (action === 'delete') return addressFields;
  return action === 'rename' ? Object.keys(to) : [];
}

/**
 * Where things go, or what they are called then; undefined where the request leaves that as it is, `open` where an
 * earlier request or the environment tells it.
 */
function targetOf(action: ImpactAction, given: unknown): To | 'open' | undefined {
  if (action === 'delete') return {};
  const body = isObject(given) ? given : {};
  const names =
    action === 'rename' ? addressFields : ([action === 'move' ? 'parent' : 'organization'] as const);
  const found = names.filter((name) => body[name] !== undefined);
  if (found.length === 0) return undefined;
  if (found.some((name) => body[name] !== null && typeof body[name] !== 'string')) return 'open';
  return Object.fromEntries(found.map((name) => [name, body[name]]));
}

/** What the path names; undefined where an earlier request makes it, so that nothing can depend on it. */
function thingIn(
  { path }: AnyOperation,
  object: Affected['object'],
  given: Readonly<Record<string, unknown>>,
): Affected | undefined {
  const names = pathParameters(path);
  if (names.some((name) => typeof given[name] !== 'string')) return undefined;
  const ids = given as Readonly<Record<string, string>>;
  const own = names.at(-1) ?? '';
  const around = names.slice(0, -1).filter((name) => name !== 'organizationId');
  const within = Object.fromEntries(around.map((name) => [name, ids[name] ?? '']));
  return { object, id: ids[own] ?? '', ...defined({ within: around.length > 0 ? within : undefined }) };
}
