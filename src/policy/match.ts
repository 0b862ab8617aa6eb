import { formatJson, RawNumber } from '../api/transport/json-text.js';
import type { Rule, Subject } from './policy.js';

/** Whether rules match what is asked of a policy. Pure. */

/** From the least harm to the most. */
export const dangers: readonly NonNullable<Subject['danger']>[] = ['read', 'change', 'confirm', 'type-title'];
export const surenesses: readonly NonNullable<Subject['undo']>[] = ['exact', 'best-effort', 'none'];

/** Whether a rule forbids, or gives: the same words catch more in the first, and give less in the second. */
export type Side = 'against' | 'for';

/** Whether the words of a rule match those of a command: `*` is one word, a last one stands for one or more. */
export function wordsMatch(pattern: readonly string[], words: readonly string[]): boolean {
  const open = pattern.at(-1) === '*';
  if (open ? words.length < pattern.length : words.length !== pattern.length) return false;
  for (let at = 0; at < pattern.length; at += 1) {
    const wanted = pattern[at];
    if (wanted !== '*' && wanted !== words[at]) return false;
  }
  return true;
}

/**
 * Whether all attributes of a rule match. Of a command as a whole, fields are not known yet: a rule that forbids
 * then does not match, and one that gives does.
 */
export function attributesMatch({ attributes }: Rule, subject: Subject, side: Side): boolean {
  return attributes.every((one) => attributeMatches(one, subject, side));
}

function attributeMatches(
  { name, value }: Rule['attributes'][number],
  subject: Subject,
  side: Side,
): boolean {
  const isWhole = subject.operation === undefined;
  if (name === 'danger') {
    if (isWhole && (subject.carrier || subject.danger === undefined)) return side === 'for';
    return reaches(dangers, value, subject.danger ?? 'type-title', side);
  }
  if (isWhole) return side === 'for';
  if (name === 'undo') {
    // What is read needs no undo.
    const undo = subject.effect === 'read' ? 'exact' : (subject.undo ?? 'none');
    return reaches(surenesses, value, undo, side);
  }
  const texts = valuesOf(name, subject.attributes ?? {}, side);
  return side === 'for' ? texts.length > 0 && texts.every((one) => one === value) : texts.includes(value);
}

/** `danger=confirm` forbids what is as dangerous or more, and gives what is as dangerous or less. */
function reaches(scale: readonly string[], value: string, found: string, side: Side): boolean {
  const [wanted, is] = [scale.indexOf(value), scale.indexOf(found)];
  return side === 'for' ? is <= wanted : is >= wanted;
}

/** The texts of a field; to forbid, those of fields of the same name further down, too. */
function valuesOf(name: string, attributes: Readonly<Record<string, unknown>>, side: Side): string[] {
  const exact = Object.hasOwn(attributes, name) ? texts(attributes[name]) : [];
  const isPattern = name.includes('*');
  if (side === 'for' && !isPattern) return exact;
  const isFurther = isPattern ? patternOf(name, side) : (key: string) => key.endsWith(`.${name}`);
  const others = Object.keys(attributes).filter((key) => key !== name && isFurther(key));
  return [...exact, ...others.flatMap((key) => texts(attributes[key]))];
}

function patternOf(name: string, side: Side): (key: string) => boolean {
  const asked = name.split('.');
  return (key) => ends(key.split('.'), asked, side);
}

function ends(path: readonly string[], asked: readonly string[], side: Side): boolean {
  const from = path.length - asked.length;
  if (from < 0 || (side === 'for' && from > 0)) return false;
  return asked.every((word, at) => word === '*' || word === path[from + at]);
}

function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value === 'string') return [value];
  if (value instanceof RawNumber) return [value.rawJson];
  return [typeof value === 'object' && value !== null ? formatJson(value) : String(value)];
}
