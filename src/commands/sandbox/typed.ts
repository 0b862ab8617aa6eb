import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { FaultRule } from '../../sandbox/server/faults.js';
import { parseDuration, parseSpan } from '../../settings/duration.js';

/** What people type to steer the sandbox, on a command line and in its pages. */

/** The rule that was typed, if any. */
export function faultRule(options: ManualInput['options']): FaultRule | undefined {
  const { match, status, delay, reset: cut, times, rate, responseHeader: header } = options;
  const given = [status, header, delay, cut, times, rate].some((value) => value !== undefined);
  if (match === undefined && !given) return undefined;
  if (match === undefined)
    throw usageError('missing_flag', "missing --match: the requests that fail, such as 'GET *'");
  if (status === undefined && delay === undefined && cut === undefined) {
    throw usageError('missing_flag', '--match requires --status, --delay or --reset');
  }
  const delayMs = delay === undefined ? undefined : parseDuration(String(delay));
  const headers = header && Object.fromEntries([header].flat().map((text) => headerPair(String(text))));
  return {
    match: String(match),
    ...defined({
      status: status === undefined ? undefined : count('--status', status, 200, 599),
      headers: headers as Record<string, string> | undefined,
      delayMs: typeof delayMs === 'number' ? delayMs : undefined,
      reset: cut as FaultRule['reset'],
      times: times === undefined ? undefined : count('--times', times, 1, 1_000_000),
      rate: rate === undefined ? undefined : share(rate),
    }),
  };
}

/** @throws DocsError usage `invalid_shift` */
export function shiftMs(text: string): number {
  const ms = parseSpan(text.replace(/^[+-]/, ''));
  if (ms === undefined) {
    const message = `invalid shift ${JSON.stringify(text.slice(0, 40))}; expected one such as +7d, +90m or +1.5h`;
    throw usageError('invalid_shift', message);
  }
  return text.startsWith('-') ? -ms : ms;
}

function headerPair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (!/^[\w-]+$/.test(text.slice(0, Math.max(0, at)))) {
    throw usageError('invalid_header', `--response-header ${JSON.stringify(text)}: expected name=value`);
  }
  return [text.slice(0, at).toLowerCase(), text.slice(at + 1)];
}

/** @throws DocsError usage `invalid_number` */
export function count(flag: string, value: unknown, least: number, most: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw usageError('invalid_number', `${flag} must be a whole number from ${least} to ${most}`);
}

function share(value: unknown): number {
  const number = Number(value);
  if (number >= 0 && number <= 1) return number;
  throw usageError('invalid_number', '--rate must be a number from 0 to 1');
}
