import type { Issue } from '../../api/check.js';
import type { LooseInput } from '../../api/client.js';
import { usageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { stringify } from '../../output/json.js';
import type { Command } from '../declare/command.js';

/** Refuses input that breaks the declaration, by flag or positional. @throws usage `invalid_input` */
export function refuseIssues(command: Command, issues: readonly Issue[], input: LooseInput): void {
  if (issues.length === 0) return;
  const lines = issues.map((issue) => {
    const value = givenValue(issue, input);
    const fault = `${labelOf(command, issue.field, issue)} ${issue.message}${gotOf(issue, value)}.`;
    return fault + meant(command, issue, value);
  });
  throw usageError('invalid_input', lines.slice(0, 3).join(' '), {
    details: { issues: issues.map(({ field, message }) => ({ field, message })) },
  });
}

/** The choice that a mistyped one most likely means. */
function meant(command: Command, { field }: Issue, value: unknown): string {
  const option = command.options.find((one) => one.closed && one.field === field);
  const near = typeof value === 'string' ? nearest(value, option?.choices ?? []) : undefined;
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

function givenValue({ where, field }: Issue, input: LooseInput): unknown {
  let value: unknown = where === 'body' ? input.body : input[where];
  for (const key of field.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}

/** Adds what was given, where it is short enough to help. */
function gotOf({ keyword }: Issue, value: unknown): string {
  if (keyword === 'required' || keyword === 'additionalProperties') return '';
  if (typeof value === 'string' && /Length$/.test(keyword)) return `, not ${[...value].length}`;
  const text = value === undefined ? undefined : stringify(value);
  return text === undefined || text.length > 60 ? '' : `, not ${text}`;
}

/** The name a person knows a field by: its flag or positional, else its place in `--input`. */
export function labelOf({ args, options }: Command, field: string, issue?: Issue): string {
  if (issue?.where === 'query' && field === 'limit') return '--page-size';
  if (issue?.where === 'query' && field === 'page') return '--page';
  const known = issue?.keyword !== 'additionalProperties';
  const top = field.split('.')[0];
  const fills = (one: { field?: string }) => one.field === field || (known && one.field === top);
  const arg = args.find(fills);
  if (arg !== undefined) return `<${arg.name}>`;
  const parts = options.filter((option) => option.field?.startsWith(`${field}.`));
  if (known && parts.length > 0) return parts.map((part) => `--${part.name}`).join(' or ');
  const option = options.find(fills);
  return option === undefined ? `--input: ${field}` : `--${option.name}`;
}
