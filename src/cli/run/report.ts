import type { TSchema } from '@sinclair/typebox';
import type { Command, ManualSpec } from '../declare/command.js';
import { manual } from '../declare/define.js';
import { concurrencyOption, htmlOption } from '../declare/flags.js';
import { contextFlags } from '../declare/global-flags.js';
import type { Medium, Report } from './run-report.js';

/** Declares commands that read, and say what they read; and what groups of such commands are declared with. */

export { Type } from '../../api/type.js';
export type {
  Command,
  Examples,
  Group,
  LazyGroup,
  ManualInput,
  Option,
  Watched,
} from '../declare/command.js';
export { command, lazy, manual } from '../declare/define.js';
export {
  concurrencyOption,
  contextOption,
  fullOption,
  htmlOption,
  manyOptions,
  paceOption,
  partsOptions,
  savePlanOption,
  shardOption,
  unsetOption,
} from '../declare/flags.js';
export { option } from '../declare/global-flags.js';

interface ReportSpec<R extends TSchema> extends Omit<ManualSpec<R>, 'run' | 'formats'> {
  media?: readonly Medium[];
  /** Loads what reads. */
  load(): Promise<Report>;
}

/** Declares a command with a report. What is read from the platform may be read in part, which exits 3, unless `exits` is empty. */
export function report<const R extends TSchema>({ load, media = [], ...spec }: ReportSpec<R>): Command {
  const { options = [], operations = [], exits } = spec;
  const formats = media.filter((medium) => medium !== 'html');
  const isPartly = operations.length > 0 && exits?.length !== 0 && exits?.includes('partial') !== true;
  return manual<R>({
    ...spec,
    options: media.includes('html') ? withPage(options) : options,
    exits: isPartly ? ['partial', ...(exits ?? [])] : exits,
    ...(formats.length > 0 && { formats }),
    async run(session, input, around) {
      const [read, { runReport }] = await Promise.all([load(), import('./run-report.js')]);
      await runReport(read, { session, input, ...around }, { media, options });
    },
  });
}

/** `--html`, before what every report of an organization has; or where it is declared, with what it contradicts. */
function withPage(options: NonNullable<ManualSpec['options']>): NonNullable<ManualSpec['options']> {
  if (options.some(({ name }) => name === htmlOption.name)) return options;
  const common = [concurrencyOption.name, contextFlags.organizationId];
  const at = options.findIndex(({ name = '' }) => common.includes(name));
  return at < 0 ? [...options, htmlOption] : options.toSpliced(at, 0, htmlOption);
}
