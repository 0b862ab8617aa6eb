import { isObject } from '../../../base/values.js';
import { isRawNumber } from '../../../output/json.js';

/** Fields that nobody sets or that follow from others, and counts of what is compared on its own. */
const passing = new Set(['lastSeenAt', 'createdAt', 'updatedAt', 'urls', 'url', 'photoURL', 'outdated']);
const counts = /^(?:spaces|teams|members|siteSpaces|comments|changeRequests(?:Open|Draft)?)$/;

/** The part of a resource that is compared: without those fields. */
export function essenceOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essenceOf);
  if (!isObject(value) || isRawNumber(value)) return value;
  const members = Object.entries(value).filter(
    ([key, member]) => !passing.has(key) && !(counts.test(key) && typeof member === 'number'),
  );
  return Object.fromEntries(members.map(([key, member]) => [key, essenceOf(member)]));
}
