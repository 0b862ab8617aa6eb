import type { TSchema } from '@sinclair/typebox';
import type { Command, ManualSpec } from '../declare/command.js';
import { manual } from '../declare/define.js';
import { concurrencyOption, htmlOption, outOption } from '../declare/flags.js';
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
  exitCodeOption,
  failOnChange,
  fullOption,
  htmlOption,
  manyOptions,
  outOption,
  paceOption,
  partsOptions,
  savePlanOption,
  shardOption,
  unsetOption,
} from '../declare/flags.js';
export { option } from '../declare/option.js';

interface ReportSpec<R extends TSchema> extends Omit<ManualSpec<R>, 'run' | 'formats'> {
  media?: readonly Medium[];
  /** Loads what reads. */
  load(): Promise<Report>;
}

/** Declares a command with a report. What is read from the platform may be read in part, which exits 3, unless `exits` is empty. */
export function report<const R extends TSchema>({ load, media = [], ...spec }: ReportSpec<R>): Command {
  const { options = [], operations = [], exits, summary } = spec;
  // Where --out is something else, there is no page.
  const hasOut = options.some(({ name }) => name === outOption.name) && !options.includes(outOption);
  const all = hasOut || media.includes('html') ? media : [...media, 'html' as const];
  const isPartly = operations.length > 0 && exits?.length !== 0 && exits?.includes('partial') !== true;
  return manual<R>({
    ...spec,
    options: withFiles(options, all),
    exits: isPartly ? ['partial', ...(exits ?? [])] : exits,
    ...(all.length > 0 && { formats: all }),
    async run(session, input, around) {
      const [read, { runReport }] = await Promise.all([load(), import('./run-report.js')]);
      await runReport(read, { session, input, ...around }, { summary, media: all, options });
    },
  });
}

/** `--out` and `--html`, before what every report of an organization has; or where they are declared. */
function withFiles(
  options: NonNullable<ManualSpec['options']>,
  media: readonly Medium[],
): NonNullable<ManualSpec['options']> {
  const wanted = [...(media.length > 0 ? [outOption] : []), ...(media.includes('html') ? [htmlOption] : [])];
  const lacking = wanted.filter((one) => options.every(({ name }) => name !== one.name));
  const common = [concurrencyOption.name, contextFlags.organizationId];
  const at = options.findIndex(({ name = '' }) => common.includes(name));
  return options.toSpliced(at < 0 ? options.length : at, 0, ...lacking);
}
