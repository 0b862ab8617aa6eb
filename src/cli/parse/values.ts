import { usageError } from '../../base/errors.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import { parseDuration } from '../../settings/duration.js';
import type { Argument } from '../declare/command.js';
import type { OptionOutline } from '../declare/outline.js';
import { numberValue, wholeNumber } from './plain-values.js';

/** What clears a nullable field, as the value of its flag or as a cell of CSV. */
export const typedNull = 'null';

/**
 * Reads one value of a flag.
 * @returns a number where the flag takes one, else the text
 * @throws DocsError usage: `not_a_number`, `invalid_duration`, or that of a value that is not a choice
 */
export function readOption(option: OptionOutline, typed: string): string | number {
  const flag = `--${option.name}`;
  if (option.duration) checkDuration(option, typed);
  if (option.number === 'count') return wholeNumber(flag, typed);
  if (option.number) return numberValue(flag, typed);
  if (option.closed && !(option.nullable && ['none', typedNull].includes(typed)))
    refuseOther(option, flag, typed);
  return typed;
}

/** What follows a flag whose value may be left out is taken for its value, so a positional is named as such. */
function checkDuration({ name, value }: OptionOutline, typed: string): void {
  try {
    parseDuration(typed);
  } catch (cause) {
    if (!value?.startsWith('[')) throw cause;
    const message = `invalid --${name} ${JSON.stringify(typed)}; expected a duration such as 30s or 5m (put --${name} alone last, or write --${name}=5m)`;
    throw usageError('invalid_duration', message);
  }
}

/** Reads one value of a positional. @throws DocsError usage where it is not one of a closed list */
export function readArgument(argument: Argument, typed: string): string {
  if (argument.closed) refuseOther(argument, `<${argument.name}>`, typed);
  return typed;
}

type Chooser = Pick<OptionOutline, 'name' | 'field' | 'choices' | 'choiceError'>;

function refuseOther(
  { name, field = name, choices = [], choiceError }: Chooser,
  label: string,
  typed: string,
) {
  if (choices.includes(typed)) return;
  const message = `must be one of ${choices.join(', ')}`;
  const got = typed.length > 60 ? '' : `, not ${JSON.stringify(typed)}`;
  const meant = nearest(typed, choices);
  const suggestion = didYouMean(meant);
  const details = choiceError === undefined ? { issues: [{ field, message }] } : undefined;
  throw usageError(choiceError ?? 'invalid_input', `${label} ${message}${got}${suggestion}`, { details });
}
