import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { DocsError, usageError } from '../../src/base/errors.js';
import { printError } from '../../src/output/messages.js';
import { fakeIo } from '../fake-io.js';
import { terminal } from './printed.js';

function print(error: DocsError, { json = false, color = false, world = {} } = {}) {
  const io = fakeIo(world);
  printError(error, { io, json, chalk: color ? new Chalk({ level: 1 }) : undefined });
  return { stdout: io.stdout.text, stderr: io.stderr.text };
}

const failure = new DocsError('not-found', 'not_found', 'Team tm_1 does not exist.', {
  status: 404,
  method: 'GET',
  path: '/v1/orgs/o/teams/tm_1',
  requestId: 'req_9',
  attempts: 3,
  retryable: false,
  outcome: 'refused',
  hint: 'docs teams list',
});

describe('an error', () => {
  it('is at most four lines on stderr, the last a command to run', () => {
    for (const world of [{}, terminal]) {
      expect(print(failure, { world })).toEqual({
        stdout: '',
        stderr:
          'error: Team tm_1 does not exist (not-found, exit 6)\n' +
          '  GET /v1/orgs/o/teams/tm_1 answered 404, request id req_9\n' +
          '  Tried 3 times.\n' +
          '  Try: docs teams list\n',
      });
    }
  });

  it('leaves out what is not known', () => {
    expect(print(usageError('unknown_flag', 'Unknown flag --x.')).stderr).toBe(
      'error: Unknown flag --x (usage, exit 2)\n',
    );
  });

  it('says when the outcome is unknown', () => {
    const unknown = new DocsError('unknown-outcome', 'reset', 'The connection was reset.', {
      outcome: 'unknown',
      attempts: 1,
    });
    expect(print(unknown).stderr).toBe(
      'error: The connection was reset (unknown-outcome, exit 16)\n  The outcome is unknown.\n',
    );
  });

  it('says what was not done of a change, unless the message does', () => {
    const said = (message: string, effect: 'sent' | 'changed') => {
      const io = fakeIo();
      printError(usageError('wrong', message), { io, json: false, effect });
      return io.stderr.text;
    };
    expect(said('--title is required', 'sent')).toBe(
      'error: --title is required; nothing was sent (usage, exit 2)\n',
    );
    expect(said('unknown flag "--x". Did you mean --y?', 'sent')).toBe(
      'error: unknown flag "--x". Did you mean --y? Nothing was sent. (usage, exit 2)\n',
    );
    expect(said('team "t1" not found', 'changed')).toContain('not found; nothing was changed (usage');
    expect(said('nothing to change: give at least one of --title', 'sent')).not.toContain('nothing was');
  });

  it('says that a refused change changed nothing', () => {
    const refused = new DocsError('forbidden', 'forbidden', 'permission denied', {
      ...{ method: 'PATCH', path: '/v1/orgs/o', status: 403, attempts: 1, outcome: 'refused' },
    });
    expect(print(refused).stderr).toContain('\n  The request changed nothing.\n');
    expect(print(failure).stderr).not.toContain('changed nothing');
  });

  it('is red only where colour is on', () => {
    expect(print(failure, { color: true }).stderr.startsWith('\x1b[31merror:\x1b[39m ')).toBe(true);
    expect(print(failure).stderr).not.toContain('\x1b');
  });

  it('stays four safe lines, whatever the platform says', () => {
    const evil = '\x1b[2J\nfake\u202e';
    const error = new DocsError('refused', 'refused', evil.repeat(2000), {
      path: `/v1/${evil}`,
      requestId: evil,
      attempts: 2,
      hint: `docs ${evil}`,
    });
    const { stderr } = print(error);
    expect(stderr.split('\n')).toHaveLength(5);
    expect(stderr).not.toMatch(/[\x1b\u202e]/);
    expect(stderr.length).toBeLessThan(50_000);
  });

  it('is one line of JSON with --json', () => {
    const { stdout, stderr } = print(failure, { json: true });
    expect(stdout).toBe('');
    expect(stderr).toBe(
      '{"error":{"code":"not_found","exitCode":6,"message":"Team tm_1 does not exist","status":404,"method":"GET",' +
        '"path":"/v1/orgs/o/teams/tm_1","requestId":"req_9","attempts":3,"retryable":false,"outcome":"refused",' +
        '"hint":"docs teams list","next":[]}}\n',
    );
  });

  it('does not fail where stderr does', () => {
    const io = fakeIo();
    io.stderr.destroy();
    printError(failure, { io, json: false });
    expect(io.stderr.text).toBe('');
  });
});
