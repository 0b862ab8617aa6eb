import {
  furtherResources,
  type ObjectName,
  type Resource,
  type ResourceName,
  resources,
} from './registry.js';

export type {
  FilesName,
  FurtherName,
  ObjectName,
  Parent,
  RenameField,
  Resource,
  ResourceName,
  RestorePart,
  SearchArea,
} from './registry.js';
export { furtherResources, renameFields, resources, restoreParts, searchAreas } from './registry.js';

/** What is found in the registry of resources (registry.ts): by a field, a placeholder, an operation. */

/** Those that people name by title or id. */
export const namedResources: readonly Resource[] = Object.values(resources);
export const allResources: readonly Resource[] = [...namedResources, ...Object.values(furtherResources)];

/** The resource whose id a field holds; undefined where it holds anything else. */
export function resourceOfField(field: string | undefined): ResourceName | undefined {
  const found = namedResources.find(
    ({ parameter, fields }) => field === parameter || fields.includes(field ?? ''),
  );
  return found?.name as ResourceName | undefined;
}

/** The same for a field in the body of a request. */
export function resourceOfBodyField(field: string): ResourceName | undefined {
  const found = namedResources.find(({ inBodies }) => inBodies.includes(field));
  return (found?.name as ResourceName | undefined) ?? resourceOfField(field);
}

/** An id in the body of a request. */
export interface IdInBody {
  resource: ResourceName;
  id: string;
  /** The fields that lead to it: `position`, `before`, `space`. */
  at: readonly string[];
  /** Whether it is one of a list, or a key of a map. */
  isListed: boolean;
}

/** The ids that a body holds, by the names of its fields; a word in place of a list, such as `empty`, is none. */
export function* idsInBody(body: unknown, at: readonly string[] = []): Generator<IdInBody> {
  const field = at.at(-1) ?? '';
  const resource = resourceOfBodyField(field);
  if (typeof body === 'string') {
    if (resource !== undefined && !isListOfIds(field, at)) yield { resource, id: body, at, isListed: false };
  } else if (Array.isArray(body)) {
    for (const item of body)
      if (typeof item === 'string' && resource !== undefined)
        yield { resource, id: item, at, isListed: true };
      else yield* idsInBody(item, at);
  } else if (typeof body === 'object' && body !== null) {
    const isMap = field === 'memberships' && resource !== undefined;
    for (const [key, value] of Object.entries(body))
      if (isMap) yield { resource, id: key, at, isListed: true };
      else yield* idsInBody(value, [...at, key]);
  }
}

/** Whether a field at the top of a body holds a list, so that a text in it is a word. */
function isListOfIds(field: string, { length }: readonly string[]): boolean {
  return length === 1 && field.endsWith('s');
}

/** The resource that a placeholder names: `<space>`. */
export function resourceOfPlaceholder(placeholder: string | undefined): ResourceName | undefined {
  const word = placeholder?.replace(/^<|>$/g, '');
  const found = namedResources.find(
    ({ printed, otherPlaceholder }) => printed.argument === word && !otherPlaceholder,
  );
  return found?.name as ResourceName | undefined;
}

/** The resource that a context flag names: `--org`. */
export function resourceOfContext(flag: 'org' | 'space' | 'site' | 'change-request'): Resource {
  return resources[flag === 'org' ? 'organization' : flag];
}

/** In a sentence, what the platform calls `site-section-group`: a section group. */
export function nounOfObject(object: string): string {
  return resourceOfObject(object)?.noun ?? object.replaceAll('-', ' ');
}

/** The word under which `docs impact` takes what the platform calls `site-section`: `section`. */
export function wordForImpact(object: ObjectName): string {
  return resourceOfObject(object)?.printed.impact ?? object;
}

/** The resource that the platform calls so in `object`. */
export function resourceOfObject(object: string): Resource | undefined {
  return allResources.find(({ printed }) => printed.object === object);
}

/** What an operation is about, and what it does to it. */
interface About {
  resource: Resource;
  verb: string;
}

let byOperation: ReadonlyMap<string, About> | undefined;

/** @returns undefined where the platform has no such operation */
export function aboutOperation(id: string): About | undefined {
  byOperation ??= operationsOfAll();
  return byOperation.get(id);
}

function operationsOfAll(): ReadonlyMap<string, About> {
  const found = new Map<string, About>();
  for (const resource of allResources)
    for (const [verb, ids] of Object.entries(resource.operations))
      for (const id of ids) found.set(id, { resource, verb });
  return found;
}

/** Whether `docs open` can open what an operation reads. */
export function opensAnswerOf(operationId: string): boolean {
  return namedResources.some(({ opens, gets }) => opens !== undefined && gets.includes(operationId));
}
