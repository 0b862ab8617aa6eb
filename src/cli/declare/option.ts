import type { Option } from './command.js';

/** An option with nothing set, to start from. */
export const blankOption: Option = {
  variadic: false,
  required: false,
  nullable: false,
  name: '',
  description: '',
};

/**
 * A flag.
 * @param usage as it is typed: `-F, --field <key=value>...`, `--wait [time]`, `--full`, `--no-sso`
 */
export function option(usage: string, description: string, more?: Partial<Option>): Option {
  const short = usage.startsWith('--') ? undefined : usage.charAt(1);
  const long = usage.slice(short === undefined ? '--'.length : '-x, --'.length);
  const end = long.includes(' ') ? long.indexOf(' ') : long.length;
  const isNo = long.startsWith('no-');
  const name = long.slice(isNo ? 'no-'.length : 0, end);
  const variadic = long.endsWith('...');
  const value = long.slice(end + 1, variadic ? -'...'.length : undefined);
  const boolean = isNo ? 'only-no' : true;
  // Every start makes thirty: each written out, they share two layouts.
  const made: Option =
    value === ''
      ? { variadic, required: false, nullable: false, name, description, short, boolean }
      : { variadic, required: false, nullable: false, name, description, short, value };
  return more === undefined ? made : Object.assign(made, more);
}
