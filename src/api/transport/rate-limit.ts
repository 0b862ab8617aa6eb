import type { Headers } from './contract.js';

/** The platform's clock at the time of a response, in milliseconds since the epoch, if it sent a `Date`. */
export function dateMs(headers: Headers): number | undefined {
  const text = headers.date;
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * How long the platform asks to wait, in milliseconds: `Retry-After`, or for a 429 the time until
 * `X-RateLimit-Reset`, which other responses carry for information only.
 * @param nowMs our clock, for responses without a `Date`; the two clocks may differ
 */
export function askedWaitMs(status: number, headers: Headers, nowMs: number): number | undefined {
  return retryAfterMs(headers, nowMs) ?? (status === 429 ? resetMs(headers, nowMs) : undefined);
}

/** `Retry-After` in milliseconds: seconds or an HTTP date. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts nearly anything, such as "-5"; an HTTP date starts with the day of the week.
  const atMs = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - (dateMs(headers) ?? nowMs));
}

/** Time until `X-RateLimit-Reset` (epoch seconds), in milliseconds; undefined if absent. */
export function resetMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers['x-ratelimit-reset']?.trim();
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined;
  return Math.max(0, Number(text) * 1000 - (dateMs(headers) ?? nowMs));
}

/** Whether the rate limit is used up until its reset. */
export function isSpent(headers: Headers): boolean {
  return headers['x-ratelimit-remaining']?.trim() === '0';
}

/** Requests that are allowed until a reset, used or not. */
export function allowed(headers: Headers): number | undefined {
  const text = headers['x-ratelimit-limit']?.trim() ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
