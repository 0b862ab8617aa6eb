import { replaceParts } from '../base/values.js';
import { isJsonObject, RawNumber } from './transport/json-text.js';

/** A copy of JSON values; numbers kept as digits stay what they are. */
export function copyJson<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyJson) as T;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyJson(item)])) as T;
}

/** The value with ordinary numbers in place of those kept as digits, for checks of type and limits. */
export function plainNumbers(value: unknown): unknown {
  const isDigits = (part: unknown): part is RawNumber => part instanceof RawNumber;
  return replaceParts(value, isDigits, ({ rawJson }) => Number(rawJson));
}
