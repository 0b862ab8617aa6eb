import { expect } from 'vitest';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';

/** What could command a terminal, or reorder its line. */
export const evil = [
  '\u001b[2J\u001b[1;1H',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u009b31m\u0085',
  'a\u202egnp.exe\u2066x\u2069\u061c',
  '\u0000\u0008\u007f\r',
  '\ud800 alone',
].join(' ');
export const forbidden =
  /[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Every way in which a platform may send it; lone surrogates as escapes, since UTF-8 has none. */
export function unsafeTeams({ target }: SeenRequest): Step {
  const item = { id: 't1', title: evil, members: 1 };
  if (target.includes('bad')) return { status: 400, json: { error: { code: 400, message: `no: ${evil}` } } };
  return { json: target.includes('?') ? { items: [item], count: 1 } : item };
}

/** Nothing that a terminal was sent commands it, or reorders its lines. */
export function expectHarmless(bytes: string): void {
  // A terminal itself turns newlines into CR and LF.
  expect(bytes.replaceAll('\r\n', '\n')).not.toMatch(/\r/);
  expect(bytes).not.toMatch(forbidden);
  for (const command of ['\u001b[2J', '\u001b]8;;https://evil', '\u001b]52', '\u001b[1;1H'])
    expect(bytes).not.toContain(command);
}
