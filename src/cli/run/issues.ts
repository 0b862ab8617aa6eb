import type { Issue } from '../../api/check.js';
import type { LooseInput } from '../../api/client.js';
import { usageError } from '../../errors.js';
import { nearest } from '../../nearest.js';
import type { Command } from '../declare/command.js';

/** What the check found, in the words of flags and positionals. */

export function refuseIssues(command: Command, issues: readonly Issue[], input: LooseInput): void {
  const [first, ...others] = issues;
  if (first === undefined) return;
  const lines = [first, ...others].map(
    (issue) =>
      `${labelOf(command, issue.field, issue)} ${issue.message}${gotOf(issue, input)}.${meant(command, issue, input)}`,
  );
  throw usageError('invalid_input', lines.slice(0, 3).join(' '), {
    details: { issues: issues.map(({ field, message }) => ({ field, message })) },
  });
}

/** The choice that a mistyped one most likely means. */
function meant(command: Command, issue: Issue, input: LooseInput): string {
  const value = given(issue, input);
  const option = command.options.find(({ field, closed }) => closed && field === issue.field);
  const near = typeof value === 'string' ? nearest(value, option?.choices ?? []) : undefined;
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

function given(issue: Issue, input: LooseInput): unknown {
  let value: unknown = issue.where === 'body' ? input.body : input[issue.where];
  for (const key of issue.field.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}

/** Adds what was given, where it is short enough to help. */
function gotOf(issue: Issue, input: LooseInput): string {
  if (issue.keyword === 'required' || issue.keyword === 'additionalProperties') return '';
  const value = given(issue, input);
  if (typeof value === 'string' && /Length$/.test(issue.keyword)) return `, not ${[...value].length}`;
  const text = JSON.stringify(value);
  return text === undefined || text.length > 60 ? '' : `, not ${text}`;
}

/** The name a person knows a field by: its flag or positional, else its place in `--input`. */
export function labelOf(command: Command, field: string, issue?: Issue): string {
  if (issue?.where === 'query' && field === 'limit') return '--page-size';
  if (issue?.where === 'query' && field === 'page') return '--page';
  const known = issue?.keyword !== 'additionalProperties';
  const top = field.split('.')[0];
  const arg = command.args.find(
    (candidate) => candidate.field === field || (known && candidate.field === top),
  );
  if (arg !== undefined) return `<${arg.name}>`;
  const option = command.options.find(
    (candidate) => candidate.field === field || (known && candidate.field === top),
  );
  const parts = command.options.filter((candidate) => candidate.field?.startsWith(`${field}.`));
  if (known && parts.length > 0) return parts.map((part) => `--${part.name}`).join(' or ');
  return option === undefined ? `--input: ${field}` : `--${option.name}`;
}
