import { describe, expect, it } from 'vitest';
import { DocsError, sentences } from '../../src/base/errors.js';
import { errorMessages } from '../source-texts.js';

/** How errors are worded: VOICE.md, and "Texts" of docs/contributing/tests.md. */

const messages = [...errorMessages(['src'])];

/** Messages that break a rule, with their file. */
const breaking = (breaks: (message: string) => boolean): string[] =>
  messages.filter(([message]) => breaks(message)).map(([message, file]) => `${file}: ${message}`);

/** Whether there is a stop within, and not in a title. */
const hasSeveral = (message: string): boolean => /[.?!]["')]*\s/.test(message.replaceAll(/"[^"]*"/g, '""'));

describe('the message of an error, in the sources', () => {
  it('is found wherever one is made', () => {
    expect(messages.length).toBeGreaterThan(1000);
  });

  it('begins with a small letter, unless its first word is a name', () => {
    expect(
      breaking((message) => /^(?:[A-Z][a-z]|[A-Z] )/.test(message) && !/^OpenAPI/.test(message)),
    ).toEqual([]);
  });

  it('has no full stop where it is one sentence', () => {
    expect(breaking((message) => !hasSeveral(message) && /\w.*[^.]\.$/.test(message))).toEqual([]);
  });

  it('ends with a stop where it is several', () => {
    expect(breaking((message) => hasSeveral(message) && /[\w)"]$/.test(message))).toEqual([]);
  });
});

describe('the message of an error, as it is made', () => {
  const messageOf = (text: string): string => new DocsError('usage', 'wrong', text).message;

  it.each([
    ['the disk is full.', 'the disk is full'],
    ['the disk is full', 'the disk is full'],
    ['space "Dr. No" not found.', 'space "Dr. No" not found'],
    ['space "What now? All." not found', 'space "What now? All." not found'],
    ['expected a duration, e.g. 90d', 'expected a duration, e.g. 90d'],
    ['still loading...', 'still loading...'],
    ['a.yaml:3 is not valid. Nothing was sent', 'a.yaml:3 is not valid. Nothing was sent.'],
    ['unknown flag "--x". Did you mean --y?', 'unknown flag "--x". Did you mean --y?'],
  ])('%s', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it('takes further sentences, each with its stop', () => {
    expect(sentences('it failed', 'Did it start?', 'Nothing was sent.')).toBe(
      'it failed. Did it start? Nothing was sent.',
    );
  });
});
