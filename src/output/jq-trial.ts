import type { TSchema } from '@sinclair/typebox';
import { type DocsError, usageError } from '../errors.js';
import type { JqFilter } from './jq.js';
import { isRawNumber, stringify } from './json.js';
import { madeUp } from './made-up.js';

/** A filter that fails after a change hides the change, so it is tried on made-up answers before. */

const variants = 12;

/** Failures of types: no answer of the shape is of another. */
const wrongType =
  /^Cannot (?:index (?:array|object|string|number|boolean) with (?:string|number|object)|iterate over (?:string|number|boolean))\b/;
const ofNull = /^Cannot iterate over null\b|^null \(null\) has no keys/;

/**
 * Refuses a filter that fails whatever the platform answers. What only an answer can tell is not refused: a
 * text that is no number, a list that is too short, a part of which the declaration says nothing.
 * @param expression the filter as typed
 * @param wantsObjects whether its outputs are to be rows
 * @throws DocsError usage `jq_failed`; nothing was sent
 */
export async function tryOut(
  filter: JqFilter,
  expression: string,
  shape: TSchema,
  wantsObjects: boolean,
): Promise<void> {
  const names = namesIn(shape);
  const used = fieldsOf(expression);
  if (isOpen(shape) || used.some((name) => names.open.has(name))) return;
  const answers = Array.from({ length: variants }, (_, variant) => madeUp(shape, variant));
  const undeclared = used.filter((name) => !names.declared.has(name));
  const reasons: string[] = [];
  for (const answer of answers) {
    const tried = await filter.attempt(stringify(answer));
    if ('outputs' in tried) {
      if (wantsObjects && tried.outputs.length > 0 && !tried.outputs.some(isRow))
        throw notRows(tried.outputs[0]);
      return;
    }
    if (!wrongType.test(tried.reason) && !ofNull.test(tried.reason)) return;
    reasons.push(tried.reason);
  }
  // That something is null may be due to the values, unless a field is named that no answer has.
  const certain = reasons.find((reason) => wrongType.test(reason) || undeclared.length > 0);
  if (certain !== undefined) throw wouldFail(certain, undeclared);
}

/** An object, or a list of objects. */
export function isRow(output: unknown): boolean {
  if (Array.isArray(output)) return output.every(isRow);
  return typeof output === 'object' && output !== null && !isRawNumber(output);
}

/** @throws DocsError usage `not_rows` */
export function notRows(output: unknown): DocsError {
  const text = stringify(output);
  const shown = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  return usageError('not_rows', `-o csv takes objects from --jq, and it yields ${shown}.`);
}

function wouldFail(reason: string, undeclared: readonly string[]): DocsError {
  const [name] = undeclared;
  const unknown = name === undefined ? '' : ` The answer has no field ${JSON.stringify(name)}.`;
  const message = `--jq would fail on the answer: ${reason}; nothing was sent.${unknown}`;
  return usageError('jq_failed', message, { details: { undeclared: [...undeclared] } });
}

/** The fields that a filter names, but for those of objects that it makes itself. */
function fieldsOf(expression: string): string[] {
  const code = expression.replace(/"(?:[^"\\]|\\.)*"/g, (text, at: number) =>
    /[.[]\s*$/.test(expression.slice(0, at)) ? `.${text.slice(1, -1)}` : '""',
  );
  const made = new Set([...code.matchAll(/([A-Za-z_]\w*)\s*:/g)].map(([, name]) => name));
  const named = [...code.matchAll(/\.\s*([A-Za-z_]\w*)/g)].map(([, name]) => name ?? '');
  return [...new Set(named)].filter((name) => !made.has(name));
}

interface Names {
  declared: Set<string>;
  /** Those under which anything may come. */
  open: Set<string>;
}

function namesIn(shape: TSchema, found: Names = { declared: new Set(), open: new Set() }): Names {
  for (const [name, part] of Object.entries((shape.properties ?? {}) as Record<string, TSchema>)) {
    found.declared.add(name);
    if (isOpen(part)) found.open.add(name);
    namesIn(part, found);
  }
  for (const branch of (shape.anyOf ?? []) as TSchema[]) namesIn(branch, found);
  if (shape.items !== undefined) namesIn(shape.items as TSchema, found);
  return found;
}

/** Whether a value may have members that the declaration does not name. */
function isOpen(shape: TSchema): boolean {
  if (shape.anyOf !== undefined) return (shape.anyOf as TSchema[]).some(isOpen);
  if (shape.type === 'array') return shape.items === undefined || isOpen(shape.items as TSchema);
  if (shape.const !== undefined || shape.enum !== undefined || shape['x-known'] !== undefined) return false;
  if (shape.type === 'object') return Object.keys(shape.properties ?? {}).length === 0;
  return shape.type === undefined;
}
