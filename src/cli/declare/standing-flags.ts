import { paging } from '../../api/check.js';
import type { Option } from './command.js';

/** Flags that do not come from a field of one operation: those of the grammar (command-tree, "Grammar"). */

/** An option with nothing set, to start from. */
export const blankOption: Option = {
  name: '',
  variadic: false,
  required: false,
  nullable: false,
  description: '',
};

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
  return {
    ...blankOption,
    name,
    value: parameter === 'changeRequestId' ? '<id>' : `<${name}>`,
    description,
    field: parameter,
  };
}

/** Flags of every list (command-tree, "Grammar"). */
export function listOptions(): Option[] {
  return [
    {
      ...blankOption,
      name: 'limit',
      value: '<n>',
      number: 'count',
      description: 'Most items in all; without it the list is complete',
    },
    {
      ...blankOption,
      name: 'page-size',
      value: '<n>',
      number: 'count',
      description: 'Items asked for at a time',
      schema: paging.limit,
      default: 1000,
    },
    {
      ...blankOption,
      name: 'page',
      value: '<cursor>',
      description: 'Start at this page',
      schema: paging.page,
    },
  ];
}

/** Flags of every change of many items. */
export function manyOptions(): Option[] {
  return [
    {
      ...blankOption,
      name: 'concurrency',
      value: '<n>',
      number: 'count',
      description: 'Requests under way at once',
      default: 8,
    },
    {
      ...blankOption,
      name: 'fail-fast',
      boolean: true,
      description: 'Start nothing new after the first failure',
    },
    { ...blankOption, name: 'allow-empty', boolean: true, description: 'No ids at all is fine' },
    {
      ...blankOption,
      name: 'again',
      boolean: true,
      description: 'Begin anew, although a job with the same input is not finished',
    },
  ];
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
export function inputOption(): Option {
  return {
    ...blankOption,
    name: 'input',
    value: '<file|->',
    description: 'JSON body to start from; flags win over it',
  };
}
