import { describe, expect, test } from 'vitest';
import { checkToken } from '../../src/settings/credentials.js';
import { failureOf } from './world.js';

describe('a token', () => {
  test.each([
    ['abc', 'abc'],
    ['abc\n', 'abc'],
    ['abc\r\n', 'abc'],
    ['a.b-c_d~e+f/g==', 'a.b-c_d~e+f/g=='],
    ['ünïcode\u00ff', 'ünïcode\u00ff'],
  ])('%j is accepted, without one trailing newline', (text, token) => {
    expect(checkToken(text, 'DOCS_TOKEN')).toBe(token);
  });

  test.each([
    ['', 'is empty'],
    ['\n', 'is empty'],
    ['abc\n\n', 'contains a line break'],
    ['ab\nEvil: header', 'contains a line break'],
    ['ab\rc', 'contains a line break'],
    ['abc ', 'contains a space'],
    ['a\tb', 'contains a space'],
    ['a\u00a0b', 'contains a space'],
    ['a\u2028b', 'contains a space'],
    ['a\u0000b', 'contains a control character'],
    ['a\u001b[2Jb', 'contains a control character'],
    ['a\u007fb', 'contains a control character'],
    ['a\u0085b', 'contains a control character'],
    ['a…b', 'contains a character that HTTP headers do not allow'],
    ['a🔑b', 'contains a character that HTTP headers do not allow'],
  ])('%j is refused: exit 4, and the message does not contain it', async (text, what) => {
    expect(await failureOf(() => checkToken(text, 'DOCS_TOKEN'))).toEqual({
      code: 'malformed_token',
      exitCode: 4,
      message: `the token from DOCS_TOKEN ${what}; nothing was sent`,
      retryable: false,
      outcome: 'not-sent',
      hint: 'docs auth login',
    });
  });
});
