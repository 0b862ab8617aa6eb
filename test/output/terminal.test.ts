import { describe, expect, it } from 'vitest';
import { colorLevel, link, showsLinks } from '../../src/output/terminal.js';
import { fakeIo } from '../fake-io.js';

const levels = (env: Record<string, string>, globals: { color?: boolean } = {}) => ({
  terminal: colorLevel(fakeIo({ terminals: ['stdout', 'stderr'], env }), globals, 'stdout'),
  pipe: colorLevel(fakeIo({ env }), globals, 'stdout'),
});

describe('the colours of a stream', () => {
  it.each<[string, Record<string, string>, number, number]>([
    ['nothing is set', {}, 1, 0],
    ['NO_COLOR is set', { NO_COLOR: '1' }, 0, 0],
    ['NO_COLOR is empty', { NO_COLOR: '' }, 1, 0],
    ['FORCE_COLOR is 0', { FORCE_COLOR: '0' }, 0, 0],
    ['FORCE_COLOR is 1', { FORCE_COLOR: '1' }, 1, 1],
    ['FORCE_COLOR is 2', { FORCE_COLOR: '2' }, 2, 2],
    ['FORCE_COLOR is 3', { FORCE_COLOR: '3' }, 3, 3],
    ['FORCE_COLOR is 9', { FORCE_COLOR: '9' }, 3, 3],
    ['FORCE_COLOR is empty', { FORCE_COLOR: '' }, 1, 1],
    ['FORCE_COLOR is true', { FORCE_COLOR: 'true' }, 1, 1],
    ['FORCE_COLOR is false', { FORCE_COLOR: 'false' }, 0, 0],
    ['FORCE_COLOR is not a level', { FORCE_COLOR: 'yes' }, 1, 0],
    ['FORCE_COLOR and NO_COLOR are set', { FORCE_COLOR: '1', NO_COLOR: '1' }, 1, 1],
    ['CLICOLOR_FORCE is set', { CLICOLOR_FORCE: '1' }, 1, 1],
    ['CLICOLOR_FORCE is 0', { CLICOLOR_FORCE: '0' }, 1, 0],
    ['CLICOLOR_FORCE and NO_COLOR are set', { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, 0, 0],
    ['TERM is dumb', { TERM: 'dumb' }, 0, 0],
    ['TERM is dumb and FORCE_COLOR is 1', { TERM: 'dumb', FORCE_COLOR: '1' }, 1, 1],
    ['CI is set', { CI: 'true' }, 0, 0],
    ['CI is set and FORCE_COLOR is 1', { CI: 'true', FORCE_COLOR: '1' }, 1, 1],
  ])('are as many where %s', (_, env, terminal, pipe) => {
    expect(levels(env)).toEqual({ terminal, pipe });
  });

  it('are none with --no-color, whatever the environment', () => {
    const env = { FORCE_COLOR: '3', CLICOLOR_FORCE: '1' };
    expect(levels(env, { color: false })).toEqual({ terminal: 0, pipe: 0 });
  });

  it('are told apart for standard output and standard error', () => {
    const io = fakeIo({ terminals: ['stderr'] });
    expect([colorLevel(io, {}, 'stdout'), colorLevel(io, {}, 'stderr')]).toEqual([0, 1]);
  });
});

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
