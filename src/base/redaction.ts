import { decodePercent } from './values.js';

const mark = '[redacted]';

/** Whether the value of a header, query parameter or JSON key looks secret. */
export function isSecretName(name: string): boolean {
  return /token|secret|passw|pwd|api[-_]?key|authori[sz]ation|credential|cookie|session|private[-_]?key|share[-_]?key|signature/i.test(
    name,
  );
}

function isSecretParameter(name: string): boolean {
  // Errors name this setting of docs, and its value is not secret.
  if (name === 'DOCS_CREDENTIAL_STORE') return false;
  // Signed URLs of object stores have further ones.
  return (
    isSecretName(name) ||
    /^(?:sig|sas|hmac|jwt|auth|key-pair-id|awsaccesskeyid|x-(?:amz|goog)-.+)$/i.test(name)
  );
}

/** Whether a text has a part of such a name, or of one of the headers that carry credentials. */
function mayNameSecret(text: string): boolean {
  return /token|secret|passw|pwd|key|auth|credential|cookie|session|sig|sas|hmac|jwt|x-amz|x-goog/i.test(
    text,
  );
}

/** Values that are secret whatever they look like, in the forms in which a text may hold them. */
const hidden = new Set<string>();

/** Shorter values occur by chance. */
const shortestHidden = 4;

/** Hides a value from now on, wherever `redactText` finds it; as it is, within JSON and within a URL. */
export function hideValue(value: string): void {
  if (value.length < shortestHidden) return;
  for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]) hidden.add(form);
}

function redactHidden(text: string): string {
  let found = text;
  for (const value of hidden) if (found.includes(value)) found = found.replaceAll(value, mark);
  return found;
}

/** Without one of these, a text has no secret but in a key or a header. */
const suspects = ['=', '@', '%', 'bearer', 'basic'];

/**
 * Hides what looks secret in a text about the platform, such as an error message: credentials of URLs,
 * values of query parameters, of quoted keys and of headers. Never for content (docs/decisions/017-redaction.md).
 */
export function redactText(whole: string): string {
  const text = redactHidden(whole);
  const lower = text.toLowerCase();
  const isSuspect = suspects.some((one) => lower.includes(one));
  if (!isSuspect && !(text.includes(':') && mayNameSecret(text))) return text;
  return redactHeaders(redactKeys(redactQuery(redactUrls(text))));
}

/** The same for every string of a JSON value; keys and numbers stay. */
export function redactStrings<T>(value: T): T {
  return mapStrings(value, redactText) as T;
}

/** A JSON value with every string replaced; anything that is not plain data stays. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return value;
  const members = Object.entries(value).map(([key, member]) => [change(key), mapStrings(member, change)]);
  // fromEntries defines keys, so that `__proto__` stays a key.
  return Object.fromEntries(members);
}

/** Hides credentials of URLs in any text: `https://user:secret@host` (RELIABILITY.md, "Secrets and origins"). */
export function redactUrls(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>\\]*@/gi, `$1${mark}@`);
}

/** Hides the values of query parameters and form fields that look secret, those of a URL within a URL too. */
export function redactQuery(text: string): string {
  if (!/=|%3d/i.test(text)) return text;
  const plain = text.replace(
    /(^|[?&;,\s([{<|"'`])([^=?&;,#\s"'`([{<|]{1,200})=([^&;#\s"'`]*)/g,
    (whole, before: string, name: string) =>
      isSecretParameter(decodePercent(name)) ? `${before}${name}=${mark}` : whole,
  );
  return plain.replace(
    /(%(?:25)*(?:3f|26))([\w.~-]{1,100})(%(?:25)*3d)(?:(?!%(?:25)*26)[^&\s"'#])*/gi,
    (whole, before: string, name: string, equals: string) =>
      isSecretParameter(name) ? `${before}${name}${equals}${mark}` : whole,
  );
}

/** Hides quoted values of keys: `"password": "x"`, `password: 'x'`, also with escaped quotes. */
function redactKeys(text: string): string {
  const pairs = /(?:(\\*["'])([^"'\\]{1,200})\1|\b([\w-]{1,200}))(\s*:\s*(\\*["']))((?:(?!\5).)*)/gs;
  return text.replace(pairs, (whole, quote = '', quoted, bare, colon: string) => {
    const key: string = quoted ?? bare;
    return isSecretParameter(key) ? `${quote}${key}${quote}${colon}${mark}` : whole;
  });
}

/** Hides the values of headers that carry credentials, and whatever follows `Bearer` or `Basic`. */
function redactHeaders(text: string): string {
  return text
    .replace(/\b((?:set-)?cookie\s*:\s*)[^\s\\"'[][^\r\n,]*/gi, `$1${mark}`)
    .replace(
      /\b((?:(?:proxy-)?authorization|x-[\w-]*(?:key|token|secret|signature))\s*:\s*(?:(?:bearer|basic|token)\s+)?)[^\s\\,;"'[][^\s,;"']*/gi,
      `$1${mark}`,
    )
    .replace(
      /\b(bearer|basic)(\s+)([\w.~+/=-]{8,})/gi,
      (whole, scheme: string, gap: string, value: string) =>
        value.length >= 20 || /\d/.test(value) ? `${scheme}${gap}${mark}` : whole,
    );
}
