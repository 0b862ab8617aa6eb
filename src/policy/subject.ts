import type { LooseInput } from '../api/client.js';
import { pingOrg } from '../api/resources/orgs.js';
import { RawNumber } from '../api/transport/json-text.js';
import { isObject } from '../base/values.js';
import { forecastOf } from '../jobs/outlook.js';
import type { PlannedRequest } from '../jobs/request.js';
import type { Sureness } from '../jobs/rule.js';
import type { CommandTable } from './command-table.js';
import type { NamedResource, Subject } from './policy.js';

/** What is known of a request beside its operation and input. */
export interface Asked {
  /** Words of the command that was typed. */
  command: string;
  /** What undo will be able to do, where the other requests of its job were considered; default: by itself. */
  undo?: Sureness;
  approved?: true;
  /** As `Surroundings` finds them. */
  organization?: string | null;
  resources?: readonly NamedResource[];
}

/** One request as decide() takes it. @param table says which command makes it */
export function subjectOf(request: PlannedRequest, table: CommandTable, asked: Asked): Subject {
  const { op, input } = request;
  const own = table.operations.get(op.id);
  const effect = effectOf(request);
  const { undo, ...known } = asked;
  return {
    ...known,
    // An operation that no command is made of is matched by nothing but "*".
    operation: own?.words ?? op.id,
    effect,
    danger: own?.danger ?? (effect === 'read' ? 'read' : 'type-title'),
    ...(effect !== 'read' && { undo: undo ?? forecastOf(op, input, undefined).undo }),
    attributes: attributesOf(input),
    otherOrganizations: targetsOf(request),
  };
}

/** What a request does. To tell the platform that somebody is there changes nothing that a policy is about. */
export function effectOf({ op }: Pick<PlannedRequest, 'op'>): 'read' | 'write' | 'delete' {
  if (op.method === 'GET' || op.id === pingOrg.id) return 'read';
  return op.method === 'DELETE' ? 'delete' : 'write';
}

/** The organization that its body names: the target of a transfer. */
function targetsOf({ op, input }: PlannedRequest): string[] {
  if (op.body?.properties?.organization === undefined || !isObject(input.body)) return [];
  const { organization } = input.body;
  const id = isObject(organization) ? organization.id : organization;
  return id === undefined ? [] : [String(id)];
}

/** Fields of path, query and body, nested ones dotted; elements of an array go by the name of the array. */
export function attributesOf({ path = {}, query = {}, body }: LooseInput): Readonly<Record<string, unknown>> {
  const found = new Map<string, unknown[]>();
  for (const part of [path, query, body]) collect(part, '', found);
  return Object.fromEntries(
    [...found].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function collect(value: unknown, name: string, found: Map<string, unknown[]>): void {
  if (value === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, name, found);
  } else if (isObject(value) && !(value instanceof RawNumber)) {
    for (const [key, item] of Object.entries(value))
      collect(item, name === '' ? key : `${name}.${key}`, found);
  } else if (name !== '') {
    const known = found.get(name);
    if (known === undefined) found.set(name, [value]);
    else known.push(value);
  }
}
