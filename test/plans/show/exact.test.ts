import { expect, it } from 'vitest';
import { isNumbered, requestText } from '../../../src/plans/show/summary.js';
import { operation } from './sample-plan.js';

/** Requests as people read them before they sign: no two that send something else look alike. */

const request = { operation: 'teams.update', method: 'PATCH', path: '/t', parameters: {} };
const shown = (title: unknown) =>
  requestText(operation({ id: 'o1', request: { ...request, body: { title } } })) ?? '';

it.each([
  ['A\u00a0B', String.raw`A\u00a0B`],
  ['A\u2028B', String.raw`A\u2028B`],
  ['A  B', String.raw`A \u0020B`],
  ['\u200b', String.raw`\u200b`],
  ['\u{e0041}', String.raw`\udb40\udc41`],
  ['\u2800', String.raw`\u2800`],
  ['{o1.id}', String.raw`\u007bo1.id}`],
  ['<U+200B>', '<U+200B>'],
  [String.raw`\u200b`, String.raw`\\u200b`],
  ['👩‍💻 é', '👩‍💻 é'],
])('%j is shown as it is sent', (title, text) => {
  expect(shown(title)).toBe(`PATCH /t {"title":"${text}"}`);
  expect(JSON.parse(shown(title).slice(9))).toEqual({ title });
});

it('shows an id to come in braces', () => {
  expect(shown({ $from: 'o1', path: 'id' })).toBe('PATCH /t {"title":"{o1.id}"}');
});

it('numbers requests that are sent in another order than shown, or that take what others make', () => {
  const one = (id: string, kind: string, body: unknown = {}) =>
    operation({ id, kind, request: { ...request, body } });
  expect(isNumbered([one('o1', 'teams'), one('o2', 'teams'), one('o3', 'members')])).toBe(false);
  expect(isNumbered([one('o1', 'teams'), one('o2', 'members'), one('o3', 'teams')])).toBe(true);
  expect(isNumbered([one('o1', 'teams'), one('o2', 'teams', { id: { $from: 'o1', path: 'id' } })])).toBe(
    true,
  );
});
