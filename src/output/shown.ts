import { isRelative, picker } from './fields.js';
import type { Format, PrinterOptions, View } from './printer.js';

/** What `--fields` makes of a view. */
export interface Shown {
  view: View;
  /** The fields that replace the columns; undefined where the view has those that are shown. */
  fields: readonly string[] | undefined;
  /** Picks the keys to print. */
  pick(value: unknown): unknown;
  /** Whether keys are picked in this format. In rows, columns are, which the format does. */
  picksKeys: boolean;
  /** The same for a single resource, whose view names all that it has. */
  picksOne: boolean;
}

/** Formats that print keys, and not columns. */
export const keyed: readonly (Format | undefined)[] = ['json', 'ndjson', 'yaml'];

const whole = (value: unknown) => value;

/** The view and the keys that are printed. */
export async function shownBy(view: View, { fields }: PrinterOptions, format: Format): Promise<Shown> {
  const isKeyed = keyed.includes(format);
  if (fields === undefined) return { view, fields, pick: whole, picksKeys: false, picksOne: false };
  if (!isRelative(fields))
    return { view, fields, pick: picker(fields), picksKeys: isKeyed, picksOne: isKeyed };
  const { changed, dropper } = await import('./relative-fields.js');
  const pick = dropper(fields, view);
  return { view: changed(view, fields), fields: undefined, pick, picksKeys: isKeyed, picksOne: true };
}
