import { paging } from '../../api/check.js';
import { defined } from '../../defined.js';
import type { Option } from './command.js';
import { blankOption } from './global-flags.js';

/** Flags that do not come from a field of one operation: those of the grammar (command-tree, "Grammar"). */

/** Path parameters that come from the context, and the flag of each. */
export const contextFlags = {
  organizationId: 'org',
  spaceId: 'space',
  siteId: 'site',
  changeRequestId: 'change-request',
} as const;
export type ContextParameter = keyof typeof contextFlags;

/** What each parent is called. */
export const contextDescriptions: Record<ContextParameter, string> = {
  organizationId: 'Organization',
  spaceId: 'Space',
  siteId: 'Site',
  changeRequestId: 'Change request, by id or number',
};

/** The flag that names a parent, such as `--org`. */
export function contextOption(parameter: ContextParameter): Option {
  const name = contextFlags[parameter];
  const description = contextDescriptions[parameter];
  const value = parameter === 'changeRequestId' ? '<id>' : `<${name}>`;
  return { ...blankOption, name, value, description, field: parameter, kind: name };
}

/** Flags of every list (command-tree, "Grammar"). */
export const listOptions = (): Option[] => [
  count('limit', 'Maximum number of items; default: all'),
  { ...count('page-size', 'Items per request', 1000), schema: paging.limit },
  { ...blankOption, name: 'page', value: '<cursor>', description: 'Start at this page', schema: paging.page },
];

/** Flags of every change of many items. */
export const manyOptions = (): Option[] => [
  count('concurrency', 'Requests sent in parallel', 8),
  isSet('fail-fast', 'Start no further item after a failure'),
  isSet('allow-empty', 'Accept an empty list of ids'),
  isSet('again', 'Start over, even if a job with the same input is unfinished'),
];

function count(name: string, description: string, standard?: number): Option {
  return defined({
    ...blankOption,
    name,
    value: '<n>',
    number: 'count' as const,
    description,
    default: standard,
  });
}

function isSet(name: string, description: string): Option {
  return { ...blankOption, name, boolean: true, description };
}

/** `--unset`, where a command has nullable fields. */
export function unsetOption(fields: readonly string[]): Option {
  return {
    ...blankOption,
    name: 'unset',
    value: '<field>',
    variadic: true,
    choices: fields,
    closed: true,
    choiceError: 'not_nullable',
    description: 'Set a field to null',
  };
}

/** `--input`, where a command sends a body. */
export const inputOption: Option = {
  ...blankOption,
  name: 'input',
  value: '<file|->',
  description: 'JSON body to start from; flags override it',
};
