import type { Session } from '../declare/session.js';

/** What the output flags and settings ask for, to commands that print differently for people and programs. */

/** JSON, NDJSON or YAML. */
export function isStructured({ settings }: Session): boolean {
  return ['json', 'ndjson', 'yaml'].includes(settings.output?.value ?? '');
}

/** Whether the whole result is printed as one object: structured formats, --fields and --jq ask for that. */
export function wantsObject(session: Session): boolean {
  const { settings, globals } = session;
  return isStructured(session) || globals.jq !== undefined || settings.fields !== undefined;
}

/** Warns, one line each; with JSON the error alone is on stderr, and has the same in its details. */
export function warnEach({ printer, settings }: Session, lines: readonly string[]): void {
  if (['json', 'ndjson'].includes(settings.output?.value ?? '')) return;
  for (const line of lines) printer.warn(line);
}
