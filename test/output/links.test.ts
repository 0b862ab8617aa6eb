import { describe, expect, it } from 'vitest';
import { link, showsLinks } from '../../src/output/terminal.js';

describe('links', () => {
  it.each([
    [{}, false],
    [{ TERM: 'xterm-256color' }, false],
    [{ TERM_PROGRAM: 'iTerm.app' }, true],
    [{ TERM: 'xterm-kitty' }, true],
    [{ WT_SESSION: '1' }, true],
    [{ VTE_VERSION: '7600' }, true],
    [{ VTE_VERSION: '4900' }, false],
    [{ TERM_PROGRAM: 'iTerm.app', TERM: 'screen-256color' }, false],
    [{ TERM_PROGRAM: 'iTerm.app', CI: '1' }, false],
    [{ FORCE_HYPERLINK: '1' }, true],
    [{ FORCE_HYPERLINK: '0', TERM_PROGRAM: 'iTerm.app' }, false],
  ])('%j: %s', (env, expected) => {
    expect(showsLinks(env)).toBe(expected);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'ssh://host', 'no address', ''])(
    '%j stays text',
    (address) => {
      expect(link('text', address)).toBe('text');
    },
  );

  it('cannot be ended by an address', () => {
    expect(link('text', 'https://a.example/\x07\x1b\\\u009c;x')).toBe(
      '\x1b]8;;https://a.example/%07%1B/%C2%9C;x\x1b\\text\x1b]8;;\x1b\\',
    );
  });
});
