import { domainToASCII } from 'node:url';
import { emojiCharacter } from '../base/text-encoding.js';
import { refusal } from './refusal.js';

/*
 * Checks of values beyond the limits that operations declare. The specification names these fields by what
 * they are (hostname, path, emoji, …); the sandbox refuses a value that could not be one, with 400. Each takes
 * the name of the field in the body, and lets through a value that is not given.
 */

type Given = string | null | undefined;

/** Spec A, "Subdomain": the default hostname is a subdomain of the platform's own host. */
const subdomain = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/;
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domain = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$`, 'i');
const basename = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const segment = /^[\w.~-]+$/;

/** @throws 400 */
export function requireHostname(field: string, value: Given): void {
  if (typeof value !== 'string' || subdomain.test(value)) return;
  const rule = 'lowercase letters, digits and hyphens, and begin and end with a letter or digit';
  throw wrong(field, `must consist of ${rule}`, value);
}

/** @throws 400 */
export function requireBasename(field: string, value: Given): void {
  if (typeof value !== 'string' || basename.test(value)) return;
  throw wrong(field, 'must consist of words of lowercase letters and digits, joined by hyphens', value);
}

/** Segments of URL characters that need no encoding, joined by slashes. @throws 400 */
export function requirePath(field: string, value: Given): void {
  if (typeof value !== 'string') return;
  const segments = value.split('/');
  if (segments.every((part) => segment.test(part) && part !== '.' && part !== '..')) return;
  const rule = 'letters, digits, hyphens, underscores, dots and tildes, in segments joined by slashes';
  throw wrong(field, `must consist of ${rule}`, value);
}

/** @throws 400 also for a domain that is named twice */
export function requireEmailDomains(field: string, values: readonly string[] = []): void {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    const name = domainToASCII(value).toLowerCase();
    if (!domain.test(name)) throw wrong(`${field}.${index}`, 'must be a domain, such as example.com', value);
    if (seen.has(name)) throw wrong(`${field}.${index}`, 'must be named only once', value);
    seen.add(name);
  }
}

/** @param schemes in the order to name them. @throws 400 */
export function requireUrl(field: string, value: Given, schemes: readonly string[]): void {
  if (typeof value !== 'string') return;
  const { protocol = '', username = '' } = URL.canParse(value) ? new URL(value) : {};
  if (schemes.includes(protocol.slice(0, -1)) && username === '') return;
  const kinds = schemes.join(' or ');
  throw wrong(field, `must be an ${kinds} URL without credentials`, value);
}

/** One emoji, as its character or its code points in hex; '' is none. @throws 400 */
export function requireEmoji(field: string, value: Given): void {
  if (typeof value !== 'string' || value === '' || isEmoji(emojiCharacter(value))) return;
  throw wrong(field, 'must be one emoji', value);
}

/** Whether a text is one visible symbol that is an emoji, a flag or a keycap. */
function isEmoji(text: string): boolean {
  const symbols = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)];
  return symbols.length === 1 && /\p{Extended_Pictographic}|^\p{RI}{2}$|^[\d#*]\uFE0F?\u20E3$/u.test(text);
}

function wrong(field: string, rule: string, value: string) {
  return refusal(400, `body ${field} ${rule}, not ${JSON.stringify(value)}`);
}
