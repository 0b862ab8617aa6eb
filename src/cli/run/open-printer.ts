import { usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { defined } from '../../base/values.js';
import { ConsolePrinter } from '../../output/console-printer.js';
import { type Format, formats, type Printer, type PrinterOptions } from '../../output/printer.js';
import type { OutputSink } from '../../output/sink.js';
import { colorLevel } from '../../output/terminal.js';
import type { Settings } from '../../settings/settings.js';
import type { ManualInput } from '../declare/command.js';
import type { Globals } from '../declare/session.js';
import { wholeNumber } from '../parse/values.js';
import { asksForRecord } from './output-form.js';
import { commandTimeoutMs } from './session-client.js';

/** From flags and settings to the printer of a run. */

/** What is printed, and where to. */
interface Printing extends Pick<PrinterOptions, 'nowMs' | 'titles' | 'onCut'> {
  io: Io;
  globals: Globals;
  settings: Settings;
  input: ManualInput;
  /** Values of `-o` that the command prints itself. */
  further: readonly string[];
  /** Where the output goes in place of the terminal: a pager. */
  sink?: OutputSink;
}

/** @throws DocsError usage `unknown_format`, or for a `--limit` that is not a number */
export function openPrinter({ io, globals, settings, input, further, sink, ...more }: Printing): Printer {
  const { header, csvRaw, jq, dryRun } = globals;
  const options: PrinterOptions = {
    io,
    format: formatOf(settings, further),
    color: colorLevel(io, globals, 'stdout'),
    quiet: globals.quiet ?? false,
    record: asksForRecord(globals, input),
    ...more,
    jqLimitMs: jqLimitOf(settings),
    ...defined({ sort: sortOf(input), header, csvRaw, jq, dryRun, fields: settings.fields?.value }),
    asked: { format: settings.output?.source === 'flag', fields: settings.fields?.source === 'flag' },
  };
  return new ConsolePrinter(options, sink);
}

/** `--timeout` holds for each run of a filter, beside the requests. */
function jqLimitOf({ timeoutMs }: Settings): number {
  const { value = commandTimeoutMs } = timeoutMs ?? {};
  return value === 'none' ? Number.POSITIVE_INFINITY : value;
}

/** `--sort-by`, and the limit of what is printed then. @throws DocsError usage */
function sortOf({ options: { sortBy, limit } }: ManualInput): PrinterOptions['sort'] {
  if (typeof sortBy !== 'string') return undefined;
  return { by: sortBy, ...(limit !== undefined && { limit: wholeNumber('--limit', limit) }) };
}

/**
 * The output format; undefined for the usual one, and for one that the command prints itself.
 * @throws DocsError usage `unknown_format`
 */
export function formatOf({ output }: Settings, further: readonly string[]): Format | undefined {
  if (output === undefined || further.includes(output.value)) return undefined;
  const { value, where } = output;
  if (isFormat(value)) return value;
  const message = `${where}: ${value} is not an output format; known: ${formats.join(', ')}.`;
  throw usageError('unknown_format', message);
}

const isFormat = (name: string): name is Format => (formats as readonly string[]).includes(name);
